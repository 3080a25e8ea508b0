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
 * A value of V by the regions that have a row with it, one row each. It lies between the smallest
 * and the greatest value of every region, so that no file can be skipped for its first and last
 * key.
 */
enum Matching {
  NONE(1_000_001, 0),
  ONE(1_000_003, 1),
  TEN(1_000_005, 10),
  ALL(1_000_007, Integer.MAX_VALUE);

  /** All regions have this value, the smallest. */
  static final int SMALLEST = 0;

  /** All regions have this value, the greatest. */
  static final int GREATEST = 2_000_000;

  private final int value;
  private final int regions;

  Matching(int value, int regions) {
    this.value = value;
    this.regions = regions;
  }

  /** The value, which is odd. */
  int value() {
    return value;
  }

  /** How many of {@code all} regions have it. */
  int regions(int all) {
    return Math.min(all, regions);
  }

  /** Whether region {@code region} of {@code all} has it; those that do are spread evenly. */
  private boolean isIn(int region, int all) {
    int count = regions(all);
    return count == all
        || IntStream.range(0, count).anyMatch(i -> (2L * i + 1) * all / (2L * count) == region);
  }

  /** The values for which region {@code region} of {@code all} has a row. */
  static List<Matching> in(int region, int all) {
    return Arrays.stream(values()).filter(matching -> matching.isIn(region, all)).toList();
  }
}
