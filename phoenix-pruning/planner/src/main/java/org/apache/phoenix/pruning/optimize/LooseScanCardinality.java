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

import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.phoenix.compile.ScanRanges;
import org.apache.phoenix.pruning.layout.TableKeyColumns;
import org.apache.phoenix.schema.PTable;

/** Estimates the rows and the seeks of a loose index scan, from the shape of its key ranges. */
final class LooseScanCardinality {

  private final int buckets;
  private final KeySelectivity selectivity;
  private final DistinctPrefixEstimate prefixes;

  /** True if the ranges restrict the regions of the data table. */
  private final boolean choosesRegions;

  /**
   * Creates the estimate for a scan that seeks by the first {@code slots} of {@code ranges}.
   *
   * @param columns the key columns of the index
   * @param dataKey the key columns of the data table
   * @param buckets the number of salt buckets of the data table, or 1
   */
  LooseScanCardinality(
      PTable dataTable,
      TableKeyColumns columns,
      TableKeyColumns dataKey,
      ScanRanges ranges,
      int slots,
      int buckets) {
    this.buckets = buckets;
    this.selectivity = KeySelectivity.of(columns, ranges, slots);
    this.prefixes = new DistinctPrefixEstimate(dataTable, columns, ranges, slots);
    this.choosesRegions = KeySelectivity.choosesRegions(dataKey, columns, ranges, slots);
  }

  /**
   * Returns the number of rows in the range that match all conditions by which the scan seeks.
   *
   * @param inRange the number of rows in the range
   * @param ofTable the number of rows of the data table
   * @param ofRegions the number of these rows in the scanned regions
   * @param regions the number of scanned regions
   */
  double rows(double inRange, double ofTable, double ofRegions, int regions) {
    double ofKeys = ofRegions;
    if (selectivity.bindsDataKey()) {
      double guess = ofTable * selectivity.partOfDataKey(ofTable);
      ofKeys =
          choosesRegions ? selectivity.limitToRegions(guess, ofRegions, regions, buckets) : guess;
    }
    return Math.min(inRange, ofKeys * selectivity.partOfIndexed(ofTable));
  }

  /**
   * Returns the number of seeks in all regions.
   *
   * @param inRange the number of rows in the range
   */
  double seeks(double inRange, RegionSample sample) {
    double ofRegion = inRange / Math.max(1, sample.regions());
    return sample.regions()
        * sample.mean(
            location -> {
              RegionInfo region = location.getRegion();
              return prefixes.seeks(ofRegion, region.getStartKey(), region.getEndKey());
            });
  }
}
