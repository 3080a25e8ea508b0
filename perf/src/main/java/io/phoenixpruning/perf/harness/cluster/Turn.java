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

/** The result and the cost of executing a statement several times. */
public final class Turn {

  private final double millis;
  private final ProcessUsage usage;
  private final long rows;
  private final long sum;

  /** Kinds of execution. */
  public enum Kind {
    /** Prepares the statement and compiles it to a plan. */
    COMPILE,
    /** Prepares and executes a query, and reads all rows. */
    QUERY,
    /** Prepares once, and executes a statement that writes. */
    UPDATE
  }

  /**
   * Creates a result.
   *
   * @param millis milliseconds of all executions
   * @param usage usage of the client's process
   * @param rows number of rows that were read or written
   * @param sum sum of the hash codes of the rows that were read, which does not depend on their
   *     order
   */
  @ConstructorProperties({"millis", "usage", "rows", "sum"})
  public Turn(double millis, ProcessUsage usage, long rows, long sum) {
    this.millis = millis;
    this.usage = usage;
    this.rows = rows;
    this.sum = sum;
  }

  public double getMillis() {
    return millis;
  }

  public ProcessUsage getUsage() {
    return usage;
  }

  public long getRows() {
    return rows;
  }

  public long getSum() {
    return sum;
  }
}
