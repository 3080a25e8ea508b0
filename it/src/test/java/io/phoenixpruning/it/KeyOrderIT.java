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

import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.sql.Types;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.phoenix.pruning.config.PruningMode;
import org.junit.Test;

/**
 * Compares groups, distinct rows and orders by functions of key columns with the results that the
 * test computes from all rows. The queries run along indexes and on the data table.
 */
public class KeyOrderIT extends ExactModeTest {

  private static final List<String> EXPRESSIONS =
      List.of(
          "A",
          "V",
          "T",
          "N",
          "S",
          "I",
          "TRUNC(T, 'HOUR')",
          "FLOOR(T, 'DAY')",
          "CEIL(T, 'HOUR', 5)",
          "ROUND(T, 'DAY')",
          "ROUND(N)",
          "FLOOR(N)",
          "CEIL(N, 1)",
          "SUBSTR(S, 1, 1)",
          "SUBSTR(S, 1, 2)",
          "RTRIM(S)",
          "REGEXP_SUBSTR(S, '[^a]+')",
          "SIGN(I)",
          "EXP(I)",
          "CBRT(I)",
          "COS(I)",
          "SIN(I)",
          "TAN(I)",
          "INVERT(T)",
          "INVERT(S)",
          "INVERT(I)");

  private final String table = generateUniqueName();

  /**
   * Groups by host and hour along an index that sorts by time before host. In the index, rows of a
   * group are not adjacent, and Phoenix returns a group in several rows.
   */
  @Test
  public void groupsByARoundedColumnBeforeAnother() throws SQLException {
    for (String order : List.of("", " DESC")) {
      String name = generateUniqueName();
      execute(
          exact,
          """
          CREATE TABLE %s (HOST VARCHAR NOT NULL, TS DATE NOT NULL, METRIC VARCHAR NOT NULL,
            VAL INTEGER
            CONSTRAINT PK PRIMARY KEY (HOST, TS%s, METRIC)) SPLIT ON ('h1', 'h3', 'h4', 'h6')"""
              .formatted(name, order),
          "CREATE LOCAL INDEX A_%1$s ON %1$s (METRIC, TS%2$s) INCLUDE (VAL)".formatted(name, order),
          "CREATE LOCAL INDEX B_" + name + " ON " + name + " (HOST, METRIC)");
      Map<String, Integer> greatest = new TreeMap<>();
      long start = Timestamp.valueOf("2026-01-01 00:10:00").getTime();
      try (PreparedStatement upsert =
          exact.prepareStatement("UPSERT INTO " + name + " VALUES (?, ?, ?, ?)")) {
        for (int host = 0; host < 8; host++) {
          for (int i = 0; i < 40; i++) {
            upsert.setString(1, "h" + host);
            upsert.setTimestamp(2, new Timestamp(start + i * 7 * 60_000L));
            upsert.setString(3, i % 2 == 0 ? "mem" : "cpu");
            upsert.setInt(4, i);
            upsert.execute();
            if (i % 2 == 0 && host >= 3 && host < 6) {
              greatest.put("h" + host + " " + (10 + i * 7) / 60, i);
            }
          }
        }
      }
      exact.commit();
      List<String> right = new ArrayList<>();
      greatest.forEach((group, val) -> right.add(group + " " + val));
      for (String hint : List.of("", "NO_INDEX", "A_" + name, "B_" + name)) {
        String sql =
            """
            SELECT /*+ %s */ HOST, TRUNC(TS, 'HOUR'), MAX(VAL) FROM %s WHERE METRIC = 'mem'
              AND HOST >= 'h3' AND HOST < 'h6' GROUP BY HOST, TRUNC(TS, 'HOUR')"""
                .formatted(hint.contains(name) ? "INDEX(" + name + " " + hint + ")" : hint, name);
        List<String> found =
            rows(exact, sql).stream()
                .map(row -> row.get(0) + " " + hour(row.get(1), start) + " " + number(row.get(2)))
                .sorted()
                .collect(Collectors.toList());
        assertThat(found)
            .as("TS%s: %s", order, sql)
            .isEqualTo(right.stream().sorted().collect(Collectors.toList()));
        if (hint.startsWith("A_")) {
          try (Connection stock = connect(PruningMode.STOCK)) {
            assertThat(rows(stock, sql)).as("stock").hasSizeGreaterThan(right.size());
          }
        }
      }
      String ordered =
          """
          SELECT /*+ NO_INDEX */ TRUNC(TS, 'HOUR'), METRIC FROM %s WHERE HOST = 'h3'
            ORDER BY TRUNC(TS, 'HOUR'), METRIC"""
              .formatted(name);
      List<List<Object>> rows = rows(exact, ordered);
      List<List<Object>> sorted = new ArrayList<>(rows);
      sorted.sort(
          Comparator.<List<Object>, Date>comparing(row -> (Date) row.get(0))
              .thenComparing(row -> (String) row.get(1)));
      assertThat(rows).as("TS%s: %s", order, ordered).hasSize(40).isEqualTo(sorted);
      try (Connection stock = connect(PruningMode.STOCK)) {
        assertThat(rows(stock, ordered)).as("stock, TS%s", order).isNotEqualTo(sorted);
      }
    }
  }

  /** Returns the difference in hours between a time and the first row's time. */
  private static long hour(Object time, long start) {
    return ((Date) time).getTime() / 3_600_000 - start / 3_600_000;
  }

  private static String number(Object value) {
    return ((BigDecimal) value).toPlainString();
  }

  @Test
  public void mergesTheGroupsOfAJoin() throws SQLException {
    execute(
        exact,
        "CREATE TABLE %s (K INTEGER PRIMARY KEY, V INTEGER, S VARCHAR) SPLIT ON (%s)"
            .formatted(table, splits(4, 10)),
        "CREATE LOCAL INDEX V_" + table + " ON " + table + " (V)",
        "CREATE LOCAL INDEX S_" + table + " ON " + table + " (S DESC)",
        "CREATE TABLE D_" + table + " (ID INTEGER PRIMARY KEY)");
    for (int i = 0; i < 40; i++) {
      String s = i % 3 == 0 ? "'b'" : i % 3 == 1 ? "'bz'" : "NULL";
      execute(
          exact,
          "UPSERT INTO " + table + " VALUES (" + i + ", " + i % 4 + ", " + s + ")",
          "UPSERT INTO D_" + table + " VALUES (" + i + ")");
    }
    exact.commit();
    for (String column : List.of("V", "S")) {
      String join =
          String.format(
              "%2$s, COUNT(*) FROM %1$s T JOIN D_%1$s D ON T.K = D.ID GROUP BY T.%2$s",
              table, column);
      String index = "SELECT /*+ INDEX(T " + column + "_" + table + ") */ T." + join;
      assertThat(explain(exact, index).toString())
          .as(index)
          .contains("OVER " + column + "_" + table);
      assertThat(rows(exact, index))
          .as(index)
          .isEqualTo(rows(exact, "SELECT /*+ NO_INDEX */ T." + join))
          .hasSize(column.equals("V") ? 4 : 3);
    }
  }

  @Test
  public void groupsAndOrdersByFunctionsOfAscendingKeys() throws SQLException {
    check("A, T, N, I", "", "", 1);
  }

  @Test
  public void groupsAndOrdersByFunctionsOfDescendingKeys() throws SQLException {
    check("A, T DESC, I", "", " DESC", 2);
    check("N DESC, S DESC, I", "", "", 3);
  }

  @Test
  public void groupsAndOrdersByFunctionsInSaltedTables() throws SQLException {
    check("T DESC, I", " SALT_BUCKETS = 3", "", 4);
  }

  private void check(String key, String options, String indexOrder, long seed) throws SQLException {
    String name = generateUniqueName();
    List<String> keys = Arrays.asList(key.replace(" DESC", "").split(", "));
    List<String> columns = new ArrayList<>();
    for (String column : List.of("A VARCHAR", "T DATE", "N DECIMAL", "S VARCHAR", "I INTEGER")) {
      columns.add(column + (keys.contains(column.substring(0, 1)) ? " NOT NULL" : ""));
    }
    execute(
        exact,
        "CREATE TABLE %s (%s, V INTEGER, U INTEGER, CONSTRAINT PK PRIMARY KEY (%s))%s"
            .formatted(name, String.join(", ", columns), key, options));
    List<String> indexes = new ArrayList<>();
    for (String column : List.of("T", "N", "S", "I")) {
      if (!keys.contains(column)) {
        indexes.add(column + indexOrder + ", V");
      }
    }
    indexes.add("V" + indexOrder);
    indexes.add(keys.get(0) + ", V");
    for (int i = 0; i < indexes.size(); i++) {
      execute(
          exact,
          String.format(
              "CREATE LOCAL INDEX L%1$d%2$s ON %2$s (%3$s) INCLUDE (U)", i, name, indexes.get(i)));
    }
    Random random = new Random(seed);
    upsert(name, random);
    List<List<String>> lists = new ArrayList<>();
    for (String expression : EXPRESSIONS) {
      String other = EXPRESSIONS.get(random.nextInt(EXPRESSIONS.size()));
      boolean isSingle = other.equals(expression) || random.nextBoolean();
      if (isSingle || ALL_COMBINATIONS) {
        lists.add(List.of(expression));
      }
      if (!isSingle || ALL_COMBINATIONS && !other.equals(expression)) {
        lists.add(List.of(expression, other));
      }
    }
    List<String> wrong = new ArrayList<>();
    for (List<String> list : lists) {
      String by = String.join(", ", list);
      List<List<Object>> all = rows(exact, "SELECT /*+ NO_INDEX */ " + by + ", U FROM " + name);
      // Tries one of the indexes, the data table, and the plan that is chosen.
      int index = random.nextInt(indexes.size());
      String ofIndex = "/*+ INDEX(" + name + " L" + index + name + ") */ ";
      for (String hint : List.of(ofIndex, "/*+ NO_INDEX */ ", "")) {
        String select = "SELECT " + hint;
        String description =
            String.format(
                "seed %d, key (%s)%s, index (%s): ", seed, key, options, indexes.get(index));
        String grouped = select + by + ", COUNT(*), MAX(U) FROM " + name + " GROUP BY " + by;
        compare(grouped, description, groups(all), wrong);
        String distinct = select + "DISTINCT " + by + " FROM " + name;
        compare(distinct, description, distinct(all), wrong);
        if (!by.contains("INVERT")) {
          compareOrder(select, name, list, all, description, random, wrong);
        }
      }
    }
    assertThat(wrong).isEmpty();
  }

  private void compare(String sql, String description, List<String> right, List<String> wrong) {
    try {
      List<String> found =
          rows(exact, sql).stream().map(List::toString).sorted().collect(Collectors.toList());
      if (!found.equals(right)) {
        wrong.add(description + sql + ": " + found + " for " + right);
      }
    } catch (SQLException | RuntimeException e) {
      wrong.add(description + sql + ": " + e);
    }
  }

  private void compareOrder(
      String select,
      String name,
      List<String> list,
      List<List<Object>> all,
      String description,
      Random random,
      List<String> wrong) {
    List<String> orders = new ArrayList<>();
    Comparator<List<Object>> comparator = (one, other) -> 0;
    for (int i = 0; i < list.size(); i++) {
      boolean descends = random.nextBoolean();
      orders.add(list.get(i) + (descends ? " DESC NULLS LAST" : " ASC NULLS FIRST"));
      int column = i;
      Comparator<List<Object>> ofColumn =
          Comparator.comparing(row -> value(row.get(column)), KeyOrderIT::compareValues);
      comparator = comparator.thenComparing(descends ? ofColumn.reversed() : ofColumn);
    }
    String sql =
        select
            + String.join(", ", list)
            + ", U FROM "
            + name
            + " ORDER BY "
            + String.join(", ", orders);
    try {
      List<List<Object>> found = rows(exact, sql);
      List<List<Object>> sorted = new ArrayList<>(found);
      sorted.sort(comparator);
      List<List<Object>> same = new ArrayList<>(found);
      same.sort(Comparator.comparing(List::toString));
      if (!found.equals(sorted)) {
        wrong.add(description + sql + " is not sorted: " + found);
      } else if (!same.equals(all)) {
        wrong.add(description + sql + " has other rows");
      }
    } catch (SQLException | RuntimeException e) {
      wrong.add(description + sql + ": " + e);
    }
  }

  private static List<Object> value(Object value) {
    return Collections.singletonList(value);
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static int compareValues(List<Object> one, List<Object> other) {
    Comparable value = (Comparable) one.get(0);
    Comparable next = (Comparable) other.get(0);
    if (value == null || next == null) {
      return Boolean.compare(value != null, next != null);
    }
    return value.compareTo(next);
  }

  /** Returns the groups of rows. The last column of each row is U. */
  private static List<String> groups(List<List<Object>> rows) {
    Map<List<Object>, List<Integer>> groups = new LinkedHashMap<>();
    for (List<Object> row : rows) {
      groups
          .computeIfAbsent(row.subList(0, row.size() - 1), group -> new ArrayList<>())
          .add(((BigDecimal) row.get(row.size() - 1)).intValue());
    }
    List<String> text = new ArrayList<>();
    groups.forEach(
        (group, members) -> {
          List<Object> row = new ArrayList<>(group);
          row.add(new BigDecimal(members.size()).stripTrailingZeros());
          row.add(new BigDecimal(Collections.max(members)).stripTrailingZeros());
          text.add(row.toString());
        });
    return text.stream().sorted().collect(Collectors.toList());
  }

  private static List<String> distinct(List<List<Object>> rows) {
    return rows.stream()
        .map(row -> row.subList(0, row.size() - 1))
        .distinct()
        .map(List::toString)
        .sorted()
        .collect(Collectors.toList());
  }

  private void upsert(String name, Random random) throws SQLException {
    List<String> texts =
        List.of("a", "ab", "a ", "a\u0001!", "a\u0001", "abc", "b", "bz", "ba", "Xy", "x");
    long start = Timestamp.valueOf("2020-02-27 00:10:00").getTime();
    try (PreparedStatement upsert =
        exact.prepareStatement(
            "UPSERT INTO " + name + " (A, T, N, S, I, V, U) VALUES (?, ?, ?, ?, ?, ?, ?)")) {
      for (int i = 0; i < 80; i++) {
        upsert.setString(1, texts.get(random.nextInt(3)));
        upsert.setTimestamp(2, new Timestamp(start + random.nextInt(200) * 45 * 60_000L));
        upsert.setBigDecimal(3, BigDecimal.valueOf(random.nextInt(400) - 200, 2));
        upsert.setString(4, texts.get(random.nextInt(texts.size())));
        upsert.setInt(5, random.nextInt(11) - 5);
        if (random.nextInt(4) == 0) {
          upsert.setNull(6, Types.INTEGER);
        } else {
          upsert.setInt(6, random.nextInt(4) - 2);
        }
        upsert.setInt(7, i);
        upsert.execute();
      }
    }
    exact.commit();
  }
}
