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

/**
 * Computes the cost of a plan from the numbers of its scans, rows and seeks. The unit is the time
 * to read one row without values.
 */
final class CostModel {

  /** Cost of a scan. A scan takes about a millisecond, and reading a row takes microseconds. */
  private static final double SCAN = 300;

  /** Cost of a seek within a region. */
  private static final double SEEK = 4;

  /** Number of bytes that are read in the time of one row. */
  private static final double BYTES = 200;

  /** Cost of looking up the data row of an index row in the same region. */
  private static final double LOOKUP = 20;

  /** Cost of sorting a row. */
  private static final double SORT = 0.5;

  /** Assumed number of regions in which a global index looks up its data rows. */
  private static final int REGIONS_OF_LOOKUPS = CandidatePlan.REGIONS_OF_TABLE;

  private final double bytesPerRow;
  private final boolean looksUpDataRows;
  private final boolean isGlobal;
  private final boolean sorts;

  /**
   * Creates the model of a plan.
   *
   * @param bytesPerRow the mean size of a row in bytes
   * @param looksUpDataRows whether the scanned index lacks columns of the query
   * @param isGlobal whether the data rows are in other regions than the index rows
   * @param sorts whether the rows are sorted, or grouped in memory
   */
  CostModel(double bytesPerRow, boolean looksUpDataRows, boolean isGlobal, boolean sorts) {
    this.bytesPerRow = bytesPerRow;
    this.looksUpDataRows = looksUpDataRows;
    this.isGlobal = isGlobal;
    this.sorts = sorts;
  }

  static CostModel of(QueryPlan plan, double bytesPerRow, boolean isGlobal) {
    boolean groups = !plan.getGroupBy().isEmpty() && !plan.getGroupBy().isOrderPreserving();
    return new CostModel(
        bytesPerRow,
        !plan.getContext().getDataColumns().isEmpty(),
        isGlobal,
        groups || !plan.getOrderBy().getOrderByExpressions().isEmpty());
  }

  /**
   * Returns the cost.
   *
   * @param scans the number of scans
   * @param rows the number of rows that are read
   * @param seeks the number of seeks of a loose index scan, or 0
   * @param inRange the number of rows in the key range; all seeks cost at most as much as reading
   *     these rows
   */
  double cost(double scans, double rows, double seeks, double inRange) {
    double cost = scans * SCAN + rows * (1 + bytesPerRow / BYTES) + Math.min(seeks * SEEK, inRange);
    if (looksUpDataRows) {
      cost += rows * LOOKUP;
      if (isGlobal) {
        cost += Math.min(rows, REGIONS_OF_LOOKUPS) * SCAN;
      }
    }
    return sorts ? cost + rows * SORT : cost;
  }
}
