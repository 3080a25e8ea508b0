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
package io.phoenixpruning.perf.harness.cluster;

import java.beans.ConstructorProperties;

/** The result of running a query to its last row. */
public final class QueryRun {

  private final double millis;
  private final long rows;
  private final long sum;

  /**
   * Creates a result.
   *
   * @param millis milliseconds to the last row
   * @param rows number of rows that were read
   * @param sum sum of the hash codes of the rows, which does not depend on their order
   */
  @ConstructorProperties({"millis", "rows", "sum"})
  public QueryRun(double millis, long rows, long sum) {
    this.millis = millis;
    this.rows = rows;
    this.sum = sum;
  }

  public double getMillis() {
    return millis;
  }

  public long getRows() {
    return rows;
  }

  public long getSum() {
    return sum;
  }
}
