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
package io.phoenixpruning.perf.bench;

import io.phoenixpruning.perf.harness.cluster.Turn;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Statements of {@link PlainBench}. In their text, {@code %1$s} is the table that is read and
 * {@code %2$s} the table that is written. {@code %3$d} is a tenth of the number of values of K1.
 */
enum PlainOperation {
  COUNT(1, "SELECT COUNT(*) FROM %1$s"),
  MIN_AND_MAX(1, "SELECT MIN(V2), MAX(V2) FROM %1$s"),
  FILTERED_COUNT(1, "SELECT COUNT(*) FROM %1$s WHERE V2 = ?", Parameter.V2),
  CASE(1, "SELECT SUM(CASE WHEN V2 < 3 THEN 1 WHEN V2 < 6 THEN 2 ELSE 3 END) FROM %1$s"),
  GROUP_BY(1, "SELECT V2, COUNT(*), SUM(V1) FROM %1$s GROUP BY V2"),
  TOP_N(1, "SELECT K1, K2, V1 FROM %1$s ORDER BY V1, K1, K2 LIMIT 10"),
  ROWS(1, "SELECT K1, K2, V1, V2, NAME FROM %1$s WHERE K1 < %3$d"),
  RANGE_OF_10_ROWS(
      100, "SELECT V1, V2 FROM %1$s WHERE K1 = ? AND K2 BETWEEN 10 AND 19", Parameter.K1),
  SKIP_SCAN_OF_RANGES(
      20,
      "SELECT /*+ SKIP_SCAN */ V1 FROM %1$s WHERE K1 BETWEEN 10 AND 14 + ? AND K2 BETWEEN 10 AND"
          + " 14",
      Parameter.V2),
  SKIP_SCAN_OF_KEYS(
      50,
      "SELECT V1 FROM %1$s WHERE K1 IN (?, ?, ?, ?) AND K2 BETWEEN 10 AND 14",
      Parameter.K1,
      Parameter.K1,
      Parameter.K1,
      Parameter.K1),
  IN_LIST(50, "SELECT V1 FROM %1$s WHERE K1 = ? AND K2 IN (" + numbers(2, 40) + ")", Parameter.K1),
  POINT_GET(200, "SELECT V1, V2 FROM %1$s WHERE K1 = ? AND K2 = ?", Parameter.K1, Parameter.K2),
  LOOKUP_BY_VALUE(10, "SELECT V2 FROM %1$s WHERE V1 = ?", Parameter.V1) {
    @Override
    boolean isFor(PlainTable table) {
      return table == PlainTable.INDEXED;
    }
  },
  HASH_JOIN(
      1,
      "SELECT COUNT(*) FROM %1$s AS T JOIN PLAIN_GROUPS AS G ON T.V2 = G.ID WHERE T.K1 < %3$d AND"
          + " G.KIND = 1"),
  COMPILING(
      200,
      Turn.Kind.COMPILE,
      "SELECT K2, V1 FROM %1$s WHERE K1 = ? AND V2 > ?",
      Parameter.K1,
      Parameter.V2),
  COMPILING_IN_LIST(
      100,
      Turn.Kind.COMPILE,
      "SELECT V1 FROM %1$s WHERE K1 = ? AND K2 IN (" + numbers(1, 50) + ")",
      Parameter.K1),
  UPSERT_BATCHED(
      1000,
      Turn.Kind.UPDATE,
      "UPSERT INTO %2$s (K1, K2, V1, V2) VALUES (?, -1, ?, ?)",
      Parameter.NUMBER,
      Parameter.V1,
      Parameter.V2),
  UPSERT_SINGLE(
      50,
      Turn.Kind.UPDATE,
      "UPSERT INTO %2$s (K1, K2, V1, V2) VALUES (?, -2, ?, ?)",
      Parameter.NUMBER,
      Parameter.V1,
      Parameter.V2),
  UPSERT_SELECT(
      5,
      Turn.Kind.UPDATE,
      "UPSERT INTO %2$s (K1, K2, V1, V2) SELECT K1 + ?, K2, V1, V2 FROM %1$s WHERE K1 = 0",
      Parameter.NUMBER),
  /** Deletes the rows that {@link #UPSERT_SELECT} has written. */
  DELETE(5, Turn.Kind.UPDATE, "DELETE FROM %2$s WHERE K1 = ?", Parameter.NUMBER);

  /** Number of rows with the same value of K1. */
  static final int K2_VALUES = 100;

  static final int V1_VALUES = 1_000;
  static final int V2_VALUES = 10;

  private static final int BATCH = 500;

  /** Values of a parameter. */
  private enum Parameter {
    NUMBER,
    K1,
    K2,
    V1,
    V2;

    /**
     * Returns the exclusive bound of random values, or 0 if the value is the number of the
     * execution.
     */
    int bound(int rows) {
      return switch (this) {
        case NUMBER -> 0;
        case K1 -> rows / K2_VALUES;
        case K2 -> K2_VALUES;
        case V1 -> V1_VALUES;
        case V2 -> V2_VALUES;
      };
    }
  }

  private final int executions;
  private final Turn.Kind kind;
  private final String sql;

  @SuppressWarnings("ImmutableEnumChecker") // List.of()
  private final List<Parameter> parameters;

  PlainOperation(int executions, String sql, Parameter... parameters) {
    this(executions, Turn.Kind.QUERY, sql, parameters);
  }

  PlainOperation(int executions, Turn.Kind kind, String sql, Parameter... parameters) {
    this.executions = executions;
    this.kind = kind;
    this.sql = sql;
    this.parameters = List.of(parameters);
  }

  /** Returns {@code count} numbers from 0, in steps of {@code step}. */
  private static String numbers(int step, int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> Integer.toString(i * step))
        .collect(Collectors.joining(", "));
  }

  String title() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  Turn.Kind kind() {
    return kind;
  }

  /** Returns the number of executions of the statement in a turn. */
  int executions() {
    return executions;
  }

  /** Returns the number of executions per commit. */
  int executionsOfCommit() {
    return this == UPSERT_BATCHED ? BATCH : 1;
  }

  /**
   * Returns whether each execution is committed separately, on the server if Phoenix can do that.
   */
  boolean isAutoCommit() {
    return this == UPSERT_SELECT || this == DELETE;
  }

  boolean isFor(PlainTable table) {
    return true;
  }

  /**
   * Returns the SQL text. If the statement reads only a part of the rows, it reads the rows with K1
   * below {@code k1}.
   */
  String sql(PlainTable table, int k1) {
    return sql.formatted(table.tableName(), table.writtenTableName(), k1);
  }

  /** Returns the bounds of the parameters, as {@code QueryClientMXBean#turn} takes them. */
  int[] bounds(int rows) {
    return parameters.stream().mapToInt(parameter -> parameter.bound(rows)).toArray();
  }

  /** Returns all operations for {@code table}, in the order in which they are executed. */
  static List<PlainOperation> of(PlainTable table) {
    return Arrays.stream(values()).filter(operation -> operation.isFor(table)).toList();
  }
}
