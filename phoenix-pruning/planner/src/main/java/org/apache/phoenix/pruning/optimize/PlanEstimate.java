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

import java.util.Locale;

/** Estimated cost of a plan. Immutable. */
public final class PlanEstimate {

  private final int regions;
  private final boolean isComplete;
  private final double rows;
  private final double bytes;
  private final double bytesInRange;
  private final double cost;

  /**
   * Creates an estimate.
   *
   * @param regions the number of regions that have been located
   * @param isComplete false if the plan scans more than {@code regions}, and so costs more
   * @param rows the number of rows that are read
   * @param bytes the size of these rows in bytes, before encoding and compression
   * @param bytesInRange the size in bytes of all rows between the first row and the last row
   * @param cost the cost; the unit is the time to read a row without values
   */
  PlanEstimate(
      int regions,
      boolean isComplete,
      double rows,
      double bytes,
      double bytesInRange,
      double cost) {
    this.regions = regions;
    this.isComplete = isComplete;
    this.rows = rows;
    this.bytes = bytes;
    this.bytesInRange = bytesInRange;
    this.cost = cost;
  }

  /** Returns whether all regions that the plan scans have been located. */
  boolean isComplete() {
    return isComplete;
  }

  /** Returns the number of rows that the plan reads. */
  public double rows() {
    return rows;
  }

  /** Returns the size in bytes of the rows that the plan reads, before encoding and compression. */
  public double bytes() {
    return bytes;
  }

  /** Returns the size in bytes of all rows in the key range, including rows that the scan skips. */
  public double bytesInRange() {
    return bytesInRange;
  }

  /** Returns the cost. The unit is the time to read a row without values. */
  public double cost() {
    return cost;
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%s%d %s, %,.0f %s, COST %,.0f",
        isComplete ? "" : "MORE THAN ",
        regions,
        regions == 1 ? "REGION" : "REGIONS",
        rows,
        Math.round(rows) == 1 ? "ROW" : "ROWS",
        cost);
  }
}
