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
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A table with its rows. Its columns are the key columns K1, K2, ..., an INTEGER V, a VARCHAR W and
 * a DATE U.
 *
 * @param properties the table properties in CREATE TABLE
 * @param index the statement that creates the index, or null if the table has none
 * @param viewFrom the smallest V in the view of the table, or null if the table has no view
 * @param boundaries number of regions that start with the key of a row
 * @param statistics whether the table has guideposts
 * @param partners the rows of the table to join with: ID, an INTEGER X and a DATE Y
 */
record KeyTable(
    String name,
    List<RandomKeyColumn> keys,
    String properties,
    String index,
    Integer viewFrom,
    int boundaries,
    boolean statistics,
    List<List<Object>> rows,
    List<List<Object>> partners) {

  static final KeyType V = KeyType.INTEGER;
  static final KeyType W = KeyType.VARCHAR;
  static final KeyType U = KeyType.DATE;

  RandomKeyColumn v() {
    return new RandomKeyColumn("V", V, true, false, keys.size());
  }

  RandomKeyColumn w() {
    return new RandomKeyColumn("W", W, true, false, keys.size() + 1);
  }

  RandomKeyColumn u() {
    return new RandomKeyColumn("U", U, true, false, keys.size() + 2);
  }

  List<RandomKeyColumn> columns() {
    List<RandomKeyColumn> columns = new ArrayList<>(keys);
    columns.add(v());
    columns.add(w());
    columns.add(u());
    return columns;
  }

  String keyNames() {
    return keys.stream().map(RandomKeyColumn::name).collect(Collectors.joining(", "));
  }

  String partner() {
    return name + "_D";
  }

  String view() {
    return name + "_W";
  }

  String indexName() {
    return name + "_I";
  }

  boolean isImmutable() {
    return properties.contains("IMMUTABLE_ROWS=true");
  }

  boolean hasGlobalIndex() {
    return index != null && !index.contains("LOCAL");
  }

  /** Returns the HBase tables that its statements write to. */
  List<String> hbaseTables() {
    return hasGlobalIndex() ? List.of(name, indexName()) : List.of(name);
  }

  List<String> ddl() {
    List<String> statements = new ArrayList<>();
    statements.add(
        "CREATE TABLE "
            + name
            + " ("
            + columns().stream().map(RandomKeyColumn::ddl).collect(Collectors.joining(", "))
            + " CONSTRAINT PK PRIMARY KEY ("
            + keys.stream()
                .map(key -> key.name() + (key.descending() ? " DESC" : ""))
                .collect(Collectors.joining(", "))
            + "))"
            + properties);
    statements.add("CREATE TABLE " + partner() + " (ID INTEGER PRIMARY KEY, X INTEGER, Y DATE)");
    if (index != null) {
      statements.add(index);
    }
    if (viewFrom != null) {
      statements.add(
          "CREATE VIEW " + view() + " AS SELECT * FROM " + name + " WHERE V >= " + viewFrom);
    }
    return statements;
  }

  List<String> drop() {
    return List.of("DROP TABLE " + name + " CASCADE", "DROP TABLE " + partner());
  }

  String selectAll() {
    return "SELECT /*+ NO_INDEX */ "
        + columns().stream().map(RandomKeyColumn::name).collect(Collectors.joining(", "))
        + " FROM "
        + name;
  }

  String upsert() {
    return "UPSERT INTO "
        + name
        + " VALUES ("
        + String.join(", ", Collections.nCopies(columns().size(), "?"))
        + ")";
  }

  List<Object> jdbc(List<Object> row) {
    List<Object> values = new ArrayList<>();
    for (RandomKeyColumn column : columns()) {
      values.add(column.type().toJdbc(row.get(column.position())));
    }
    return values;
  }

  List<List<Object>> jdbcOfPartners() {
    List<List<Object>> jdbc = new ArrayList<>();
    for (List<Object> partner : partners) {
      List<Object> values = new ArrayList<>();
      values.add(KeyType.INTEGER.toJdbc(partner.get(0)));
      values.add(KeyType.INTEGER.toJdbc(partner.get(1)));
      values.add(U.toJdbc(partner.get(2)));
      jdbc.add(values);
    }
    return jdbc;
  }

  List<Object> keyOf(List<Object> row) {
    return row.subList(0, keys.size());
  }

  @Override
  public String toString() {
    return String.join(";\n", ddl())
        + ";\n"
        + boundaries
        + " boundaries at row keys"
        + (statistics ? ", guideposts" : "")
        + ", rows to join with: "
        + partners
        + ", "
        + rows.size()
        + " rows"
        + (rows.size() > 80
            ? ""
            : ":\n" + rows.stream().map(List::toString).collect(Collectors.joining("\n")));
  }
}
