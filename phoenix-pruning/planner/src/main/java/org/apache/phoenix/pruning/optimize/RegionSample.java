/*
 * Copyright the Phoenix Pruning authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express
 * or implied. See the License for the specific language governing permissions and limitations under
 * the License.
 */
package org.apache.phoenix.pruning.optimize;

import static java.util.stream.Collectors.toList;

import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.phoenix.pruning.stats.RowCountBounds;

/**
 * Extrapolates from a few regions, evenly spread, to all regions of a list. A plan can scan many
 * thousands of regions, so the estimate of its cost does not read the statistics of each of them.
 */
final class RegionSample {

  /** Maximum number of regions in a sample. */
  static final int MAX_SIZE = 8;

  private final List<HRegionLocation> sampled;
  private final int regions;

  /** Takes a sample of {@code regions}, which are in key order. */
  RegionSample(List<HRegionLocation> regions) {
    int size = Math.min(MAX_SIZE, regions.size());
    this.regions = regions.size();
    this.sampled =
        IntStream.range(0, size)
            .mapToObj(i -> regions.get(i * regions.size() / size))
            .collect(toList());
  }

  /** Returns the number of all regions. */
  int regions() {
    return regions;
  }

  /** Returns the sum over all regions, extrapolated from the sample. */
  RowCountBounds sum(Function<HRegionLocation, RowCountBounds> ofRegion) {
    RowCountBounds sum =
        sampled.stream().map(ofRegion).reduce(RowCountBounds.NONE, RowCountBounds::plus);
    return sampled.isEmpty() ? sum : sum.times((double) regions / sampled.size());
  }

  /** Returns the mean over the sample, or 0 if there are no regions. */
  double mean(ToDoubleFunction<HRegionLocation> ofRegion) {
    return sampled.stream().mapToDouble(ofRegion).average().orElse(0);
  }
}
