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
import java.util.Objects;
import java.util.function.Predicate;
import org.apache.phoenix.pruning.config.PruningMode;
import org.assertj.core.api.SoftAssertions;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameter;
import org.junit.runners.Parameterized.Parameters;

/**
 * Tests conditions on tables with several column families. Tables with immutable rows keep each
 * family in one cell, and all these cells have the same qualifier.
 */
@RunWith(Parameterized.class)
public class FamiliesIT extends ClusterTest {

  /** A row. Family A has P, family B has Q and R, family C has S, X and Y. */
  private record Row(int k, Integer p, Integer q, Integer r, Integer s, Integer x, Integer y) {}

  private static final Map<String, Predicate<Row>> CONDITIONS = new LinkedHashMap<>();

  static {
    CONDITIONS.put("P = 2", row -> equal(row.p, 2));
    CONDITIONS.put("R = 2", row -> equal(row.r, 2));
    CONDITIONS.put("Y = 2", row -> equal(row.y, 2));
    CONDITIONS.put("R IS NULL", row -> row.r == null);
    CONDITIONS.put("Y IS NULL", row -> row.y == null);
    CONDITIONS.put("Y IS NULL OR Y = 1", row -> row.y == null || row.y == 1);
    CONDITIONS.put("R = 2 AND Y = 1", row -> equal(row.r, 2) && equal(row.y, 1));
    CONDITIONS.put("R = 2 OR Y = 1", row -> equal(row.r, 2) || equal(row.y, 1));
    CONDITIONS.put("X = Y", row -> row.x != null && Objects.equals(row.x, row.y));
    CONDITIONS.put("R <> Y", row -> row.r != null && row.y != null && !row.r.equals(row.y));
    CONDITIONS.put("K > 20 AND Y = 2", row -> row.k > 20 && equal(row.y, 2));
    CONDITIONS.put("CASE WHEN Y >= 2 THEN 1 ELSE 2 END = 2", row -> row.y == null || row.y < 2);
    CONDITIONS.put("COALESCE(R, 3) = 3", row -> row.r == null || row.r == 3);
  }

  @Parameters(name = "{0}")
  public static List<String> storages() {
    return List.of(
        "IMMUTABLE_ROWS = true",
        "IMMUTABLE_ROWS = true, SALT_BUCKETS = 3",
        "IMMUTABLE_ROWS = true, IMMUTABLE_STORAGE_SCHEME = ONE_CELL_PER_COLUMN",
        "COLUMN_ENCODED_BYTES = 0",
        "COLUMN_ENCODED_BYTES = 2");
  }

  @Parameter public String storage;

  private static boolean equal(Integer value, int constant) {
    return value != null && value == constant;
  }

  /** Returns the value of a column: 1, 2, 3, or null for a quarter of the rows. */
  private static Integer value(int k, int step) {
    int value = k / step % 4;
    return value == 0 ? null : value;
  }

  private List<Row> rows() {
    List<Row> rows = new ArrayList<>();
    for (int k = 1; k <= 64; k++) {
      rows.add(
          new Row(k, value(k, 1), value(k, 3), value(k, 5), value(k, 2), value(k, 4), value(k, 7)));
    }
    return rows;
  }

  private String createTable(Connection connection, List<Row> rows) throws SQLException {
    String table = generateUniqueName();
    execute(
        connection,
        """
        CREATE TABLE %s (K INTEGER PRIMARY KEY, A.P INTEGER, B.Q INTEGER, B.R INTEGER,
          C.S INTEGER, C.X INTEGER, C.Y INTEGER) %s"""
            .formatted(table, storage),
        "CREATE LOCAL INDEX L_%1$s ON %1$s (P) INCLUDE (R)".formatted(table),
        "CREATE INDEX G_%1$s ON %1$s (Q) INCLUDE (P, R, S, X, Y)".formatted(table));
    for (Row row : rows) {
      execute(
          connection,
          "UPSERT INTO %s VALUES (%d, %s, %s, %s, %s, %s, %s)"
              .formatted(table, row.k, row.p, row.q, row.r, row.s, row.x, row.y));
    }
    connection.commit();
    return table;
  }

  /** Returns the first column of the rows. */
  private static List<Object> keys(Connection connection, String query) throws SQLException {
    return rows(connection, query).stream()
        .<Object>map(row -> ((BigDecimal) row.get(0)).intValue())
        .toList();
  }

  @Test
  public void comparesTheColumnOfItsFamily() throws Exception {
    List<Row> rows = rows();
    try (Connection connection = connect(PruningMode.EXACT)) {
      String table = createTable(connection, rows);
      SoftAssertions softly = new SoftAssertions();
      for (Map.Entry<String, Predicate<Row>> condition : CONDITIONS.entrySet()) {
        List<Object> expected = new ArrayList<>();
        for (Row row : rows) {
          if (condition.getValue().test(row)) {
            expected.add(row.k);
          }
        }
        List<Object> reversed = new ArrayList<>(expected);
        Collections.reverse(reversed);
        for (String hint : List.of("NO_INDEX", "INDEX(%1$s L_%1$s)", "INDEX(%1$s G_%1$s)")) {
          String query =
              "SELECT /*+ %s */ K FROM %s WHERE %s"
                  .formatted(hint.formatted(table), table, condition.getKey());
          for (String read : List.of(query, query.replace(" K FROM ", " K, P, Q, S FROM "))) {
            softly.assertThat(keys(connection, read + " ORDER BY K")).as(read).isEqualTo(expected);
            softly
                .assertThat(keys(connection, read + " ORDER BY K DESC"))
                .as(read + " ORDER BY K DESC")
                .isEqualTo(reversed);
          }
        }
      }
      softly.assertAll();
    }
  }
}
