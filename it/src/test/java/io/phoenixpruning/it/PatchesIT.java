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
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.Date;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.pruning.config.PruningOptions;
import org.apache.phoenix.schema.ColumnNotFoundException;
import org.junit.Test;

/** Tests patches that are off, and patches that change stored bytes. */
public class PatchesIT extends ClusterTest {

  private static final List<String> STRINGS = List.of("a", "aa", "ab", "b", "ba", "c c", "ca", "d");

  /**
   * Checks that the server skips rows as Phoenix does if the client has planned as Phoenix does.
   */
  @Test
  public void deletesMatchingRowsInEachMode() throws SQLException {
    List<Map<String, String>> ways =
        List.of(
            Map.of(PruningOptions.MODE, "stock"),
            Map.of(PruningOptions.PATCHES, "none"),
            Map.of(PruningOptions.PATCHES, "local-index"),
            Map.of(PruningOptions.MODE, "exact"));
    try (Connection all = connect(PruningMode.EXACT)) {
      String table = generateUniqueName();
      execute(
          all,
          """
          CREATE TABLE %s (A VARCHAR NOT NULL, B INTEGER NOT NULL, C VARCHAR NOT NULL
            CONSTRAINT PK PRIMARY KEY (A DESC, B, C))"""
              .formatted(table));
      for (String a : STRINGS) {
        for (int b = -1; b <= 5; b++) {
          for (String c : STRINGS) {
            execute(all, "UPSERT INTO " + table + " VALUES ('" + a + "', " + b + ", '" + c + "')");
          }
        }
      }
      all.commit();
      for (Map<String, String> way : ways) {
        try (Connection connection = connect(way);
            Statement statement = connection.createStatement()) {
          connection.setAutoCommit(true);
          assertThat(
                  statement.executeUpdate(
                      """
                      DELETE FROM %s WHERE (A, B, C) <= ('b', 0, 'ba')
                        AND (A, B, C) IN (('ba', 5, 'ab'), ('d', 4, 'a'))
                        AND (A, B, C) >= ('a', 4, 'd')
                        AND B IN (3, 3, 0, 3)"""
                          .formatted(table)))
              .as(way.toString())
              .isZero();
        }
        assertThat(rows(all, "SELECT COUNT(*) FROM " + table))
            .as(way.toString())
            .containsExactly(List.of(new BigDecimal(8 * 7 * 8).stripTrailingZeros()));
      }
    }
  }

  /**
   * Checks that a join whose hint names an index without a needed column is planned without this
   * index.
   */
  @Test
  public void plansAJoinWithoutTheIndexThatLacksAColumn() throws SQLException {
    String table = generateUniqueName();
    String index = "I_" + table;
    String query =
        """
        SELECT /*+ INDEX(%1$s %2$s) %3$s */ %1$s.K, D.X FROM %1$s
          JOIN D_%1$s D ON %1$s.V = D.K WHERE W > 1""";
    try (Connection all = connect(PruningMode.EXACT);
        Connection without = connect(Map.of(PruningOptions.PATCHES, "all,-hinted-index"))) {
      execute(
          all,
          "CREATE TABLE " + table + " (K INTEGER PRIMARY KEY, V INTEGER, W INTEGER)",
          "CREATE TABLE D_" + table + " (K INTEGER PRIMARY KEY, X INTEGER)",
          "CREATE INDEX " + index + " ON " + table + " (V)",
          "UPSERT INTO " + table + " VALUES (1, 7, 1)",
          "UPSERT INTO " + table + " VALUES (2, 7, 2)",
          "UPSERT INTO D_" + table + " VALUES (7, 3)");
      all.commit();
      for (String join : List.of("", "USE_SORT_MERGE_JOIN")) {
        String sql = query.formatted(table, index, join);
        assertThat(rows(all, sql))
            .as(join)
            .isEqualTo(List.of(List.of(new BigDecimal(2), new BigDecimal(3))));
        assertThatThrownBy(() -> rows(without, sql))
            .as(join)
            .isInstanceOf(ColumnNotFoundException.class);
      }
    }
  }

  /** Tests conditions that a partial index does not imply, or that cannot be compared with it. */
  @Test
  public void usesPartialIndexesOnlyIfTheyHaveAllRows() throws SQLException {
    List<String> indexes =
        List.of(
            "V > 5",
            "V <> 5",
            "S = 'a'",
            "S LIKE 'a%'",
            "V > 5 AND W < 3",
            "V IN (1, 2)",
            "V IS NOT NULL",
            "W > V",
            "V > 5 OR S = 'a'",
            "P");
    List<String> conditions =
        List.of(
            "V > 5",
            "V >= 6",
            "V = 7",
            "V < 3",
            "V <> 5",
            "V <> 2.5",
            "V = 2.5 OR V = 7",
            "V < 3000000000",
            "V + 1 > 5",
            "V > 5 + W",
            "V > W",
            "W IS NULL",
            "V IS NULL",
            "V IS NOT NULL",
            "UPPER(S) = 'A'",
            "S = 'a'",
            "S NOT LIKE 'zzz%'",
            "(V, W) <> (5, 2)",
            "NOT ((V, W) = (5, 2))",
            "(V, W) > (5, 2)",
            "(V, W) IN ((7, 1), (8, 2))",
            "NOT (S LIKE 'b%' OR V > 9)",
            "V > 5 AND W < 2",
            "V IN (1, 2)",
            "V IN (1, 7)",
            "V BETWEEN 6 AND 8",
            "COALESCE(V, 9) > 5",
            "P",
            "P = Q",
            "NOT P",
            "V = 1 OR S = 'a'",
            "CASE WHEN V > 5 THEN FALSE ELSE TRUE END",
            "5 < V");
    String table = generateUniqueName();
    try (Connection connection = connect(PruningMode.EXACT)) {
      connection.setAutoCommit(true);
      execute(
          connection,
          """
          CREATE TABLE %s (K INTEGER PRIMARY KEY, V INTEGER, W INTEGER, S VARCHAR(2), P BOOLEAN,
            Q BOOLEAN)"""
              .formatted(table));
      int k = 0;
      for (String v : List.of("NULL", "1", "5", "7", "12")) {
        for (String w : List.of("NULL", "2", "9")) {
          String s = k % 3 == 0 ? "NULL" : k % 3 == 1 ? "'a'" : "'A'";
          String p = k % 4 == 0 ? "NULL" : String.valueOf(k % 2 == 0);
          execute(
              connection,
              "UPSERT INTO %s VALUES (%d, %s, %s, %s, %s, TRUE)".formatted(table, k++, v, w, s, p));
        }
      }
      Map<String, String> expected = new HashMap<>();
      for (String condition : conditions) {
        expected.put(condition, keysOf(connection, table, "NO_INDEX", condition));
      }
      List<String> wrong = new ArrayList<>();
      for (int i = 0; i < indexes.size(); i++) {
        // Phoenix's test base keeps the HBase tables of dropped indexes, so each has its own name.
        String name = "I%d_%s".formatted(i, table);
        execute(
            connection,
            "CREATE INDEX %s ON %s (V) INCLUDE (W, S, P, Q) WHERE %s"
                .formatted(name, table, indexes.get(i)));
        for (String condition : conditions) {
          for (String hint : List.of("", "INDEX(" + table + " " + name + ")")) {
            String found = keysOf(connection, table, hint, condition);
            if (!found.equals(expected.get(condition))) {
              wrong.add("WHERE %s: %s %s: %s".formatted(indexes.get(i), hint, condition, found));
            }
          }
        }
        for (String hint :
            i == 0 ? List.of("", "INDEX(" + table + " " + name + ")") : List.<String>of()) {
          String sql = "SELECT /*+ %s */ K FROM %s WHERE V >= 6".formatted(hint, table);
          assertThat(explain(connection, sql).toString()).as(sql).contains("OVER " + name);
        }
        execute(connection, "DROP INDEX " + name + " ON " + table);
      }
      assertThat(wrong).isEmpty();
    }
  }

  private static String keysOf(Connection connection, String table, String hint, String condition) {
    try {
      return rows(
              connection,
              "SELECT /*+ %s */ K FROM %s WHERE %s ORDER BY K".formatted(hint, table, condition))
          .toString();
    } catch (SQLException | RuntimeException e) {
      return e.toString();
    }
  }

  /** Tests negations of IS NOT NULL, in the data table and along indexes. */
  @Test
  public void findsRowsWithoutAValue() throws SQLException {
    for (String options : List.of("", " COLUMN_ENCODED_BYTES = 0", " SALT_BUCKETS = 2")) {
      String table = generateUniqueName();
      try (Connection connection = connect(PruningMode.EXACT)) {
        execute(
            connection,
            "CREATE TABLE "
                + table
                + " (K INTEGER PRIMARY KEY, V INTEGER, W INTEGER, F.X INTEGER)"
                + options,
            "CREATE LOCAL INDEX I_" + table + " ON " + table + " (V)",
            "UPSERT INTO " + table + " VALUES (1, 1, 1, 1)",
            "UPSERT INTO " + table + " VALUES (2, NULL, 1, NULL)",
            "UPSERT INTO " + table + " VALUES (3, NULL, NULL, 1)",
            "UPSERT INTO " + table + " VALUES (4, 4, NULL, NULL)");
        connection.commit();
        for (String hint : List.of("/*+ NO_INDEX */ ", "/*+ INDEX(%1$s I_%1$s) */ ")) {
          String select = ("SELECT " + hint + "K FROM %1$s WHERE ").formatted(table);
          String what = select + options;
          assertThat(rows(connection, select + "NOT (V IS NOT NULL)"))
              .as(what)
              .isEqualTo(keys(2, 3));
          assertThat(rows(connection, select + "NOT (V IS NOT NULL AND W = 1)"))
              .as(what)
              .isEqualTo(keys(2, 3));
          assertThat(rows(connection, select + "NOT (V IS NOT NULL OR X IS NOT NULL)"))
              .as(what)
              .isEqualTo(keys(2));
          assertThat(rows(connection, select + "V > 0 OR NOT (X IS NOT NULL)"))
              .as(what)
              .isEqualTo(keys(1, 2, 4));
          assertThat(rows(connection, select + "NOT (NOT (V IS NOT NULL))"))
              .as(what)
              .isEqualTo(keys(1, 4));
          assertThat(rows(connection, select + "NOT (V = 1)")).as(what).isEqualTo(keys(4));
        }
      }
    }
  }

  /** Tests parameters of arrays: values of one type, and nulls, which are never equal. */
  @Test
  public void readsParametersOfArrays() throws SQLException {
    String table = generateUniqueName();
    String select = "SELECT K FROM " + table + " WHERE ";
    try (Connection all = connect(PruningMode.EXACT);
        Connection without = connect(Map.of(PruningOptions.PATCHES, "all,-array-parameters"))) {
      execute(
          all,
          """
          CREATE TABLE %s (K INTEGER PRIMARY KEY, V INTEGER, S VARCHAR, D DATE, B BOOLEAN,
            C CHAR(2), N BINARY(2), X INTEGER[])"""
              .formatted(table),
          "CREATE LOCAL INDEX I_" + table + " ON " + table + " (V)",
          "UPSERT INTO "
              + table
              + " (K, V, S, D, B) VALUES (0, 0, 'a', TO_DATE('1970-01-01'), FALSE)",
          "UPSERT INTO " + table + " (K, C, N) VALUES (1, 'bc', X'0102')",
          "UPSERT INTO " + table + " (K, N) VALUES (2, X'0003')",
          "UPSERT INTO "
              + table
              + " (K, V, S, D, B) VALUES (1, 5, 'b', TO_DATE('1970-01-02'), TRUE)",
          "UPSERT INTO " + table + " (K, V, S, D) VALUES (2, 6, 'c', TO_DATE('1970-01-03'))",
          "UPSERT INTO " + table + " (K, V, S) VALUES (3, 7, 'd')");
      all.commit();
      String numbers = select + "V = ANY (ARRAY[?, ?])";
      assertThat(rows(all, numbers, 5, 7)).isEqualTo(keys(1, 3));
      assertThat(rows(all, numbers, 5, null)).isEqualTo(keys(1));
      assertThat(rows(all, numbers, null, 7)).isEqualTo(keys(3));
      assertThat(rows(all, numbers, null, null)).isEmpty();
      assertThat(rows(all, numbers, new BigDecimal("5.5"), 7)).isEqualTo(keys(3));
      assertThat(rows(all, select + "V > ALL (ARRAY[5, ?])", 0)).isEqualTo(keys(2, 3));
      assertThat(rows(all, select + "S = ANY (ARRAY[?, ?])", "b", "d")).isEqualTo(keys(1, 3));
      for (String column : List.of("C", "N")) {
        assertThat(rows(all, select + column + " = ANY (ARRAY[?])", (Object) null))
            .as(column)
            .isEmpty();
        assertThat(rows(all, select + column + " = ALL (ARRAY[?, ?])", null, null))
            .as(column)
            .isEmpty();
      }
      assertThat(rows(all, select + "C = ANY (ARRAY[?, ?])", null, "bc")).isEqualTo(keys(1));
      byte[] bytes = {1, 2};
      assertThat(rows(all, select + "N = ANY (ARRAY[?, ?])", bytes, null)).isEqualTo(keys(1));
      // An array would hold no value that starts with a zero byte.
      byte[] zero = {0, 3};
      assertThat(rows(all, select + "N = ANY (ARRAY[?, ?])", bytes, zero)).isEqualTo(keys(1, 2));
      Date date = new Date(86_400_000);
      String dates = select + "D = ANY (ARRAY[?, ?])";
      assertThat(rows(all, dates, date, date)).isEqualTo(keys(1));
      assertThat(rows(all, dates, date, null)).isEqualTo(keys(1));
      assertThat(rows(all, dates, null, null)).isEmpty();
      assertThat(rows(all, select + "NOT (D = ANY (ARRAY[?, ?]))", date, null)).isEmpty();
      assertThat(rows(all, select + "NOT (D = ANY (ARRAY[?, ?]))", date, date))
          .isEqualTo(keys(0, 2));
      assertThat(rows(all, select + "NOT (D >= ALL (ARRAY[?, ?]))", date, null)).isEqualTo(keys(0));
      assertThat(rows(all, select + "B = ANY (ARRAY[?, ?])", true, null)).isEqualTo(keys(1));
      try (PreparedStatement statement = all.prepareStatement(numbers)) {
        assertThat(statement.getParameterMetaData().getParameterCount()).isEqualTo(2);
        assertThat(statement.getMetaData().getColumnCount()).isEqualTo(1);
      }
      try (PreparedStatement upsert =
          all.prepareStatement("UPSERT INTO " + table + " (K, X) VALUES (1, ARRAY[?, ?])")) {
        upsert.setInt(1, 8);
        upsert.setInt(2, 9);
        upsert.execute();
      }
      all.commit();
      assertThat(rows(all, select + "X[2] = 9")).isEqualTo(keys(1));
      assertThatThrownBy(() -> rows(without, numbers, 5, 7))
          .isInstanceOf(NullPointerException.class);
      assertThatThrownBy(() -> rows(all, "SELECT ARRAY[?, ?] FROM " + table, null, null))
          .hasMessageContaining("The type of an ARRAY is unknown");
    }
  }

  private static List<List<Object>> keys(int... keys) {
    return Arrays.stream(keys)
        .mapToObj(key -> List.<Object>of(new BigDecimal(key).stripTrailingZeros()))
        .collect(Collectors.toList());
  }

  /**
   * Tests descending decimals. Phoenix writes a negative literal with other bytes than a parameter,
   * and no comparison finds them. Our jars store the same bytes as Phoenix, and a query finds the
   * affected rows.
   */
  @Test
  public void writesDescendingDecimalsAsPhoenix() throws SQLException {
    for (PruningMode mode : PruningMode.values()) {
      try (Connection connection = connect(mode)) {
        connection.setAutoCommit(true);
        String table = generateUniqueName();
        execute(
            connection,
            """
            CREATE TABLE %s (K DECIMAL(10, 2) NOT NULL, L INTEGER NOT NULL, V DECIMAL(10, 2)
              CONSTRAINT PK PRIMARY KEY (K DESC, L))"""
                .formatted(table),
            "CREATE LOCAL INDEX I_" + table + " ON " + table + " (V)",
            "UPSERT INTO " + table + " VALUES (-1.83, 1, 5)");
        try (PreparedStatement upsert =
            connection.prepareStatement("UPSERT INTO " + table + " VALUES (?, 2, 5)")) {
          upsert.setBigDecimal(1, new BigDecimal("-1.83"));
          upsert.execute();
        }
        for (String hint : List.of("NO_INDEX", "INDEX(" + table + " I_" + table + ")")) {
          String select = "SELECT /*+ " + hint + " */ L FROM " + table + " WHERE V = 5 AND K ";
          String as = mode + ", " + hint;
          List<List<Object>> first = List.of(List.of(BigDecimal.ONE));
          List<List<Object>> second = List.of(List.of(new BigDecimal(2)));
          assertThat(rows(connection, select + "= -1.83")).as(as).isEqualTo(second);
          assertThat(rows(connection, select + "= ?", new BigDecimal("-1.83")))
              .as(as)
              .isEqualTo(second);
          assertThat(rows(connection, select + "<> K + 0")).as(as).isEqualTo(first);
        }
      }
    }
  }
}
