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
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A condition on the columns of a row: its SQL, its parameter values, and its expected result.
 *
 * @param evaluator returns the expected truth value for the values of a row
 */
record KeyCondition(String sql, List<Object> binds, Function<List<Object>, Truth> evaluator) {

  static final List<String> OPERATORS = List.of("=", "<", "<=", ">", ">=", "<>");

  /** A constant in the text of a statement. */
  record Constant(Object value, String sql, List<Object> binds) {}

  static KeyCondition compare(RandomKeyColumn column, String operator, Constant constant) {
    return new KeyCondition(
        column.name() + " " + operator + " " + constant.sql(),
        constant.binds(),
        row -> compare(row.get(column.position()), operator, constant.value()));
  }

  static KeyCondition isNull(RandomKeyColumn column, boolean isNull) {
    return new KeyCondition(
        column.name() + (isNull ? " IS NULL" : " IS NOT NULL"),
        List.of(),
        row -> Truth.of((row.get(column.position()) == null) == isNull));
  }

  static KeyCondition in(RandomKeyColumn column, boolean negated, List<Constant> constants) {
    Function<List<Object>, Truth> in =
        row ->
            constants.stream()
                .map(each -> compare(row.get(column.position()), "=", each.value()))
                .reduce(Truth.FALSE, Truth::or);
    return new KeyCondition(
        column.name() + (negated ? " NOT IN " : " IN ") + list(constants),
        binds(constants),
        negated ? row -> in.apply(row).not() : in);
  }

  static KeyCondition between(RandomKeyColumn column, Constant from, Constant to) {
    return new KeyCondition(
        column.name() + " BETWEEN " + from.sql() + " AND " + to.sql(),
        binds(List.of(from, to)),
        row -> {
          Object value = row.get(column.position());
          return compare(value, ">=", from.value()).and(compare(value, "<=", to.value()));
        });
  }

  static KeyCondition rowValue(
      List<RandomKeyColumn> columns, String operator, List<Constant> constants) {
    return new KeyCondition(
        names(columns) + " " + operator + " " + list(constants),
        binds(constants),
        row -> rowValue(row, columns, operator, constants));
  }

  static KeyCondition rowIn(List<RandomKeyColumn> columns, List<List<Constant>> rowValues) {
    return new KeyCondition(
        names(columns)
            + " IN ("
            + rowValues.stream().map(KeyCondition::list).collect(Collectors.joining(", "))
            + ")",
        rowValues.stream().flatMap(each -> binds(each).stream()).toList(),
        row ->
            rowValues.stream()
                .map(each -> rowValue(row, columns, "=", each))
                .reduce(Truth.FALSE, Truth::or));
  }

  /** Returns {@code K1 LIKE 'a%'}. */
  static KeyCondition like(RandomKeyColumn column, boolean negated, String prefix) {
    return new KeyCondition(
        column.name() + (negated ? " NOT LIKE '" : " LIKE '") + prefix + "%'",
        List.of(),
        row -> {
          Object value = row.get(column.position());
          return value == null
              ? Truth.NULL
              : Truth.of(((String) value).startsWith(prefix) != negated);
        });
  }

  static KeyCondition function(KeyFunction function, String operator, Constant constant) {
    return new KeyCondition(
        function.sql() + " " + operator + " " + constant.sql(),
        constant.binds(),
        row -> compare(function.evaluator().apply(row), operator, constant.value()));
  }

  static KeyCondition compare(RandomKeyColumn one, String operator, RandomKeyColumn other) {
    return new KeyCondition(
        one.name() + " " + operator + " " + other.name(),
        List.of(),
        row -> {
          Object value = row.get(other.position());
          return value == null ? Truth.NULL : compare(row.get(one.position()), operator, value);
        });
  }

  /** Returns {@code CASE WHEN ... THEN 1 ELSE 0 END = 1}. */
  static KeyCondition caseWhen(KeyCondition condition) {
    return new KeyCondition(
        "CASE WHEN " + condition.sql + " THEN 1 ELSE 0 END = 1",
        condition.binds,
        row -> condition.evaluator.apply(row).nullAsFalse());
  }

  /** Returns {@code K1 > ANY (ARRAY[1, 2])}, or ALL. */
  static KeyCondition array(
      RandomKeyColumn column, String operator, boolean all, List<Constant> constants) {
    return new KeyCondition(
        column.name()
            + " "
            + operator
            + (all ? " ALL (ARRAY[" : " ANY (ARRAY[")
            + constants.stream().map(Constant::sql).collect(Collectors.joining(", "))
            + "])",
        binds(constants),
        row ->
            constants.stream()
                .map(each -> compare(row.get(column.position()), operator, each.value()))
                .reduce(all ? Truth.TRUE : Truth.FALSE, all ? Truth::and : Truth::or));
  }

  static KeyCondition join(String operator, KeyCondition one, KeyCondition other) {
    List<Object> binds = new ArrayList<>(one.binds);
    binds.addAll(other.binds);
    return new KeyCondition(
        "(" + one.sql + " " + operator + " " + other.sql + ")",
        binds,
        operator.equals("AND")
            ? row -> one.evaluator.apply(row).and(other.evaluator.apply(row))
            : row -> one.evaluator.apply(row).or(other.evaluator.apply(row)));
  }

  static KeyCondition not(KeyCondition condition) {
    return new KeyCondition(
        "NOT (" + condition.sql + ")",
        condition.binds,
        row -> condition.evaluator.apply(row).not());
  }

  private static String names(List<RandomKeyColumn> columns) {
    return columns.stream().map(RandomKeyColumn::name).collect(Collectors.joining(", ", "(", ")"));
  }

  private static String list(List<Constant> constants) {
    return constants.stream().map(Constant::sql).collect(Collectors.joining(", ", "(", ")"));
  }

  private static List<Object> binds(List<Constant> constants) {
    return constants.stream().flatMap(constant -> constant.binds().stream()).toList();
  }

  /** Evaluates a comparison of row values. Phoenix orders nulls in row values, but SQL does not. */
  private static Truth rowValue(
      List<Object> row, List<RandomKeyColumn> columns, String operator, List<Constant> constants) {
    boolean equal = operator.equals("=");
    boolean hasNull = false;
    for (int i = 0; i < columns.size(); i++) {
      Object value = row.get(columns.get(i).position());
      if (value == null && !equal) {
        return Truth.NULL_OR_ANY;
      }
      hasNull |= value == null;
      int order = value == null ? 0 : KeyType.compare(value, constants.get(i).value());
      if (order != 0) {
        return Truth.of(isTrue(order, operator));
      }
    }
    return hasNull ? Truth.NULL_OR_FALSE : Truth.of(isTrue(0, operator));
  }

  private static Truth compare(Object one, String operator, Object other) {
    return one == null ? Truth.NULL : Truth.of(isTrue(KeyType.compare(one, other), operator));
  }

  private static boolean isTrue(int order, String operator) {
    return switch (operator) {
      case "=" -> order == 0;
      case "<>" -> order != 0;
      case "<" -> order < 0;
      case "<=" -> order <= 0;
      case ">" -> order > 0;
      default -> order >= 0;
    };
  }
}
