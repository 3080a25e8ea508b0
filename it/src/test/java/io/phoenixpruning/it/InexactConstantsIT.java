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
package io.phoenixpruning.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.Assume.assumeTrue;

import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.pruning.config.PruningOptions;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameters;

/**
 * Compares columns of whole numbers with fractions, and with numbers outside the range of their
 * type. The test computes which rows match, because the data table has the same defects as an
 * index.
 */
@RunWith(Parameterized.class)
public class InexactConstantsIT extends ClusterTest {

  private static final List<String> OPERATORS = List.of("<", "<=", ">", ">=", "=", "<>");

  /** Values of the key column, except the least and the greatest value of the type. */
  private static final List<Long> SMALL = List.of(-57L, -3L, -2L, -1L, 0L, 1L, 2L, 3L, 57L);

  private final String type;
  private final long least;
  private final long greatest;
  private final String order;

  public InexactConstantsIT(String type, long least, long greatest, String order) {
    this.type = type;
    this.least = least;
    this.greatest = greatest;
    this.order = order;
  }

  @Parameters(name = "{0}{3}")
  public static List<Object[]> types() {
    List<Object[]> few =
        List.of(
            new Object[] {"TINYINT", Byte.MIN_VALUE, Byte.MAX_VALUE, " DESC"},
            new Object[] {"INTEGER", Integer.MIN_VALUE, Integer.MAX_VALUE, ""},
            new Object[] {"UNSIGNED_LONG", 0, Long.MAX_VALUE, " DESC"});
    List<Object[]> others =
        List.of(
            new Object[] {"SMALLINT", Short.MIN_VALUE, Short.MAX_VALUE, ""},
            new Object[] {"INTEGER", Integer.MIN_VALUE, Integer.MAX_VALUE, " DESC"},
            new Object[] {"BIGINT", Long.MIN_VALUE, Long.MAX_VALUE, ""},
            new Object[] {"UNSIGNED_TINYINT", 0, Byte.MAX_VALUE, ""},
            new Object[] {"UNSIGNED_SMALLINT", 0, Short.MAX_VALUE, " DESC"},
            new Object[] {"UNSIGNED_INT", 0, Integer.MAX_VALUE, ""});
    return ALL_COMBINATIONS ? Stream.concat(few.stream(), others.stream()).toList() : few;
  }

  /** A row: its key, and the value V, which is the key or null. */
  private record Row(long k, int k2, Long v) {}

  private List<Row> rows() {
    List<Long> keys = new ArrayList<>(List.of(least, greatest));
    SMALL.stream().filter(key -> key > least && key < greatest).forEach(keys::add);
    List<Row> rows = new ArrayList<>();
    for (long key : keys) {
      for (int k2 = 0; k2 < 2; k2++) {
        rows.add(new Row(key, k2, key % 3 == 0 ? null : key));
      }
    }
    return rows;
  }

  /** Returns constants. Few of them are values of the type. */
  private List<String> constants() {
    BigDecimal one = BigDecimal.ONE;
    return List.of(
        "1",
        "2.5",
        "-2.5",
        "-0.5",
        "-2147483648",
        "9223372036854775807",
        BigDecimal.valueOf(greatest).add(one).toString(),
        BigDecimal.valueOf(greatest).add(new BigDecimal("0.5")).toString(),
        BigDecimal.valueOf(least).subtract(one).toString(),
        BigDecimal.valueOf(least).subtract(new BigDecimal("0.5")).toString());
  }

  private static boolean compare(int order, String operator) {
    return switch (operator) {
      case "<" -> order < 0;
      case "<=" -> order <= 0;
      case ">" -> order > 0;
      case ">=" -> order >= 0;
      case "=" -> order == 0;
      default -> order != 0;
    };
  }

  private static int compare(long value, String constant) {
    return BigDecimal.valueOf(value).compareTo(new BigDecimal(constant));
  }

  @Test
  public void returnsTheRowsThatMatch() throws SQLException {
    String table = generateUniqueName();
    List<Row> rows = rows();
    try (Connection connection = connect(PruningMode.EXACT)) {
      execute(
          connection,
          """
          CREATE TABLE %1$s (K %2$s NOT NULL, K2 INTEGER NOT NULL, V %2$s
            CONSTRAINT PK PRIMARY KEY (K%3$s, K2))"""
              .formatted(table, type, order),
          "CREATE LOCAL INDEX I_%1$s ON %1$s (V%2$s)".formatted(table, order));
      try (PreparedStatement upsert =
          connection.prepareStatement("UPSERT INTO " + table + " VALUES (?, ?, ?)")) {
        for (Row row : rows) {
          upsert.setLong(1, row.k());
          upsert.setInt(2, row.k2());
          upsert.setObject(3, row.v());
          upsert.execute();
        }
      }
      connection.commit();
      Map<String, Predicate<Row>> conditions = conditions();
      List<String> wrong = new ArrayList<>();
      List<String> hints = List.of("NO_INDEX", "INDEX(%1$s I_%1$s)".formatted(table));
      int number = 0;
      for (Map.Entry<String, Predicate<Row>> condition : conditions.entrySet()) {
        List<String> right = right(rows, condition.getValue());
        // Without all combinations, a condition runs along the index or on the data table.
        List<String> some = ALL_COMBINATIONS ? hints : List.of(hints.get(number++ % 2));
        for (String hint : some) {
          String sql =
              "SELECT /*+ %s */ K, K2 FROM %s WHERE %s".formatted(hint, table, condition.getKey());
          List<String> found = found(connection, sql);
          if (!found.equals(right)) {
            wrong.add(sql + ": " + found + " for " + right);
          }
        }
      }
      assertThat(wrong).isEmpty();
    }
  }

  private static List<String> right(List<Row> rows, Predicate<Row> matches) {
    return rows.stream()
        .filter(matches)
        .map(row -> row.k() + " " + row.k2())
        .sorted()
        .collect(Collectors.toList());
  }

  private static List<String> found(Connection connection, String sql) {
    try {
      return rows(connection, sql).stream()
          .map(row -> integer(row.get(0)) + " " + integer(row.get(1)))
          .sorted()
          .collect(Collectors.toList());
    } catch (SQLException | RuntimeException e) {
      return List.of(e.toString());
    }
  }

  private static String integer(Object value) {
    return new BigDecimal(value.toString()).toBigIntegerExact().toString();
  }

  private Map<String, Predicate<Row>> conditions() {
    Map<String, Predicate<Row>> conditions = new LinkedHashMap<>();
    for (String constant : constants()) {
      for (String operator : OPERATORS) {
        conditions.put(
            "K " + operator + " " + constant, row -> compare(compare(row.k(), constant), operator));
        conditions.put(
            "V " + operator + " " + constant,
            row -> row.v() != null && compare(compare(row.v(), constant), operator));
        conditions.put(
            "NOT (V " + operator + " " + constant + " AND K2 < 9)",
            row -> row.v() != null && !compare(compare(row.v(), constant), operator));
        conditions.put(
            "(K, K2) " + operator + " (" + constant + ", 0)",
            row -> {
              int first = compare(row.k(), constant);
              return compare(first == 0 ? Integer.compare(row.k2(), 0) : first, operator);
            });
        conditions.put(
            "(V, K2) = (" + constant + ", 0)",
            row -> row.v() != null && compare(row.v(), constant) == 0 && row.k2() == 0);
        conditions.put(
            "(V, K2) <> (" + constant + ", 0)",
            row -> row.v() != null && compare(row.v(), constant) != 0 || row.k2() != 0);
        conditions.put(
            "(K2, K) " + operator + " (1, " + constant + ")",
            row -> {
              int first = Integer.compare(row.k2(), 1);
              return compare(first == 0 ? compare(row.k(), constant) : first, operator);
            });
      }
      for (String list : List.of(constant, constant + ", 1", "2, " + constant + ", 2.5")) {
        List<String> elements = Arrays.asList(list.split(", "));
        conditions.put(
            "K IN (" + list + ")",
            row -> elements.stream().anyMatch(each -> compare(row.k(), each) == 0));
        conditions.put(
            "V NOT IN (" + list + ")",
            row ->
                row.v() != null && elements.stream().allMatch(each -> compare(row.v(), each) != 0));
        conditions.put(
            "(K, K2) IN (" + tuples(elements) + ")",
            row ->
                row.k2() == 1 && elements.stream().anyMatch(each -> compare(row.k(), each) == 0));
      }
      conditions.put(
          "K BETWEEN -2.5 AND " + constant,
          row -> compare(row.k(), "-2.5") >= 0 && compare(row.k(), constant) <= 0);
    }
    return conditions;
  }

  private static String tuples(List<String> elements) {
    return elements.stream().map(each -> "(" + each + ", 1)").collect(Collectors.joining(", "));
  }

  /** Tests parameters: the rows that match their values, and their type in the metadata. */
  @Test
  public void bindsInexactConstants() throws SQLException {
    String table = generateUniqueName();
    List<Row> rows = rows();
    try (Connection connection = connect(PruningMode.EXACT)) {
      execute(
          connection,
          "CREATE TABLE %s (K %s PRIMARY KEY, V INTEGER)".formatted(table, type),
          "CREATE LOCAL INDEX I_%1$s ON %1$s (V)".formatted(table));
      try (PreparedStatement upsert =
          connection.prepareStatement("UPSERT INTO " + table + " VALUES (?, 1)")) {
        for (Row row : rows) {
          upsert.setLong(1, row.k());
          upsert.execute();
        }
      }
      connection.commit();
      List<Object> values = List.of(-2.5d, -2.5f, new BigDecimal("-2.5"));
      for (Object value : values) {
        for (String where : List.of("V = 1 AND K > ?", "K IN (?, 1)", "(K, V) >= (?, 1)")) {
          String sql =
              "SELECT /*+ INDEX(%1$s I_%1$s) */ K, V FROM %1$s WHERE ".formatted(table) + where;
          List<Long> found =
              rows(connection, sql, value).stream()
                  .map(row -> Long.parseLong(integer(row.get(0))))
                  .sorted()
                  .collect(Collectors.toList());
          Stream<Long> keys = rows.stream().map(Row::k).distinct().sorted();
          assertThat(found)
              .as("%s of %s", where, value)
              .isEqualTo(
                  keys.filter(key -> where.startsWith("K IN") ? key == 1 : key > -2.5)
                      .collect(Collectors.toList()));
          try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setObject(1, value);
            assertThat(statement.getParameterMetaData().getParameterTypeName(1))
                .as("%s of %s", where, value)
                .startsWith(type);
          }
        }
      }
    }
  }

  /** Tests that a query reads nothing if no value can match. */
  @Test
  public void readsNothingIfNoValueMatches() throws SQLException {
    String table = generateUniqueName();
    try (Connection connection = connect(PruningMode.EXACT)) {
      execute(
          connection,
          "CREATE TABLE %1$s (K %2$s PRIMARY KEY, V %2$s)".formatted(table, type),
          "CREATE LOCAL INDEX I_%1$s ON %1$s (V)".formatted(table));
      for (String where : List.of("K = 2.5", "V = 2.5", "V IN (2.5, 3.5)", "K IN (2.5, 3.5)")) {
        assertThat(explain(connection, "SELECT K FROM " + table + " WHERE " + where).toString())
            .as(where)
            .contains("DEGENERATE SCAN");
      }
    }
  }

  /**
   * Tests that a condition without matching values does not hide the key range of another
   * condition.
   */
  @Test
  public void keepsTheKeysOfOtherConditions() throws SQLException {
    String table = generateUniqueName();
    try (Connection connection = connect(PruningMode.EXACT)) {
      execute(connection, "CREATE TABLE %1$s (K %2$s PRIMARY KEY, V %2$s)".formatted(table, type));
      for (String where :
          List.of("K = 1 OR V = 2.5", "(K = 1 OR V IN (2.5, 3.5)) AND (V = 2.5 OR K < 9)")) {
        assertThat(explain(connection, "SELECT K FROM " + table + " WHERE " + where).toString())
            .as(where)
            .contains("POINT LOOKUP ON 1 KEY");
      }
    }
  }

  @Test
  public void plansPositiveFractionsAsPhoenixDoes() throws SQLException {
    String table = generateUniqueName();
    // A client seeks only with all patches, so both connections lack one.
    String patches = "all,-empty-batch";
    try (Connection connection = connect(Map.of(PruningOptions.PATCHES, patches));
        Connection without =
            connect(Map.of(PruningOptions.PATCHES, patches + ",-inexact-constant"))) {
      execute(
          connection,
          "CREATE TABLE %1$s (K %2$s PRIMARY KEY, V %2$s)".formatted(table, type),
          "CREATE LOCAL INDEX I_%1$s ON %1$s (V)".formatted(table));
      for (String column : List.of("K", "V")) {
        for (String operator : List.of("<", "<=", ">", ">=")) {
          String select =
              "SELECT /*+ INDEX(%1$s I_%1$s) */ K FROM %1$s WHERE %2$s %3$s 2.5"
                  .formatted(table, column, operator);
          assertThat(explain(connection, select)).as(select).isEqualTo(explain(without, select));
        }
      }
    }
  }

  /** Tests a partial index. A row that is written without the patch is missing from the index. */
  @Test
  public void changesTheRowsOfAPartialIndex() throws SQLException {
    assumeTrue("the type has negative values", least < 0);
    String table = generateUniqueName();
    String create = "CREATE INDEX P_%1$s ON %1$s (V) WHERE K > -2.5".formatted(table);
    String rows = "SELECT COUNT(*) FROM P_" + table;
    try (Connection connection = connect(PruningMode.EXACT);
        Connection without = connect(Map.of(PruningOptions.PATCHES, "all,-inexact-constant"))) {
      execute(
          without,
          "CREATE TABLE %s (K %s PRIMARY KEY, V INTEGER)".formatted(table, type),
          create,
          "UPSERT INTO " + table + " VALUES (-2, 1)");
      without.commit();
      assertThat(rows(without, rows)).isEqualTo(List.of(List.of(BigDecimal.ZERO)));
      execute(connection, "DROP INDEX P_%1$s ON %1$s".formatted(table), create);
      assertThat(rows(connection, rows)).isEqualTo(List.of(List.of(BigDecimal.ONE)));
      execute(connection, "UPSERT INTO " + table + " VALUES (-1, 1)");
      connection.commit();
      assertThat(rows(connection, rows)).isEqualTo(List.of(List.of(BigDecimal.valueOf(2))));
    }
  }
}
