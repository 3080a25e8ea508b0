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

import io.phoenixpruning.it.differential.Trial.Verdict;
import java.util.List;

/**
 * The answer of a worker to a statement, with the verdict of the oracle.
 *
 * @param rows the rows of a query, or all rows of the table after a statement that writes
 */
record Answered(WorkerAnswer answer, List<List<Object>> rows, Verdict verdict) {

  static Answered of(Trial trial, WorkerAnswer answer, List<List<Object>> rows) {
    return new Answered(
        answer, rows, answer.failure() != null ? Verdict.WRONG : trial.judge().apply(rows));
  }
}
