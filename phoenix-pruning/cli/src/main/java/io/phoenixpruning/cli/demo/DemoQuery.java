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
 * @param title kind of the query, for people
 * @param columns selected columns
 * @param fromClause text after the columns, beginning with {@code FROM}
 * @param index name of the local index that the query can use
 * @param ordered whether the query defines the order of the rows
 */
record DemoQuery(String title, String columns, String fromClause, String index, boolean ordered) {

  /** Returns the SQL that reads the index. */
  String indexSql() {
    return "SELECT /*+ INDEX(LINEITEM " + index + ") */ " + columns + " " + fromClause;
  }

  /** Returns the SQL that reads only the data table. */
  String dataTableSql() {
    return "SELECT /*+ NO_INDEX */ " + columns + " " + fromClause;
  }

  /** Returns the conditions of the query, by which people can distinguish the queries. */
  String conditions() {
    return fromClause
        .replaceFirst("(?s).*? WHERE ", "")
        .replaceFirst("(?s) (GROUP|ORDER) BY .*", "");
  }
}
