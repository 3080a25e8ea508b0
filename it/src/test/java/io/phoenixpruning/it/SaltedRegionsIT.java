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

import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.schema.SortOrder;
import org.apache.phoenix.schema.types.PDataType;
import org.apache.phoenix.schema.types.PDecimal;
import org.apache.phoenix.schema.types.PInteger;
import org.apache.phoenix.schema.types.PVarchar;
import org.assertj.core.api.SoftAssertions;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameter;
import org.junit.runners.Parameterized.Parameters;

/**
 * Tests salted tables whose regions have several buckets, or end inside a bucket. Regions get such
 * boundaries when they split and merge. The key is (K, L), with L from 0 to 2.
 */
@RunWith(Parameterized.class)
public class SaltedRegionsIT extends ClusterTest {

  private static final int BUCKETS = 4;
  private static final int L_VALUES = 3;

  /** Boundaries of the regions of a table. */
  private enum Layout {
    TWO_BUCKETS("2"),
    ONE_REGION("127"),
    SPLIT_BUCKETS("0:9", "1", "1:4", "2", "2:9", "3", "3:4"),
    ACROSS_BUCKETS("0:4", "1:9", "2:4", "3:9");

    /**
     * Boundaries of the form {@code bucket:k}, or only {@code bucket}; k is the index of a value of
     * K.
     */
    private final List<String> boundaries;

    Layout(String... boundaries) {
      this.boundaries = List.of(boundaries);
    }

    String splitPoints(Key key) {
      return boundaries.stream()
          .map(boundary -> boundary.split(":"))
          .map(
              boundary ->
                  Bytes.add(
                      new byte[] {Byte.parseByte(boundary[0])},
                      boundary.length == 1
                          ? new byte[0]
                          : key.bytes(Integer.parseInt(boundary[1]))))
          .map(splitPoint -> "X'" + Bytes.toHex(splitPoint) + "'")
          .collect(Collectors.joining(", "));
    }
  }

  /** A key column K. */
  private enum Key {
    INTEGER(PInteger.INSTANCE, -70_000, -3, -2, 0, 1, 2, 5, 13, 21, 34, 256, 65_536),
    TEXT(PVarchar.INSTANCE, "0", "A", "AA", "Ab", "a", "aa", "ab", "b", "ba", "c", "zz", "~"),
    DECIMAL(
        PDecimal.INSTANCE,
        Stream.of(
                "-100", "-2.5", "-0.684", "0", "0.1", "0.684", "0.6841", "1", "1.0001", "10",
                "25.5", "1000")
            .map(BigDecimal::new)
            .toArray());

    private final PDataType type;

    /** Values in ascending order. */
    private final List<Object> values;

    Key(PDataType type, Object... values) {
      this.type = type;
      this.values = List.of(values);
    }

    byte[] bytes(int index) {
      return type.toBytes(values.get(index), SortOrder.ASC);
    }

    String literal(int index) {
      Object value = values.get(index);
      return value instanceof String ? "'" + value + "'" : value.toString();
    }

    /** Returns the index of a value that a query returned. */
    int index(Object value) {
      for (int i = 0; i < values.size(); i++) {
        Object known = values.get(i);
        boolean isSame =
            value instanceof BigDecimal number
                ? number.compareTo(new BigDecimal(known.toString())) == 0
                : known.equals(value);
        if (isSame) {
          return i;
        }
      }
      throw new AssertionError("Unknown value of K: " + value);
    }

    /**
     * Returns conditions on K, and predicates for the indexes of the values that match.
     *
     * @param constants indexes of the values with which K is compared
     */
    Map<String, Predicate<Integer>> conditions(int... constants) {
      Map<String, Predicate<Integer>> conditions = new LinkedHashMap<>();
      conditions.put("L >= 0", k -> true);
      for (int value : constants) {
        String constant = literal(value);
        conditions.put("K = " + constant, k -> k == value);
        conditions.put("K < " + constant, k -> k < value);
        conditions.put("K <= " + constant, k -> k <= value);
        conditions.put("K > " + constant, k -> k > value);
        conditions.put("K >= " + constant, k -> k >= value);
      }
      conditions.put(
          "K BETWEEN %s AND %s".formatted(literal(3), literal(9)), k -> k >= 3 && k <= 9);
      conditions.put("K IN (%s, %s)".formatted(literal(3), literal(9)), k -> k == 3 || k == 9);
      return conditions;
    }
  }

  /** A row. {@code k} is the index of its value of K. */
  private record Row(int k, int l) {}

  @Parameters(name = "{0}, {1}")
  public static List<Object[]> combinations() {
    List<Object[]> combinations = new ArrayList<>();
    for (Key key : Key.values()) {
      for (Layout layout : Layout.values()) {
        if (ALL_COMBINATIONS || key == Key.INTEGER || layout == Layout.ACROSS_BUCKETS) {
          combinations.add(new Object[] {key, layout});
        }
      }
    }
    return combinations;
  }

  @Parameter(0)
  public Key key;

  @Parameter(1)
  public Layout layout;

  private String createTable(Connection connection, SortOrder order) throws Exception {
    String table = generateUniqueName();
    execute(
        connection,
        """
        CREATE TABLE %s (K %s NOT NULL, L INTEGER NOT NULL, V INTEGER
          CONSTRAINT PK PRIMARY KEY (K %s, L)) SALT_BUCKETS = %d, GUIDE_POSTS_WIDTH = 100
          SPLIT ON (%s)"""
            .formatted(table, key.type, order, BUCKETS, layout.splitPoints(key)));
    if (layout == Layout.ONE_REGION) {
      merge(regions(table).toArray(RegionInfo[]::new));
    }
    return table;
  }

  private void writeRows(Connection connection, String table) throws SQLException {
    for (int k = 0; k < key.values.size(); k++) {
      for (int l = 0; l < L_VALUES; l++) {
        execute(
            connection,
            "UPSERT INTO %s VALUES (%s, %d, %d)".formatted(table, key.literal(k), l, l));
      }
    }
    connection.commit();
  }

  private List<Row> rows(Predicate<Integer> condition, Predicate<Integer> conditionOfL) {
    List<Row> rows = new ArrayList<>();
    for (int k = 0; k < key.values.size(); k++) {
      for (int l = 0; l < L_VALUES; l++) {
        if (condition.test(k) && conditionOfL.test(l)) {
          rows.add(new Row(k, l));
        }
      }
    }
    return rows;
  }

  /** Returns the rows of a query that selects K and a number. */
  private List<Row> rows(Connection connection, String query) throws SQLException {
    return ClusterTest.rows(connection, query).stream()
        .map(row -> new Row(key.index(row.get(0)), ((BigDecimal) row.get(1)).intValue()))
        .toList();
  }

  private void assertRows(
      SoftAssertions softly, Connection connection, String table, List<Row> rows, String where)
      throws SQLException {
    String from = " FROM %s WHERE %s".formatted(table, where);
    String ordered = "SELECT K, L" + from + " ORDER BY K, L";
    softly.assertThat(rows(connection, ordered)).as(ordered).isEqualTo(rows);

    List<Row> reversed = new ArrayList<>(rows);
    Collections.reverse(reversed);
    String descending = "SELECT K, L" + from + " ORDER BY K DESC, L DESC LIMIT 5";
    softly
        .assertThat(rows(connection, descending))
        .as(descending)
        .isEqualTo(reversed.subList(0, Math.min(5, rows.size())));

    String count = "SELECT COUNT(*)" + from;
    softly
        .assertThat(ClusterTest.rows(connection, count))
        .as(count)
        .isEqualTo(List.of(List.of(BigDecimal.valueOf(rows.size()).stripTrailingZeros())));

    Map<Integer, Integer> sizes = new TreeMap<>();
    rows.forEach(row -> sizes.merge(row.k, 1, Integer::sum));
    List<Row> groups = new ArrayList<>();
    sizes.forEach((k, size) -> groups.add(new Row(k, size)));
    String grouped = "SELECT K, COUNT(*)" + from + " GROUP BY K ORDER BY K";
    softly.assertThat(rows(connection, grouped)).as(grouped).isEqualTo(groups);
  }

  private void assertRows(
      SoftAssertions softly, Connection connection, String table, Combinations combinations)
      throws SQLException {
    for (Map.Entry<String, Predicate<Integer>> condition : key.conditions(1, 9).entrySet()) {
      if (combinations.chooseNext()) {
        assertRows(
            softly, connection, table, rows(condition.getValue(), l -> true), condition.getKey());
      }
    }
    for (Map.Entry<String, Predicate<Integer>> condition : key.conditions(4).entrySet()) {
      if (combinations.chooseNext()) {
        assertRows(
            softly,
            connection,
            table,
            rows(condition.getValue(), l -> l != 1),
            condition.getKey() + " AND L IN (0, 2)");
      }
    }
  }

  private void assertRowsAreFound(SortOrder order) throws Exception {
    try (Connection connection = connect(Map.of())) {
      String table = createTable(connection, order);
      writeRows(connection, table);
      SoftAssertions softly = new SoftAssertions();
      int skipped = key.ordinal() + layout.ordinal() + order.ordinal();
      assertRows(softly, connection, table, Combinations.oneOf(3, skipped));
      execute(connection, "UPDATE STATISTICS " + table);
      assertRows(softly, connection, table, Combinations.oneOf(3, skipped + 1));
      softly.assertAll();
    }
  }

  @Test
  public void findsRowsOfAscendingKeys() throws Exception {
    assertRowsAreFound(SortOrder.ASC);
  }

  @Test
  public void findsRowsOfDescendingKeys() throws Exception {
    assertRowsAreFound(SortOrder.DESC);
  }

  @Test
  public void copiesAndDeletesRows() throws Exception {
    try (Connection connection = connect(Map.of())) {
      connection.setAutoCommit(true);
      String table = createTable(connection, SortOrder.ASC);
      writeRows(connection, table);
      String copy = createTable(connection, SortOrder.ASC);
      String between = " WHERE K BETWEEN %s AND %s".formatted(key.literal(3), key.literal(9));

      execute(connection, "UPSERT INTO %s SELECT * FROM %s".formatted(copy, table) + between);
      execute(connection, "DELETE FROM " + table + between);

      SoftAssertions softly = new SoftAssertions();
      Predicate<Integer> isBetween = k -> k >= 3 && k <= 9;
      assertRows(softly, connection, copy, rows(isBetween, l -> true), "L >= 0");
      assertRows(softly, connection, table, rows(isBetween.negate(), l -> true), "L >= 0");
      softly.assertAll();
    }
  }
}
