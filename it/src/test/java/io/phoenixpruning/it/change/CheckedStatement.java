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
package io.phoenixpruning.it.change;

import java.sql.Connection;
import java.sql.SQLException;

/** A statement whose result is known, however the regions change while it runs. */
interface CheckedStatement {

  /** Returns whether Phoenix opens some scans only after it has read the rows of others. */
  default boolean opensScansLate() {
    return false;
  }

  /** Writes the rows that the statement needs. */
  default void prepare(Connection connection) throws SQLException {}

  /**
   * Runs the statement and checks its result.
   *
   * @throws AssertionError if the result is wrong
   */
  void run(Connection connection) throws SQLException;

  /**
   * Checks the rows that the statement wrote.
   *
   * @throws AssertionError if the rows are wrong
   */
  default void checkWritten(Connection connection, Outcome outcome) throws SQLException {}
}
