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
package io.phoenixpruning.cli.demo;

/**
 * A query that can use a local index.
 *
 * @param title for people, what kind of query it is
 * @param columns what it selects
 * @param rest all that follows the columns, from {@code FROM} on
 * @param index the local index that it can use
 * @param ordered whether it says in which order the rows are
 */
record DemoQuery(String title, String columns, String rest, String index, boolean ordered) {

  /** The SQL that answers through the index. */
  String throughIndex() {
    return "SELECT /*+ INDEX(LINEITEM " + index + ") */ " + columns + " " + rest;
  }

  /** The SQL that answers from the data table. */
  String fromDataTable() {
    return "SELECT /*+ NO_INDEX */ " + columns + " " + rest;
  }

  /** For people, what tells it from the others: the conditions. */
  String conditions() {
    return rest.replaceFirst("(?s).*? WHERE ", "").replaceFirst("(?s) (GROUP|ORDER) BY .*", "");
  }
}
