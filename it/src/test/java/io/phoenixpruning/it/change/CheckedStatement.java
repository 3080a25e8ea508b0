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

/** A statement whose result is known, whatever happens to the regions while it runs. */
interface CheckedStatement {

  /** Whether Phoenix opens a scan only when it has read the rows of others. */
  default boolean opensScansLate() {
    return false;
  }

  /** Writes what it needs. */
  default void prepare(Connection connection) throws SQLException {}

  /**
   * Runs it, and checks its result.
   *
   * @throws AssertionError if it is wrong
   */
  void run(Connection connection) throws SQLException;

  /**
   * Checks what it wrote.
   *
   * @throws AssertionError if it is wrong
   */
  default void checkWritten(Connection connection, Outcome outcome) throws SQLException {}
}
