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

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Compares answers, and shows them. */
final class Answers {

  private Answers() {}

  static boolean isSameInStock(Trial trial, WorkerAnswer one, WorkerAnswer other) {
    return one.columns().equals(other.columns()) && isSame(trial, one, other);
  }

  static boolean isSame(Trial trial, WorkerAnswer one, WorkerAnswer other) {
    return Objects.equals(one.failure(), other.failure())
        && (trial.ordered()
            ? one.rows().equals(other.rows())
            : multiset(one.rows()).equals(multiset(other.rows())));
  }

  /** Removes quotes, index names and casts, which Phoenix adds to a label if it reads an index. */
  static List<String> labels(WorkerAnswer answer) {
    return answer.columns().stream()
        .map(
            column ->
                column
                    .replace("\"", "")
                    .replaceAll("(T\\d+_W#)?T\\d+(_\\w)?\\.(0?:)?", "")
                    .replaceAll("TO_[A-Z]+\\((\\w+)\\)", "$1"))
        .toList();
  }

  static List<String> types(WorkerAnswer answer) {
    return answer.columns().stream()
        .map(column -> column.substring(column.lastIndexOf(' ') + 1))
        .toList();
  }

  static List<String> multiset(List<List<Object>> rows) {
    return rows.stream().map(List::toString).sorted().toList();
  }

  /** Removes the age of statistics and the numbers in generated names such as {@code $1}. */
  static WorkerAnswer comparable(WorkerAnswer plan) {
    List<List<Object>> rows = new ArrayList<>();
    for (List<Object> row : plan.rows()) {
      List<Object> values = new ArrayList<>();
      for (Object value : row.subList(0, Math.min(3, row.size()))) {
        values.add(value instanceof String text ? text.replaceAll("\\$\\d+", "\\$N") : value);
      }
      rows.add(values);
    }
    return new WorkerAnswer(plan.columns(), rows, -1, plan.failure(), List.of());
  }

  static List<String> shown(WorkerAnswer answer) {
    List<String> shown = new ArrayList<>();
    if (answer.failure() != null) {
      shown.add(answer.failure() + "\n" + answer.failure().trace());
    } else if (answer.updateCount() >= 0) {
      shown.add(answer.updateCount() + " rows changed, cells written:");
    } else {
      shown.add(answer.rows().size() + " rows of " + answer.columns());
    }
    answer.cells().forEach(cell -> shown.add("\n" + cell));
    answer.rows().stream().map(List::toString).sorted().forEach(shown::add);
    return shown;
  }
}
