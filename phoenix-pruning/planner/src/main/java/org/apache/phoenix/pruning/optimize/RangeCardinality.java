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

import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.compile.ScanRanges;
import org.apache.phoenix.pruning.layout.TableKeyColumns;

/**
 * Estimates the number of rows between the first and the last key of a scan, from the shape of its
 * key ranges. Does not read statistics.
 */
final class RangeCardinality {

  private final ScanRanges ranges;
  private final boolean isGlobal;
  private final int buckets;
  private final KeySelectivity selectivity;

  /** True if the ranges restrict the regions of the data table. */
  private final boolean choosesRegions;

  /**
   * Creates the estimate for {@code plan}.
   *
   * @param isGlobal whether the plan reads a global index, whose regions are not those of the data
   *     table
   * @param columns the key columns of the table or index that the plan scans
   * @param dataKey the key columns of the data table
   * @param buckets the number of salt buckets of the data table, or 1
   */
  RangeCardinality(
      QueryPlan plan,
      boolean isGlobal,
      TableKeyColumns columns,
      TableKeyColumns dataKey,
      int buckets) {
    this.ranges = plan.getContext().getScanRanges();
    this.isGlobal = isGlobal;
    this.buckets = buckets;
    this.selectivity = KeySelectivity.of(columns, ranges);
    this.choosesRegions =
        KeySelectivity.choosesRegions(dataKey, columns, ranges, ranges.getRanges().size());
  }

  /**
   * Returns the number of rows in the range.
   *
   * @param ofTable the number of rows of the data table
   * @param ofRegions the number of these rows in the scanned regions
   * @param regions the number of scanned regions
   */
  double rows(double ofTable, double ofRegions, int regions) {
    return ranges.isPointLookup()
        ? ranges.getPointLookupCount()
        : rowsOfDataKey(ofTable, ofRegions, regions) * selectivity.partOfIndexed(ofTable);
  }

  private double rowsOfDataKey(double ofTable, double ofRegions, int regions) {
    if (!selectivity.bindsDataKey()) {
      return isGlobal ? ofTable : ofRegions;
    }
    double guess = ofTable * selectivity.partOfDataKey(ofTable);
    return isGlobal || !choosesRegions
        ? Math.min(ofRegions, guess)
        : selectivity.limitToRegions(guess, ofRegions, regions, buckets);
  }
}
