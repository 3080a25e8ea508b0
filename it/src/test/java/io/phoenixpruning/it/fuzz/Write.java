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
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/** A statement that writes. */
sealed interface Write {

  /** Returns the kind of statement, for the report. */
  String kind();

  String relation();

  /** Returns the text, with parameters. */
  String sql();

  /** Returns the parameters of each execution. */
  List<List<TypedValue>> executions();

  /** Applies one execution to the rows in memory. */
  void apply(PendingCommit commit, int execution);

  /** Returns the columns that the statement names. */
  Set<String> columns();

  /** Returns whether the table has all relations and columns that the statement names. */
  default boolean isDefined(ModelTable table) {
    return table.hasRelation(relation())
        && table.columns(relation()).stream()
            .map(Column::name)
            .collect(Collectors.toSet())
            .containsAll(columns());
  }

  /** Returns the statement of each execution, with literals. */
  default List<String> literal() {
    List<String> statements = new ArrayList<>();
    for (List<TypedValue> binds : executions()) {
      StringBuilder text = new StringBuilder();
      String[] parts = sql().split("\\?", -1);
      for (int i = 0; i < parts.length; i++) {
        text.append(parts[i]).append(i < binds.size() ? binds.get(i).literal() : "");
      }
      statements.add(text.toString());
    }
    return statements;
  }

  /**
   * UPSERT VALUES, which may run several times with other values.
   *
   * @param duplicate assignments of ON DUPLICATE KEY UPDATE; empty for IGNORE, and null without ON
   *     DUPLICATE KEY
   */
  record Upsert(
      String relation,
      List<Column> named,
      List<List<TypedValue>> executions,
      Map<String, RowExpression> duplicate)
      implements Write {

    @Override
    public String kind() {
      return "UPSERT VALUES"
          + (duplicate == null ? "" : duplicate.isEmpty() ? " IGNORE" : " UPDATE");
    }

    @Override
    public String sql() {
      return "UPSERT INTO "
          + relation
          + " ("
          + named.stream().map(Column::name).collect(Collectors.joining(", "))
          + ") VALUES ("
          + String.join(", ", Collections.nCopies(named.size(), "?"))
          + ")"
          + (duplicate == null
              ? ""
              : duplicate.isEmpty()
                  ? " ON DUPLICATE KEY IGNORE"
                  : " ON DUPLICATE KEY UPDATE "
                      + duplicate.entrySet().stream()
                          .map(each -> each.getKey() + " = " + each.getValue().sql())
                          .collect(Collectors.joining(", ")));
    }

    @Override
    public Set<String> columns() {
      Set<String> columns = new LinkedHashSet<>();
      named.forEach(column -> columns.add(column.name()));
      if (duplicate != null) {
        columns.addAll(duplicate.keySet());
        duplicate.values().forEach(value -> columns.addAll(value.columns()));
      }
      return columns;
    }

    @Override
    public void apply(PendingCommit commit, int execution) {
      Map<String, Object> values = new HashMap<>(commit.table().fixed(relation));
      for (int i = 0; i < named.size(); i++) {
        values.put(named.get(i).name(), executions.get(execution).get(i).value());
      }
      List<Object> key = commit.table().key(values);
      Map<String, Object> before = commit.row(key);
      Map<String, Object> after = new HashMap<>(before == null ? Map.of() : before);
      if (before == null || duplicate == null) {
        after.putAll(values);
      } else {
        duplicate.forEach((column, value) -> after.put(column, value.of(before)));
      }
      commit.write(relation, key, after);
    }
  }

  /** DELETE. */
  record Delete(String relation, String hint, RowExpression condition) implements Write {

    @Override
    public String kind() {
      return isByKey() ? "DELETE by key" : "DELETE by condition";
    }

    private boolean isByKey() {
      return condition.columns().stream().allMatch(column -> column.startsWith("K"));
    }

    @Override
    public String sql() {
      return "DELETE " + hint + "FROM " + relation + condition.where();
    }

    @Override
    public List<List<TypedValue>> executions() {
      return List.of(condition.binds());
    }

    @Override
    public Set<String> columns() {
      return condition.columns();
    }

    @Override
    public void apply(PendingCommit commit, int execution) {
      // A DELETE of one key does not read. Then a row that this commit has written is deleted, too.
      for (List<Object> key : commit.writtenKeys()) {
        if (!Objects.equals(
            matches(commit, commit.committed().get(key)), matches(commit, commit.row(key)))) {
          commit.reject("a row matches a DELETE before or after the same commit only");
        }
      }
      commit
          .committed()
          .forEach(
              (key, row) -> {
                if (matches(commit, row)) {
                  commit.write(relation, key, null);
                }
              });
      if (isByKey()) {
        commit.deleteKeys(relation, condition);
      }
    }

    private boolean matches(PendingCommit commit, Map<String, Object> row) {
      return row != null && commit.table().contains(relation, row) && condition.isTrue(row);
    }
  }

  /**
   * UPSERT SELECT.
   *
   * @param selected expression of each target column, in the order of the statement
   */
  record UpsertSelect(
      String relation,
      String source,
      String hint,
      LinkedHashMap<String, RowExpression> selected,
      RowExpression condition)
      implements Write {

    @Override
    public String kind() {
      return "UPSERT SELECT" + (source.equals(relation) ? "" : " from another relation");
    }

    @Override
    public String sql() {
      return "UPSERT "
          + hint
          + "INTO "
          + relation
          + " ("
          + String.join(", ", selected.keySet())
          + ") SELECT "
          + selected.values().stream().map(RowExpression::sql).collect(Collectors.joining(", "))
          + " FROM "
          + source
          + condition.where();
    }

    @Override
    public List<List<TypedValue>> executions() {
      return List.of(condition.binds());
    }

    @Override
    public Set<String> columns() {
      return selected.keySet();
    }

    @Override
    public boolean isDefined(ModelTable table) {
      return Write.super.isDefined(table)
          && table.hasRelation(source)
          && table.columns(source).stream()
              .map(Column::name)
              .collect(Collectors.toSet())
              .containsAll(read());
    }

    /** Returns the columns of the source that the statement reads. */
    private Set<String> read() {
      Set<String> read = new LinkedHashSet<>(condition.columns());
      selected.values().forEach(value -> read.addAll(value.columns()));
      return read;
    }

    /** Returns whether a second execution changes no rows. */
    boolean isRepeatable() {
      Set<String> changed = new LinkedHashSet<>();
      selected.forEach(
          (column, value) -> {
            if (!value.sql().equals(column)) {
              changed.add(column);
            }
          });
      return Collections.disjoint(changed, read());
    }

    @Override
    public void apply(PendingCommit commit, int execution) {
      ModelTable table = commit.table();
      Set<List<Object>> written = new LinkedHashSet<>();
      for (Map<String, Object> row : commit.committed().values()) {
        if (!table.contains(source, row) || !condition.isTrue(row)) {
          continue;
        }
        Map<String, Object> values = new HashMap<>(table.fixed(relation));
        selected.forEach((column, value) -> values.put(column, value.of(row)));
        List<Object> key = table.key(values);
        if (!written.add(key)) {
          commit.reject("an UPSERT SELECT writes a row twice");
        }
        Map<String, Object> before = commit.row(key);
        Map<String, Object> after = new HashMap<>(before == null ? Map.of() : before);
        after.putAll(values);
        commit.write(relation, key, after);
      }
    }
  }
}
