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
package io.phoenixpruning.it.differential;

import java.io.Serializable;
import java.util.List;

/** A command to a {@link Worker}. */
sealed interface WorkerCommand extends Serializable {

  /** Executes statements that have no values, in this order. */
  record Execute(List<String> statements) implements WorkerCommand {}

  /** Writes rows in one batch. */
  record Write(String upsert, List<List<Object>> rows) implements WorkerCommand {}

  /** Runs a query; the answer has its rows. */
  record Query(String sql, List<Object> binds) implements WorkerCommand {}

  /**
   * Runs a statement that writes; the answer has the update count and the cells that were written.
   *
   * @param tables the HBase tables whose cells are read
   */
  record Change(String sql, List<Object> binds, boolean autoCommit, List<String> tables)
      implements WorkerCommand {}

  /** Reads the row keys of an HBase table, as text in hexadecimal digits. */
  record RowKeys(String table) implements WorkerCommand {}

  /** Recreates an HBase table, empty, with these boundaries. */
  record Split(String table, List<String> boundaries) implements WorkerCommand {}

  /** Leaves out {@code patches} and no other patches, in a worker with our jars. */
  record LeaveOut(List<String> patches) implements WorkerCommand {}

  /** Names the file of each class, or "missing" for a class that cannot be loaded. */
  record Origins(List<String> classes) implements WorkerCommand {}
}
