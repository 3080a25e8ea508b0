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
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/** Brings lists of rows into forms that can be compared. */
final class RowLists {

  private static final Comparator<List<Object>> BY_TEXT = Comparator.comparing(List::toString);

  private RowLists() {}

  static List<List<Object>> project(List<List<Object>> rows, List<RandomKeyColumn> columns) {
    return rows.stream()
        .map(
            row ->
                columns.stream()
                    .map(column -> row.get(column.position()))
                    .collect(Collectors.<Object, List<Object>>toCollection(ArrayList::new)))
        .collect(Collectors.toList());
  }

  static List<List<Object>> sorted(List<List<Object>> rows) {
    return stripped(rows).stream().sorted(BY_TEXT).toList();
  }

  /** Removes trailing blanks, because Phoenix pads a CHAR that is read from an index. */
  static List<List<Object>> stripped(List<List<Object>> rows) {
    List<List<Object>> stripped = new ArrayList<>();
    for (List<Object> row : rows) {
      List<Object> values = new ArrayList<>();
      for (Object value : row) {
        values.add(value instanceof String text ? text.stripTrailing() : value);
      }
      stripped.add(values);
    }
    return stripped;
  }
}
