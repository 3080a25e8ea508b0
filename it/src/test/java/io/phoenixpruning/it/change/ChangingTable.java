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
package io.phoenixpruning.it.change;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.phoenix.schema.SaltingUtil;
import org.apache.phoenix.schema.types.PInteger;
import org.apache.phoenix.util.ByteUtil;

/**
 * A table with a local index whose regions change. It has rows of three kinds:
 *
 * <ul>
 *   <li>{@link #ROWS} stay unchanged except for A and B, whose sum is {@link #BALANCE} in each row.
 *       Their V is below {@link #MOVING}.
 *   <li>One row for each K1 has a V that is always {@link #MOVING} or MOVING + 1.
 *   <li>Rows with a larger V are inserted and deleted.
 * </ul>
 */
record ChangingTable(String name, Layout layout) {

  /**
   * Properties of a table and its index.
   *
   * @param regions number of regions at first; if the table is salted, the number of buckets
   * @param rearranged whether the index columns are (K1, V) instead of (V)
   * @param salted whether the table is salted
   * @param statistics whether statistics are collected
   * @param covering whether the index includes W, A and B
   * @param ofView whether the index belongs to a view, which all statements then use
   */
  record Layout(
      int regions,
      boolean rearranged,
      boolean salted,
      boolean statistics,
      boolean covering,
      boolean ofView) {

    private String split() {
      return salted
          ? ", SALT_BUCKETS = " + regions
          : IntStream.range(1, regions)
              .mapToObj(i -> Integer.toString(i * FIRST_KEYS / regions))
              .collect(Collectors.joining(", ", " SPLIT ON (", ")"));
    }
  }

  /** A row that is never deleted. */
  record Row(int k1, int k2, int v, int w) {}

  static final int FIRST_KEYS = 40;
  static final int SECOND_KEYS = 8;
  static final int BALANCE = 100;
  static final int MOVING = 100;

  /** Value of K2 in the moving rows. */
  static final int MOVING_KEY = 50;

  /** Width of guideposts in bytes, so that a region has several. */
  private static final int GUIDE_POSTS_WIDTH = 500;

  static final List<Row> ROWS = rows();

  private static List<Row> rows() {
    List<Row> rows = new ArrayList<>();
    for (int k1 = 0; k1 < FIRST_KEYS; k1++) {
      for (int k2 = 0; k2 < SECOND_KEYS; k2++) {
        rows.add(new Row(k1, k2, (3 * k1 + k2) % SECOND_KEYS, 100 * k1 + k2));
      }
    }
    return List.copyOf(rows);
  }

  /** Returns the name of the table or view that statements use. */
  String relation() {
    return layout.ofView ? name + "_W" : name;
  }

  String index() {
    return name + "_I";
  }

  /** Returns a hint to use the index. */
  String hint() {
    return "/*+ INDEX(" + relation() + " " + index() + ") */ ";
  }

  void create(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          """
          CREATE TABLE %s (K1 INTEGER NOT NULL, K2 INTEGER NOT NULL, V INTEGER, W INTEGER,
            A INTEGER, B INTEGER
            CONSTRAINT PK PRIMARY KEY (K1, K2)) GUIDE_POSTS_WIDTH = %d%s"""
              .formatted(
                  name,
                  // Compactions also collect statistics, unless the width is 0.
                  layout.statistics ? GUIDE_POSTS_WIDTH : 0,
                  layout.split()));
      if (layout.ofView) {
        statement.execute("CREATE VIEW " + relation() + " AS SELECT * FROM " + name);
      }
      statement.execute(
          "CREATE LOCAL INDEX "
              + index()
              + " ON "
              + relation()
              + (layout.rearranged ? " (K1, V)" : " (V)")
              + (layout.covering ? " INCLUDE (W, A, B)" : ""));
    }
    try (PreparedStatement upsert = upsert(connection)) {
      for (Row row : ROWS) {
        upsert(upsert, row.k1, row.k2, row.v, row.w, BALANCE / 2);
      }
      for (int k1 = 0; k1 < FIRST_KEYS; k1++) {
        upsert(upsert, k1, MOVING_KEY, MOVING, 0, BALANCE / 2);
      }
    }
    connection.commit();
    if (layout.statistics) {
      try (Statement statement = connection.createStatement()) {
        statement.execute("UPDATE STATISTICS " + name);
      }
    }
  }

  /** Asserts that the index has exactly the rows of the table. */
  void assertIndexed(Connection connection) throws SQLException {
    String query = "K1, K2, V, W, A, B FROM " + relation() + " WHERE V >= 0";
    assertThat(CheckedQuery.read(connection, "SELECT " + hint() + query))
        .as("rows of the index of %s", this)
        .containsExactlyInAnyOrderElementsOf(
            CheckedQuery.read(connection, "SELECT /*+ NO_INDEX */ " + query));
  }

  /** Prepares a statement for {@link #upsert}. */
  PreparedStatement upsert(Connection connection) throws SQLException {
    return connection.prepareStatement(
        "UPSERT INTO " + relation() + " (K1, K2, V, W, A, B) VALUES (?, ?, ?, ?, ?, ?)");
  }

  /** Writes a row whose A is {@code a}. */
  static void upsert(PreparedStatement upsert, int k1, int k2, int v, int w, int a)
      throws SQLException {
    int[] values = {k1, k2, v, w, a, BALANCE - a};
    for (int i = 0; i < values.length; i++) {
      upsert.setInt(i + 1, values[i]);
    }
    upsert.execute();
  }

  /**
   * Returns the row keys at which {@code region} can be split, both within one K1 and between two
   * values of K1.
   */
  private List<byte[]> splitPoints(RegionInfo region) {
    List<byte[]> points = new ArrayList<>();
    for (Row row : ROWS) {
      byte[] key = key(row);
      if (region.containsRow(key) && !Arrays.equals(key, region.getStartKey())) {
        points.add(key);
      }
    }
    return points;
  }

  /**
   * Returns the key of a random row at which {@code region} can be split, or null if there is none.
   */
  byte[] splitPoint(RegionInfo region, Random random) {
    List<byte[]> points = splitPoints(region);
    return points.isEmpty() ? null : points.get(random.nextInt(points.size()));
  }

  private byte[] key(Row row) {
    byte[] key =
        ByteUtil.concat(PInteger.INSTANCE.toBytes(row.k1), PInteger.INSTANCE.toBytes(row.k2));
    if (!layout.salted) {
      return key;
    }
    return ByteUtil.concat(
        new byte[] {SaltingUtil.getSaltingByte(key, 0, key.length, layout.regions)}, key);
  }
}
