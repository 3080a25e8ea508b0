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
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * An expression or a condition, as SQL and as a function of a row.
 *
 * @param sql text with a {@code ?} for each of {@code binds}
 * @param columns names of the columns that the expression reads
 * @param function computes the value. The value of a condition is true, false, or null if it is
 *     unknown
 */
record RowExpression(
    String sql,
    List<TypedValue> binds,
    Set<String> columns,
    Function<Map<String, Object>, Object> function) {

  static RowExpression constant(TypedValue value) {
    return new RowExpression(value.literal(), List.of(), Set.of(), row -> value.value());
  }

  static RowExpression column(String name) {
    return new RowExpression(name, List.of(), Set.of(name), row -> row.get(name));
  }

  /** Returns a condition that all rows satisfy, without any SQL. */
  static RowExpression all() {
    return new RowExpression("", List.of(), Set.of(), row -> true);
  }

  /** Returns a condition that compares a column with a parameter. */
  static RowExpression equal(Column column, Object value) {
    return new RowExpression(
        column.name() + " = ?",
        List.of(new TypedValue(column.type(), value)),
        Set.of(column.name()),
        row -> row.get(column.name()) == null ? null : row.get(column.name()).equals(value));
  }

  static RowExpression isNull(Column column, boolean negated) {
    return new RowExpression(
        column.name() + (negated ? " IS NOT NULL" : " IS NULL"),
        List.of(),
        Set.of(column.name()),
        row -> (row.get(column.name()) == null) != negated);
  }

  RowExpression and(RowExpression other) {
    return joined(other, " AND ", false);
  }

  RowExpression or(RowExpression other) {
    return joined(other, " OR ", true);
  }

  /**
   * @param decisive value of one side that decides the value of the whole condition
   */
  private RowExpression joined(RowExpression other, String operator, boolean decisive) {
    List<TypedValue> allBinds = new ArrayList<>(binds);
    allBinds.addAll(other.binds);
    Set<String> allColumns = new TreeSet<>(columns);
    allColumns.addAll(other.columns);
    return new RowExpression(
        "(" + sql + operator + other.sql + ")",
        allBinds,
        allColumns,
        row -> {
          Object one = function.apply(row);
          Object two = other.function.apply(row);
          if (Objects.equals(one, decisive) || Objects.equals(two, decisive)) {
            return decisive;
          }
          return one == null || two == null ? null : !decisive;
        });
  }

  Object of(Map<String, Object> row) {
    return function.apply(row);
  }

  boolean isTrue(Map<String, Object> row) {
    return Boolean.TRUE.equals(function.apply(row));
  }

  /** Returns the WHERE clause of this condition, with a leading blank; empty for all rows. */
  String where() {
    return sql.isEmpty() ? "" : " WHERE " + sql;
  }
}
