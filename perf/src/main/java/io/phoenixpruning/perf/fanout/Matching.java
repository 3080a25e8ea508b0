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
package io.phoenixpruning.perf.fanout;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A value of V, classified by the number of regions that have one row with this value. The value
 * lies between the smallest and the greatest value of every region. Therefore no file can be
 * skipped because of its first and last key.
 */
enum Matching {
  NONE(1_000_001, 0),
  ONE(1_000_003, 1),
  TEN(1_000_005, 10),
  ALL(1_000_007, Integer.MAX_VALUE);

  /** Smallest value of V, which all regions have. */
  static final int SMALLEST = 0;

  /** Greatest value of V, which all regions have. */
  static final int GREATEST = 2_000_000;

  private final int value;
  private final int regions;

  Matching(int value, int regions) {
    this.value = value;
    this.regions = regions;
  }

  /** Returns the value, which is odd. */
  int value() {
    return value;
  }

  /** Returns how many of {@code all} regions have a row with this value. */
  int regions(int all) {
    return Math.min(all, regions);
  }

  /**
   * Returns whether region {@code region} of {@code all} regions has a row with this value. The
   * regions with such a row are spread evenly.
   */
  private boolean isIn(int region, int all) {
    int count = regions(all);
    return count == all
        || IntStream.range(0, count).anyMatch(i -> (2L * i + 1) * all / (2L * count) == region);
  }

  /** Returns the values for which region {@code region} of {@code all} regions has a row. */
  static List<Matching> in(int region, int all) {
    return Arrays.stream(values()).filter(matching -> matching.isIn(region, all)).toList();
  }
}
