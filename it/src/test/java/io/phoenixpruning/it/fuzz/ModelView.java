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
package io.phoenixpruning.it.fuzz;

import java.util.ArrayList;
import java.util.List;

/**
 * A view.
 *
 * @param parent the table or a view
 * @param fixed column that the view compares with a constant; null for a view without WHERE
 * @param value the constant
 * @param added columns that the parent does not have
 */
record ModelView(String name, String parent, Column fixed, Object value, List<Column> added) {

  ModelView with(Column column) {
    List<Column> all = new ArrayList<>(added);
    all.add(column);
    return new ModelView(name, parent, fixed, value, all);
  }

  String ddl() {
    return "CREATE VIEW "
        + name
        + (added.isEmpty()
            ? ""
            : " (" + String.join(", ", added.stream().map(Column::ddl).toList()) + ")")
        + " AS SELECT * FROM "
        + parent
        + (fixed == null
            ? ""
            : " WHERE " + fixed.name() + " = " + new TypedValue(fixed.type(), value).literal());
  }
}
