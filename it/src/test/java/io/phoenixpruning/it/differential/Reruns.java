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

import io.phoenixpruning.it.differential.AnswerDifference.Case;
import java.util.List;
import java.util.stream.Collectors;

/** Runs a statement in one worker, and restores the rows of its table. */
final class Reruns {

  private Reruns() {}

  /**
   * Runs the statement of {@code testCase}, or {@code sql} as a variant of it with another hint.
   */
  static Answered run(WorkerProcess worker, Case testCase, String sql) {
    Trial trial = testCase.trial();
    if (trial.isQuery()) {
      WorkerAnswer answer = worker.run(new WorkerCommand.Query(sql, trial.binds()));
      return Answered.of(trial, answer, answer.rows());
    }
    WorkerAnswer answer = worker.run(changeCommand(testCase, sql));
    WorkerAnswer content = worker.run(selectAll(testCase.table()));
    restore(worker, testCase.table(), content);
    return Answered.of(trial, answer, content.rows());
  }

  static WorkerCommand changeCommand(Case testCase, String sql) {
    Trial trial = testCase.trial();
    return new WorkerCommand.Change(
        sql, trial.binds(), trial.autoCommit(), testCase.table().hbaseTables());
  }

  static WorkerCommand selectAll(KeyTable table) {
    return new WorkerCommand.Query(table.selectAll(), List.of());
  }

  /** Writes the rows of the table again if {@code content} differs from the expected rows. */
  static void restore(WorkerProcess worker, KeyTable table, WorkerAnswer content) {
    List<List<Object>> rows = RowLists.sorted(content.rows());
    List<List<Object>> wanted = RowLists.sorted(table.rows());
    if (rows.equals(wanted)) {
      return;
    }
    if (!wanted.containsAll(rows)) {
      clear(worker, table);
    }
    write(worker, table);
  }

  /** Writes all rows again. Also corrects an index that differs from its table. */
  static void rewrite(WorkerProcess worker, KeyTable table) {
    clear(worker, table);
    write(worker, table);
  }

  private static void clear(WorkerProcess worker, KeyTable table) {
    worker.require(
        new WorkerCommand.Execute(List.of("DELETE /*+ NO_INDEX */ FROM " + table.name())));
  }

  private static void write(WorkerProcess worker, KeyTable table) {
    worker.require(
        new WorkerCommand.Write(
            table.upsert(), table.rows().stream().map(table::jdbc).collect(Collectors.toList())));
  }
}
