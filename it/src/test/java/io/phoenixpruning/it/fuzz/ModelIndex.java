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
import java.util.Set;

/**
 * A local index.
 *
 * @param relation the table or the view
 * @param parts indexed expressions
 * @param indexed columns of the expressions
 * @param included columns of INCLUDE
 */
record ModelIndex(
    String name, String relation, List<String> parts, Set<String> indexed, List<String> included) {

  String ddl() {
    return "CREATE LOCAL INDEX "
        + name
        + " ON "
        + relation
        + " ("
        + String.join(", ", parts)
        + ")"
        + (included.isEmpty() ? "" : " INCLUDE (" + String.join(", ", included) + ")");
  }

  boolean reads(String column) {
    return indexed.contains(column) || included.contains(column);
  }

  /** Returns the index after a column was dropped that it does not index. */
  ModelIndex without(String column) {
    List<String> others = new ArrayList<>(included);
    others.remove(column);
    return new ModelIndex(name, relation, parts, indexed, others);
  }
}
