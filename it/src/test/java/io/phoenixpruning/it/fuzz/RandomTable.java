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

import static java.util.stream.Collectors.toSet;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.calcite.avatica.util.ByteString;

/**
 * A table with its local indexes, views, regions and rows. Names begin with {@code $}, which {@link
 * #name} replaces, so that one table can be created many times.
 *
 * @param properties properties of CREATE TABLE
 * @param indexes definitions of the local indexes {@code $I0}, {@code $I1}, ...
 * @param view number of key columns that the view {@code $W} fixes, to their values in the first
 *     row; 0 for no view
 * @param tenant whether the first column is the tenant ID. If so, the view {@code $V} belongs to
 *     one tenant and has an index {@code $Y}
 * @param splits boundaries, which may be any bytes; null before they are chosen
 * @param statistics whether statistics are collected
 * @param verified whether mode exact also reads the regions that are not planned, and compares
 * @param rows values in the order of the columns
 * @param partners rows of {@code $D}, whose columns have the types of two columns of the table
 */
record RandomTable(
    List<Column> columns,
    String properties,
    int saltBuckets,
    List<String> indexes,
    int view,
    boolean tenant,
    List<ByteString> splits,
    boolean statistics,
    boolean verified,
    List<List<Object>> rows,
    List<Column> partnerColumns,
    List<List<Object>> partners) {

  private static final Pattern WORD = Pattern.compile("\\w+");

  static final String TENANT = "b";

  RandomTable withSplits(List<ByteString> newSplits) {
    return with(columns, indexes, newSplits, statistics, rows);
  }

  RandomTable withRows(List<List<Object>> newRows) {
    return with(columns, indexes, splits, statistics, newRows);
  }

  RandomTable withoutStatistics() {
    return with(columns, indexes, splits, false, rows);
  }

  /** Returns this table with only one index, which is renamed to {@code $I0}. */
  RandomTable withOnlyIndex(int index) {
    return with(columns, List.of(indexes.get(index)), splits, statistics, rows);
  }

  /** Returns this table without a column of values, which no index may contain. */
  RandomTable withoutColumn(int column) {
    List<List<Object>> others = rows.stream().map(row -> without(row, column)).toList();
    return with(without(columns, column), indexes, splits, statistics, others);
  }

  private static <T> List<T> without(List<T> list, int index) {
    List<T> others = new ArrayList<>(list);
    others.remove(index);
    return others;
  }

  private RandomTable with(
      List<Column> newColumns,
      List<String> newIndexes,
      List<ByteString> newSplits,
      boolean newStatistics,
      List<List<Object>> newRows) {
    return new RandomTable(
        newColumns,
        properties,
        saltBuckets,
        newIndexes,
        view,
        tenant,
        newSplits,
        newStatistics,
        verified,
        newRows,
        partnerColumns,
        partners);
  }

  /**
   * Replaces the {@code $} in {@code text} to get the names of the table created with {@code
   * prefix}.
   */
  static String name(String text, String prefix) {
    return text.replace("$", prefix + "_");
  }

  List<Column> keys() {
    return columns.stream().filter(Column::key).collect(Collectors.toList());
  }

  String createTable() {
    return "CREATE TABLE $T ("
        + columns.stream().map(Column::ddl).collect(Collectors.joining(", "))
        + " CONSTRAINT PK PRIMARY KEY ("
        + keys().stream()
            .map(key -> key.name() + (key.descending() ? " DESC" : ""))
            .collect(Collectors.joining(", "))
        + "))"
        + properties;
  }

  List<String> createIndexes() {
    List<String> statements = new ArrayList<>();
    for (int i = 0; i < indexes.size(); i++) {
      statements.add("CREATE LOCAL INDEX $I" + i + " ON $T " + indexes.get(i));
    }
    return statements;
  }

  /** Returns the statements that create the view and its own index; empty if there is no view. */
  List<String> createView() {
    if (view == 0) {
      return List.of();
    }
    return List.of(
        "CREATE VIEW $W AS SELECT * FROM $T WHERE " + viewCondition().phoenix(),
        "CREATE LOCAL INDEX $X ON $W " + definition("$X"));
  }

  /** Returns the statements that create the tenant's view and its own index. */
  List<String> createTenantView() {
    return List.of(
        "CREATE VIEW $V AS SELECT * FROM $T", "CREATE LOCAL INDEX $Y ON $V " + definition("$Y"));
  }

  String createPartners() {
    return "CREATE TABLE $D (ID INTEGER PRIMARY KEY, "
        + partnerColumns.stream().map(Column::ddl).collect(Collectors.joining(", "))
        + ") IMMUTABLE_ROWS = true";
  }

  /** Returns the condition that fixes the view's key columns. */
  Sql viewCondition() {
    List<Sql> terms = new ArrayList<>();
    for (int i = 0; i < view; i++) {
      Column column = columns.get(i);
      terms.add(
          Sql.format(column.name() + " = {}", column.type().constant(rows.get(0).get(i), false)));
    }
    return Sql.join(" AND ", terms);
  }

  /** Returns the view or table through which a row is written. */
  String writtenThrough(List<Object> row) {
    if (tenant && TENANT.equals(row.get(0))) {
      return "$V";
    }
    return view > 0 && row.subList(0, view).equals(rows.get(0).subList(0, view)) ? "$W" : "$T";
  }

  /**
   * Returns whether an index has all columns that a query needs.
   *
   * @param query query in Calcite's dialect
   */
  boolean isCovered(String query, String index) {
    Set<String> words = WORD.matcher(query).results().map(MatchResult::group).collect(toSet());
    return values().stream()
        .map(Column::name)
        .filter(words::contains)
        .allMatch(name -> isCoveredColumn(name, index));
  }

  private boolean isCoveredColumn(String column, String index) {
    return definition(index)
        .replaceAll("UPPER\\(\\w+\\)|\\w+ \\+ 1", "")
        .matches(".*\\b" + column + "\\b.*");
  }

  /** Returns the definition of the index that a hint names. */
  String definition(String index) {
    return index.equals("$X") || index.equals("$Y")
        ? "(" + values().get(0).name() + ")"
        : indexes.get(index.charAt(index.length() - 1) - '0');
  }

  private List<Column> values() {
    return columns.subList(keys().size(), columns.size());
  }

  /** Returns the relation to join with. */
  Relation partnerRelation() {
    List<Column> all = new ArrayList<>(partnerColumns);
    all.add(0, Column.key("ID", ValueType.INTEGER, false, false));
    return new Relation("$D", all, List.of(), false, partners);
  }

  /** Returns the table and views that can be queried. */
  List<Relation> relations() {
    List<Relation> relations = new ArrayList<>();
    List<String> names = new ArrayList<>();
    for (int i = 0; i < indexes.size(); i++) {
      names.add("$I" + i);
    }
    relations.add(new Relation("$T", columns, names, false, rows));
    if (view > 0) {
      List<String> ofView = new ArrayList<>();
      ofView.add("$X");
      names.forEach(name -> ofView.add("$W#" + name));
      List<Object> constants = rows.get(0).subList(0, view);
      relations.add(
          new Relation(
              "$W",
              columns,
              ofView,
              false,
              rows.stream()
                  .filter(row -> row.subList(0, view).equals(constants))
                  .collect(Collectors.toList())));
    }
    if (tenant) {
      List<String> ofTenant = new ArrayList<>();
      ofTenant.add("$Y");
      names.forEach(name -> ofTenant.add("$V#" + name));
      relations.add(
          new Relation(
              "$V",
              columns.subList(1, columns.size()),
              ofTenant,
              true,
              rows.stream()
                  .filter(row -> TENANT.equals(row.get(0)))
                  .map(row -> row.subList(1, row.size()))
                  .collect(Collectors.toList())));
    }
    return relations;
  }

  /**
   * A table or view.
   *
   * @param indexes names of its indexes in hints
   * @param ofTenant whether it is queried through the tenant's connection
   */
  record Relation(
      String name,
      List<Column> columns,
      List<String> indexes,
      boolean ofTenant,
      List<List<Object>> rows) {}
}
