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
package org.apache.phoenix.pruning.prune;

import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Condition on the columns A, B and C of a row, as SQL and as a function of the column values. The
 * function returns true, false, or null for SQL NULL.
 */
record RowCondition(String sql, Function<Object[], Boolean> of) {

  static final List<String> NAMES = List.of("A", "B", "C");
  static final List<String> OPERATORS = List.of("=", "<", "<=", ">", ">=");

  boolean hasRowValues() {
    return sql.contains("(A,") || sql.contains("(B,");
  }

  static RowCondition compare(int column, String operator, Object value) {
    return new RowCondition(
        NAMES.get(column) + " " + operator + " " + literal(value),
        row -> compareValues(row[column], operator, value));
  }

  static RowCondition isNull(int column, boolean isNull) {
    return new RowCondition(
        NAMES.get(column) + (isNull ? " IS NULL" : " IS NOT NULL"),
        row -> (row[column] == null) == isNull);
  }

  static RowCondition in(int column, Object... values) {
    return new RowCondition(
        NAMES.get(column) + " IN " + literals(values),
        row -> row[column] == null ? null : (Boolean) Arrays.asList(values).contains(row[column]));
  }

  static RowCondition between(int column, Object from, Object to) {
    return new RowCondition(
        NAMES.get(column) + " BETWEEN " + literal(from) + " AND " + literal(to),
        row -> and(compareValues(row[column], ">=", from), compareValues(row[column], "<=", to)));
  }

  static RowCondition prefixIn(int column, int length, Object... values) {
    return new RowCondition(
        "SUBSTR(" + NAMES.get(column) + ", 1, " + length + ") IN " + literals(values),
        row -> {
          String value = (String) row[column];
          return Arrays.asList(values)
              .contains(value.substring(0, Math.min(length, value.length())));
        });
  }

  static RowCondition rowValue(String operator, int from, Object... values) {
    return new RowCondition(
        "("
            + String.join(",", NAMES.subList(from, from + values.length))
            + ") "
            + operator
            + " "
            + literals(values),
        row -> rowValue(row, operator, from, values));
  }

  private static Boolean rowValue(Object[] row, String operator, int from, Object[] values) {
    for (int i = 0; i < values.length; i++) {
      Boolean isSame = compareValues(row[from + i], "=", values[i]);
      if (isSame == null) {
        return null;
      }
      if (!isSame) {
        return compareValues(row[from + i], operator, values[i]);
      }
    }
    return operator.contains("=");
  }

  /**
   * Returns an IN condition on row values.
   *
   * @param from index of the first column in a row value
   * @param columns number of columns in a row value
   * @param values values of all row values, one row value after the other
   */
  static RowCondition rowIn(int from, int columns, Object... values) {
    List<RowCondition> each =
        IntStream.range(0, values.length / columns)
            .mapToObj(i -> Arrays.copyOfRange(values, i * columns, (i + 1) * columns))
            .map(value -> rowValue("=", from, value))
            .toList();
    return new RowCondition(
        each.stream()
            .map(equal -> equal.sql().substring(equal.sql().indexOf("= ") + 2))
            .collect(
                Collectors.joining(
                    ", ",
                    "(" + String.join(",", NAMES.subList(from, from + columns)) + ") IN (",
                    ")")),
        each.stream().reduce(RowCondition::or).orElseThrow().of());
  }

  static RowCondition equalColumns(int column, int other) {
    return new RowCondition(
        NAMES.get(column) + " = " + NAMES.get(other),
        row -> row[other] == null ? null : compareValues(row[column], "=", row[other]));
  }

  static RowCondition not(RowCondition of) {
    return new RowCondition("NOT (" + of.sql() + ")", row -> not(of.of().apply(row)));
  }

  static RowCondition and(RowCondition one, RowCondition other) {
    return new RowCondition(
        "(" + one.sql() + " AND " + other.sql() + ")",
        row -> and(one.of().apply(row), other.of().apply(row)));
  }

  static RowCondition or(RowCondition one, RowCondition other) {
    return new RowCondition(
        "(" + one.sql() + " OR " + other.sql() + ")",
        row -> not(and(not(one.of().apply(row)), not(other.of().apply(row)))));
  }

  private static Boolean and(Boolean one, Boolean other) {
    if (Boolean.FALSE.equals(one) || Boolean.FALSE.equals(other)) {
      return false;
    }
    return one == null || other == null ? null : (Boolean) true;
  }

  private static Boolean not(Boolean value) {
    return value == null ? null : (Boolean) !value;
  }

  private static Boolean compareValues(Object one, String operator, Object other) {
    if (one == null) {
      return null;
    }
    int order =
        one instanceof String
            ? ((String) one).compareTo((String) other)
            : ((Integer) one).compareTo((Integer) other);
    return switch (operator) {
      case "=" -> order == 0;
      case "<" -> order < 0;
      case "<=" -> order <= 0;
      case ">" -> order > 0;
      default -> order >= 0;
    };
  }

  private static String literals(Object... values) {
    return Arrays.stream(values)
        .map(RowCondition::literal)
        .collect(Collectors.joining(", ", "(", ")"));
  }

  private static String literal(Object value) {
    return value instanceof String ? "'" + value + "'" : value.toString();
  }
}
