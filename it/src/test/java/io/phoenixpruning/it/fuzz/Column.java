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

/**
 * A column of a random table.
 *
 * @param family null for key columns, and for values in the default family
 */
record Column(
    String name, ValueType type, boolean key, boolean nullable, boolean descending, String family) {

  static Column key(String name, ValueType type, boolean nullable, boolean descending) {
    return new Column(name, type, true, nullable, descending, null);
  }

  static Column value(String name, ValueType type, String family) {
    return new Column(name, type, false, true, false, family);
  }

  String ddl() {
    return (family == null ? "" : family + ".")
        + name
        + " "
        + type.ddl
        + (nullable ? "" : " NOT NULL");
  }
}
