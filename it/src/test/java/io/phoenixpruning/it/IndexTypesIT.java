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

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.apache.phoenix.pruning.config.PruningMode;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/**
 * Tests columns that an index stores in descending order, or as another type so that they can be
 * null.
 */
public class IndexTypesIT extends ClusterTest {

  /** Conditions with the keys of the rows that match. V stands for a column of two characters. */
  private static final Map<String, List<Integer>> LONG_PATTERNS =
      Map.ofEntries(
          entry("V LIKE 'zzz%'", List.of()),
          entry("V NOT LIKE 'zzz%'", List.of(1, 2)),
          entry("V NOT ILIKE 'ZZZ_'", List.of(1, 2)),
          entry("NOT (V LIKE 'zzz%')", List.of(1, 2)),
          entry("NOT (V NOT LIKE 'zzz%')", List.of()),
          entry("NOT (V LIKE 'zzz%' AND K < 9)", List.of(1, 2)),
          entry("V LIKE 'zzz%' OR K = 3", List.of(3)),
          entry("V NOT LIKE 'zzz%' AND V > 'A'", List.of(1, 2)),
          entry("V LIKE '\\_\\_%'", List.of(2)),
          entry("V NOT LIKE '\\_\\_%'", List.of(1)),
          entry("V LIKE '\\_\\_z%'", List.of()),
          entry("V NOT LIKE '\\_\\_z%'", List.of(1, 2)),
          entry("SUBSTR(V, 1, 1) LIKE 'zz%'", List.of()),
          entry("SUBSTR(V, 1, 1) LIKE 'zz%' OR K = 3", List.of(3)),
          entry("NOT (SUBSTR(V, 1, 1) LIKE 'zz%')", List.of(1, 2)),
          entry("SUBSTR(V, 1, 1) NOT LIKE 'zz%'", List.of(1, 2)),
          entry("UPPER(V) NOT LIKE 'ZZZ%'", List.of(1, 2)));

  private String table;

  /** Columns of the index that the test created last. */
  private String indexed;

  private Connection exact;
  private Connection none;
  private Connection stock;

  @Before
  public void createTable() throws Exception {
    table = generateUniqueName();
    exact = connect(PruningMode.EXACT);
    none = connect(PruningMode.NONE);
    stock = connect(PruningMode.STOCK);
    exact.setAutoCommit(true);
    execute(
        exact,
        """
        CREATE TABLE %s (K INTEGER PRIMARY KEY, S VARCHAR, C CHAR(4), N DECIMAL, T TIME,
          D DATE) SPLIT ON (5)"""
            .formatted(table));
    for (String row :
        List.of(
            "1, 'b', 'b', 20000, TO_TIME('1970-01-01 00:00:20'), DATE '2020-01-01 10:00:00'",
            "2, 'bz', 'bz', 22000, TO_TIME('1970-01-01 00:00:22'), DATE '2020-01-02 00:00:00'",
            "3, NULL, NULL, NULL, NULL, NULL",
            "6, 'b', 'b', 20000, TO_TIME('1970-01-01 00:00:20'), DATE '2020-01-03 00:00:00'",
            "7, NULL, NULL, NULL, NULL, NULL")) {
      execute(exact, "UPSERT INTO " + table + " VALUES (" + row + ")");
    }
  }

  @After
  public void disconnect() throws SQLException {
    exact.close();
    none.close();
    stock.close();
  }

  private void createIndex(String column) throws SQLException {
    indexed = column;
    execute(exact, "CREATE LOCAL INDEX I_" + table + " ON " + table + " (" + column + ")");
  }

  /** Returns the query along the index. In {@code select}, {@code $T} stands for the table. */
  private String withIndexHint(String select) {
    return "SELECT /*+ INDEX(" + table + " I_" + table + ") */ " + select.replace("$T", table);
  }

  private void assertThatRowsAreRight(String select) throws SQLException {
    List<List<Object>> expected =
        rows(exact, "SELECT /*+ NO_INDEX */ " + select.replace("$T", table));
    String what = select + " along (" + indexed + ")";
    assertThat(expected).as(what).isNotEmpty();
    for (Connection connection : List.of(exact, none)) {
      assertThat(explain(connection, withIndexHint(select)).toString())
          .as(what)
          .contains("OVER I_" + table);
      assertThat(rows(connection, withIndexHint(select))).as(what).isEqualTo(expected);
    }
  }

  /**
   * Tests groups of descending columns. A region returns bz before b, because the bytes of b with
   * its separator are greater.
   */
  @Test
  public void mergesTheGroupsOfDescendingColumns() throws SQLException {
    for (String column : List.of("S", "C", "N", "T")) {
      createIndex(column + " DESC");
      String count = column + ", COUNT(*) FROM $T GROUP BY " + column;
      assertThatRowsAreRight(count);
      assertThatRowsAreRight("DISTINCT " + column + " FROM $T");
      assertThatRowsAreRight(count + " HAVING COUNT(*) > 1");
      assertThatRowsAreRight("MAX(K), " + column + " FROM $T WHERE K <> 3 GROUP BY " + column);
      assertThatRowsAreRight(count + " ORDER BY " + column);
      assertThatRowsAreRight(count + " ORDER BY " + column + " DESC");
      // Stock groups by a CHAR of its own width, without using the order of the index.
      assertThat(rows(stock, withIndexHint(count))).as(column).hasSize(column.equals("C") ? 3 : 4);
      execute(exact, "DROP INDEX I_" + table + " ON " + table);
    }
  }

  @Test
  public void mergesTheGroupsOfSaltedTables() throws SQLException {
    String salted = "S_" + table;
    execute(
        exact,
        """
        CREATE TABLE %s (S VARCHAR NOT NULL, K INTEGER NOT NULL
          CONSTRAINT PK PRIMARY KEY (S DESC, K)) SALT_BUCKETS = 4"""
            .formatted(salted));
    for (int row = 0; row < 20; row++) {
      execute(
          exact,
          "UPSERT INTO " + salted + " VALUES ('" + (row % 2 == 0 ? "b" : "bz") + "', " + row + ")");
    }
    String select = "SELECT S, COUNT(*) FROM " + salted + " GROUP BY S";
    assertThat(rows(exact, select)).hasSize(2);
    assertThat(rows(exact, select + " HAVING COUNT(*) = 10")).hasSize(2);
    assertThat(rows(stock, select)).hasSizeGreaterThan(2);
  }

  /**
   * Tests sorting by descending columns. A sort key has no separator, so the descending bytes of b
   * are a prefix of those of bz.
   */
  @Test
  public void ordersByDescendingColumns() throws SQLException {
    for (String column : List.of("S", "C", "N", "T", "D")) {
      createIndex(column + " DESC");
      String select = column + ", K FROM $T ORDER BY " + column;
      assertThatRowsAreRight(select + ", K DESC");
      assertThatRowsAreRight(select + " DESC, K");
      assertThatRowsAreRight(select + " NULLS LAST, K DESC LIMIT 2");
      assertThatRowsAreRight(select + " DESC NULLS LAST, K LIMIT 3 OFFSET 1");
      assertThatRowsAreRight("K, " + column + " FROM $T ORDER BY K + 1, " + column);
      execute(exact, "DROP INDEX I_" + table + " ON " + table);
    }
    String keys = "S_" + table;
    execute(
        exact,
        """
        CREATE TABLE %s (S VARCHAR NOT NULL, K INTEGER NOT NULL, V INTEGER
          CONSTRAINT PK PRIMARY KEY (S DESC, K))"""
            .formatted(keys));
    List<String> values = List.of("a", "b", "bb", "bz");
    for (String value : values) {
      execute(exact, "UPSERT INTO " + keys + " VALUES ('" + value + "', 1, 1)");
    }
    for (String order : List.of("V, S", "K DESC, S", "S", "S, K DESC")) {
      assertThat(rows(exact, "SELECT S FROM " + keys + " ORDER BY " + order))
          .as(order)
          .flatMap(row -> row)
          .isEqualTo(values);
    }
    String union = "SELECT S FROM " + keys + " WHERE K = 1 UNION ALL SELECT S FROM " + keys;
    assertThat(rows(exact, union + " WHERE K = 2 ORDER BY S"))
        .flatMap(row -> row)
        .isEqualTo(values);
    String derived = "SELECT S FROM (SELECT S, V FROM " + keys + " LIMIT 9) ORDER BY V, S";
    assertThat(rows(exact, derived)).flatMap(row -> row).isEqualTo(values);
    String grouped = "SELECT S, K FROM " + keys + " GROUP BY S, K ORDER BY K, S";
    assertThat(rows(exact, grouped)).flatMap(row -> row.subList(0, 1)).isEqualTo(values);
    String both = "SELECT S, COUNT(*) FROM (" + union + ") GROUP BY S HAVING COUNT(*) = 2";
    assertThat(rows(exact, both)).flatMap(row -> row.subList(0, 1)).isEqualTo(values);
  }

  @Test
  public void joinsByTimesThatAreKeptAsDecimals() throws SQLException {
    execute(
        exact,
        "CREATE TABLE D_" + table + " (ID INTEGER PRIMARY KEY, T TIME, D DATE)",
        """
        UPSERT INTO D_%s VALUES (9, TO_TIME('1970-01-01 00:00:20'),
          DATE '2020-01-02 00:00:00')"""
            .formatted(table));
    for (String column : List.of("T", "D")) {
      for (String order : List.of(" ASC", " DESC")) {
        createIndex(column + order);
        for (String hint : List.of("", "USE_SORT_MERGE_JOIN ")) {
          String join = "*/ A.K, B.ID FROM $T A JOIN D_$T B ON A." + column + " = B." + column;
          String sql = "SELECT /*+ " + hint + join.replace("$T", table);
          List<List<Object>> right = rows(exact, sql.replace("/*+ ", "/*+ NO_INDEX "));
          assertThat(right).as(sql).hasSize(column.equals("T") ? 2 : 1);
          String along = sql.replace("/*+ ", "/*+ INDEX(A I_" + table + ") ");
          assertThat(explain(exact, along).toString()).as(along).contains("OVER I_" + table);
          assertThat(rows(exact, along)).as(along).isEqualTo(right);
        }
        execute(exact, "DROP INDEX I_" + table + " ON " + table);
      }
    }
  }

  /** Tests decimals with more digits than fit into the bytes of the column's type. */
  @Test
  public void readsLongDecimals() throws SQLException {
    String longs = "L_" + table;
    execute(
        exact,
        "CREATE TABLE " + longs + " (K INTEGER PRIMARY KEY, L UNSIGNED_LONG, D DATE)",
        "UPSERT INTO " + longs + " VALUES (1, 9223372036854775807, DATE '9020-01-01 10:20:30.123')",
        "UPSERT INTO " + longs + " VALUES (2, 202095989643365, DATE '9020-01-01 10:20:30.124')",
        "UPSERT INTO " + longs + " VALUES (3, 1, DATE '2020-01-01')");
    for (String column : List.of("L", "D")) {
      for (String order : List.of(" ASC", " DESC")) {
        String index = "I_" + longs;
        execute(
            exact, "CREATE LOCAL INDEX " + index + " ON " + longs + " (" + column + order + ")");
        for (String select :
            List.of(
                "K, $C FROM $T",
                "A.K, B.K FROM $T A JOIN $T B ON A.$C = B.$C",
                "K FROM $T WHERE $C IN (SELECT $C FROM $T)",
                "K FROM $T WHERE $C > (SELECT MIN($C) FROM $T)")) {
          String sql = select.replace("$T", longs).replace("$C", column);
          List<List<Object>> right = rows(exact, "SELECT /*+ NO_INDEX */ " + sql);
          String along = "SELECT /*+ INDEX(" + longs + " " + index + ") */ " + sql;
          assertThat(explain(exact, along).toString()).as(along).contains("OVER " + index);
          assertThat(rows(exact, along)).as(along).isEqualTo(right);
        }
        execute(exact, "DROP INDEX " + index + " ON " + longs);
      }
    }
  }

  @Test
  public void countsDistinctDescendingValues() throws SQLException {
    String counted = "C_" + table;
    execute(
        exact,
        "CREATE TABLE %s (K INTEGER PRIMARY KEY, A VARCHAR, S VARCHAR, N DECIMAL(9, 2))"
            .formatted(counted),
        "CREATE LOCAL INDEX I_%1$s ON %1$s (A, S DESC, N DESC)".formatted(counted));
    for (int k = 0; k < 12; k++) {
      execute(
          exact,
          "UPSERT INTO %s VALUES (%d, '%s', 's%d', %d)"
              .formatted(counted, k, k % 3 == 0 ? "x" : "y", k % 5, k % 4));
    }
    for (String select :
        List.of(
            "A, COUNT(DISTINCT S) FROM %s GROUP BY A ORDER BY COUNT(DISTINCT S)",
            "A, COUNT(DISTINCT S) FROM %s GROUP BY A ORDER BY COUNT(*) DESC",
            "A, COUNT(DISTINCT N), COUNT(DISTINCT S) FROM %s GROUP BY A ORDER BY MAX(K)")) {
      String query = select.formatted(counted);
      List<List<Object>> expected = rows(exact, "SELECT /*+ NO_INDEX */ " + query);
      assertThat(expected).as(query).hasSize(2);
      String hint = "INDEX(%1$s I_%1$s)".formatted(counted);
      assertThat(rows(exact, "SELECT /*+ " + hint + " */ " + query)).as(query).isEqualTo(expected);
    }
  }

  /** The regions have parts of one group, which the client merges. */
  @Test
  public void mergesCountsOfDescendingValues() throws SQLException {
    String counted = "M_" + table;
    execute(
        exact,
        """
        CREATE TABLE %s (A INTEGER NOT NULL, B INTEGER NOT NULL, S DATE NOT NULL
          CONSTRAINT PK PRIMARY KEY (A, B, S DESC)) SPLIT ON (x'8000000180000005')"""
            .formatted(counted));
    for (int b = 0; b < 10; b++) {
      execute(
          exact,
          "UPSERT INTO %s VALUES (1, %d, TO_DATE('2020-01-0%d'))".formatted(counted, b, 1 + b % 3));
    }
    assertThat(
            rows(exact, "SELECT A, COUNT(DISTINCT S) FROM " + counted + " GROUP BY A").toString())
        .isEqualTo("[[1, 3]]");
  }

  @Test
  public void joinsDescendingTimes() throws SQLException {
    for (String type : List.of("TIMESTAMP", "UNSIGNED_TIMESTAMP", "DATE", "TIME")) {
      String times = "T_" + generateUniqueName();
      String other = "D_" + times;
      execute(
          exact,
          """
          CREATE TABLE %s (A INTEGER NOT NULL, K %s NOT NULL, V INTEGER
            CONSTRAINT PK PRIMARY KEY (A, K DESC))"""
              .formatted(times, type),
          "CREATE LOCAL INDEX I_" + times + " ON " + times + " (V)",
          "CREATE TABLE " + other + " (ID INTEGER PRIMARY KEY, X " + type + ")");
      for (int i = 1; i < 4; i++) {
        String time = "'2020-01-0" + i + " 10:20:30.123'";
        String value =
            type.startsWith("UNSIGNED")
                ? "CAST(TIMESTAMP " + time + " AS " + type + ")"
                : type + " " + time;
        execute(exact, "UPSERT INTO " + times + " VALUES (1, " + value + ", 5)");
        if (i != 2) {
          execute(exact, "UPSERT INTO " + other + " VALUES (" + i + ", " + value + ")");
        }
      }
      for (String select :
          List.of(
              "ID, V FROM $T JOIN $D ON K = X WHERE V = 5",
              "ID, V FROM $D JOIN $T ON X = K WHERE V = 5",
              "ID, V FROM $D LEFT JOIN $T ON X = K WHERE V = 5",
              "K, V FROM $T WHERE V = 5 AND K IN (SELECT X FROM $D)")) {
        for (String hint : List.of("NO_INDEX", "INDEX(" + times + " I_" + times + ")")) {
          String sql =
              "SELECT /*+ %s */ %s"
                  .formatted(hint, select.replace("$T", times).replace("$D", other));
          assertThat(rows(exact, sql)).as(type + ": " + sql).hasSize(2);
        }
      }
    }
  }

  /**
   * Checks the types of joined columns. Without the patch, a DATE is returned as a number, because
   * the index stores it as DECIMAL.
   */
  @Test
  public void keepsTheTypesOfJoins() throws SQLException {
    for (String index : List.of("D) INCLUDE (C, T", "D DESC) INCLUDE (C, T", "C DESC, T, D")) {
      createIndex(index);
      String where = " FROM $T WHERE K IN (SELECT K FROM $T WHERE K > 1)";
      assertThatRowsAreRight("K, D, C, T" + where);
      assertThatRowsAreRight("DISTINCT D, T" + where);
      assertThatRowsAreRight("D, MAX(T), COUNT(*)" + where + " GROUP BY D");
      assertThatRowsAreRight("D AS E, K" + where + " ORDER BY D DESC, K LIMIT 3");
      assertThatRowsAreRight("D, J FROM $T JOIN (SELECT K + 1 AS J FROM $T) AS O ON K = O.J");
      execute(exact, "DROP INDEX I_" + table + " ON " + table);
    }
  }

  /** Tests rounding of dates. Mode stock fails even if no hint names the index. */
  @Test
  public void roundsDatesThatAreKeptAsDecimals() throws SQLException {
    for (String order : List.of(" ASC", " DESC")) {
      createIndex("D" + order);
      for (String condition :
          List.of(
              "FLOOR(D, 'DAY') = DATE '2020-01-01'",
              "FLOOR(D, 'DAY') > DATE '2020-01-01'",
              "TRUNC(D, 'HOUR') <= DATE '2020-01-01 10:00:00'",
              "CEIL(D, 'DAY') IN (DATE '2020-01-02', DATE '2020-01-04')",
              "ROUND(D, 'MONTH') >= DATE '2020-01-01'")) {
        assertThatRowsAreRight("K FROM $T WHERE " + condition);
      }
      assertThatThrownBy(
              () ->
                  rows(
                      stock,
                      "SELECT K FROM " + table + " WHERE FLOOR(D, 'DAY') = DATE '2020-01-01'"))
          .as("D%s", order)
          .isInstanceOf(NullPointerException.class);
      execute(exact, "DROP INDEX I_" + table + " ON " + table);
    }
  }

  @Test
  public void findsThePrefixesOfDescendingChars() throws SQLException {
    createIndex("C DESC");
    String select = "K FROM $T WHERE SUBSTR(C, 1, 1) = 'b'";
    assertThatRowsAreRight(select);
    assertThatRowsAreRight("K FROM $T WHERE SUBSTR(C, 1, 1) IN ('b', 'c')");
    assertThatRowsAreRight("K FROM $T WHERE SUBSTR(C, 1, 2) > 'b'");
    assertThat(rows(stock, withIndexHint(select))).isEmpty();
  }

  /**
   * Checks that NOT LIKE is not true for NULL. The data table does not store a column that is null,
   * so LIKE has no value to evaluate.
   */
  @Test
  public void nullIsNotUnlikeAnything() throws SQLException {
    for (String column : List.of("S", "S DESC", "C", "C DESC")) {
      createIndex(column);
      String name = column.substring(0, 1);
      for (String condition :
          List.of("NOT LIKE 'z%'", "NOT LIKE 'bz%'", "NOT LIKE '_z'", "NOT ILIKE 'BZ%'")) {
        assertThatRowsAreRight("K FROM $T WHERE " + name + " " + condition);
      }
      assertThatRowsAreRight("K FROM $T WHERE NOT (K = 1 OR " + name + " LIKE 'z%')");
      execute(exact, "DROP INDEX I_" + table + " ON " + table);
    }
  }

  /** Compares with known rows, because the data table has the same defect without the patch. */
  @Test
  public void comparesWithLongPatterns() throws SQLException {
    String shortTable = generateUniqueName();
    execute(
        exact,
        "CREATE TABLE %s (K INTEGER PRIMARY KEY, S VARCHAR(2), C CHAR(2))".formatted(shortTable),
        "UPSERT INTO %s VALUES (1, 'a', 'a')".formatted(shortTable),
        "UPSERT INTO %s VALUES (2, '__', '__')".formatted(shortTable),
        "UPSERT INTO %s VALUES (3, NULL, NULL)".formatted(shortTable));
    for (String index : List.of("S) INCLUDE (C", "S DESC) INCLUDE (C", "C) INCLUDE (S", "C DESC")) {
      execute(exact, "CREATE LOCAL INDEX I_%1$s ON %1$s (%2$s)".formatted(shortTable, index));
      for (String hint : List.of("NO_INDEX", "INDEX(%1$s I_%1$s)".formatted(shortTable))) {
        for (String column : List.of("S", "C")) {
          LONG_PATTERNS.forEach(
              (condition, expected) ->
                  assertThat(keys(shortTable, hint, condition.replace("V", column)))
                      .as("%s, %s, %s", index, hint, condition)
                      .isEqualTo(expected));
          assertThat(keys(shortTable, hint, column + " NOT LIKE ?", "zzz%"))
              .as("%s, %s, %s NOT LIKE ?", index, hint, column)
              .isEqualTo(List.of(1, 2));
        }
      }
      execute(exact, "DROP INDEX I_%1$s ON %1$s".formatted(shortTable));
    }
  }

  private List<Integer> keys(String of, String hint, String condition, Object... binds) {
    try {
      return rows(
              exact, "SELECT /*+ %s */ K FROM %s WHERE %s".formatted(hint, of, condition), binds)
          .stream()
          .map(row -> ((Number) row.get(0)).intValue())
          .sorted()
          .toList();
    } catch (SQLException e) {
      throw new AssertionError(condition, e);
    }
  }

  /** Tests a text below all others, and a backslash in a text of the greatest length. */
  @Test
  public void comparesUnusualTextsWithLongPatterns() throws SQLException {
    String unusual = generateUniqueName();
    execute(exact, "CREATE TABLE %s (K INTEGER PRIMARY KEY, S VARCHAR(4))".formatted(unusual));
    try (PreparedStatement upsert =
        exact.prepareStatement("UPSERT INTO " + unusual + " VALUES (?, ?)")) {
      List<String> texts = List.of("\u0000", "a\\bc");
      for (int i = 0; i < texts.size(); i++) {
        upsert.setInt(1, i + 1);
        upsert.setString(2, texts.get(i));
        upsert.execute();
      }
    }
    assertThat(keys(unusual, "NO_INDEX", "S LIKE ? OR K = 7", "zzzzz%")).isEmpty();
    assertThat(keys(unusual, "NO_INDEX", "S NOT LIKE ?", "zzzzz%")).isEqualTo(List.of(1, 2));
    assertThat(keys(unusual, "NO_INDEX", "S LIKE ?", "a\\\\bc%")).isEqualTo(List.of(2));
    assertThat(keys(unusual, "NO_INDEX", "S LIKE ?", "a\\\\%bc%")).isEqualTo(List.of(2));
    assertThat(
            explain(exact, "SELECT K FROM " + unusual + " WHERE S LIKE 'zzzzz%' AND K > 0")
                .toString())
        .contains("DEGENERATE SCAN");
  }

  /** A column that a view fixes is a literal along an index. */
  @Test
  public void comparesFixedColumnsWithLongPatterns() throws SQLException {
    for (String order : List.of("", " DESC")) {
      String base = generateUniqueName();
      String view = generateUniqueName();
      execute(
          exact,
          """
          CREATE TABLE %s (K1 VARCHAR(2) NOT NULL, K INTEGER NOT NULL, V INTEGER
            CONSTRAINT PK PRIMARY KEY (K1%s, K))"""
              .formatted(base, order),
          "CREATE LOCAL INDEX I_%1$s ON %1$s (V)".formatted(base),
          "CREATE VIEW %s AS SELECT * FROM %s WHERE K1 = 'a'".formatted(view, base),
          "UPSERT INTO %s VALUES ('a', 1, 5)".formatted(base),
          "UPSERT INTO %s VALUES ('b', 2, 6)".formatted(base));
      for (String hint : List.of("NO_INDEX", "INDEX(%1$s I_%1$s)".formatted(base))) {
        assertThat(keys(base, hint, "K1 NOT LIKE 'zzz%'")).as(hint).isEqualTo(List.of(1, 2));
        assertThat(keys(base, hint, "NOT (K1 LIKE 'zzz%')")).as(hint).isEqualTo(List.of(1, 2));
        assertThat(keys(base, hint, "K1 LIKE 'zzz%'")).as(hint).isEmpty();
      }
      for (String hint : List.of("NO_INDEX", "INDEX(%1$s %1$s#I_%2$s)".formatted(view, base))) {
        assertThat(keys(view, hint, "K1 NOT LIKE 'zzz%'")).as(hint).isEqualTo(List.of(1));
        assertThat(keys(view, hint, "K1 NOT LIKE ?", "zzz%")).as(hint).isEqualTo(List.of(1));
        assertThat(keys(view, hint, "K1 LIKE 'zzz%' OR V = 5")).as(hint).isEqualTo(List.of(1));
        assertThat(keys(view, hint, "K1 LIKE 'a%'")).as(hint).isEqualTo(List.of(1));
        assertThat(keys(view, hint, "K1 LIKE 'zzz%'")).as(hint).isEmpty();
      }
    }
  }

  @Test
  public void comparesNullsWithArrays() throws SQLException {
    for (String index : List.of("S) INCLUDE (C, N", "C DESC) INCLUDE (S, N", "D) INCLUDE (S, N")) {
      createIndex(index);
      for (String condition :
          List.of(
              "S <> ANY (ARRAY['x'])",
              "S = ANY (ARRAY['b', 'x'])",
              "S >= ALL (ARRAY['a', 'b'])",
              "NOT (S = ANY (ARRAY['b', 'x']))",
              "NOT (S >= ALL (ARRAY['b', 'bz']))",
              "K = 2 OR NOT (S <> ALL (ARRAY['bz', 'x']))",
              "S = ANY (ARRAY[NULL, 'b'])",
              "K = 2 OR S = ANY (CAST(NULL AS VARCHAR ARRAY))",
              "K = 2 OR 'b' = ANY (ARRAY[S, 'x'])",
              "K = 2 OR NULL = ANY (ARRAY[S, 'b'])",
              "K = 2 OR NOT (NULL <> ALL (ARRAY[S, 'b']))")) {
        assertThatRowsAreRight("K FROM $T WHERE " + condition);
      }
      for (String subquery :
          List.of(
              "K < 6 AND N <= ALL (SELECT N FROM $T WHERE K > 1 AND N > 0)",
              "N > ANY (SELECT N FROM $T WHERE K > 0) AND K <> 1",
              "K = 6 OR NOT (N <= ALL (SELECT N FROM $T WHERE K IN (1, 6)))")) {
        assertThatRowsAreRight("K FROM $T WHERE " + subquery);
      }
      assertThat(
              rows(
                  exact,
                  withIndexHint("K FROM $T WHERE NOT (S >= ALL (ARRAY['b', 'bz'])) ORDER BY K")))
          .as("b is not, null is not known, along (%s)", index)
          .hasSize(2);
      execute(exact, "DROP INDEX I_" + table + " ON " + table);
    }
  }

  @Test
  public void comparesDescendingColumnsWithAscendingOnes() throws SQLException {
    String mixed = "M_" + table;
    for (String type : List.of("DECIMAL", "INTEGER", "VARCHAR")) {
      execute(
          exact,
          """
          CREATE TABLE %s (A %s NOT NULL, B %s NOT NULL, V INTEGER
            CONSTRAINT PK PRIMARY KEY (A DESC, B))"""
              .formatted(mixed, type, type),
          "CREATE LOCAL INDEX I_" + mixed + " ON " + mixed + " (V)");
      List<String> values =
          type.equals("VARCHAR")
              ? List.of("'a'", "'ab'", "'z'", "'\u00e9'")
              : List.of("-1142", "-165", "-1", "0", "1", "165", "1142");
      for (int a = 0; a < values.size(); a++) {
        for (int b = 0; b < values.size(); b++) {
          String row = values.get(a) + ", " + values.get(b) + ", " + (a <= b ? 1 : 0);
          execute(exact, "UPSERT INTO " + mixed + " VALUES (" + row + ")");
        }
      }
      int right = values.size() * (values.size() + 1) / 2;
      for (String hint : List.of("NO_INDEX", "INDEX(" + mixed + " I_" + mixed + ")")) {
        String select = "SELECT /*+ " + hint + " */ A, B FROM " + mixed + " WHERE ";
        List<List<Object>> expected = rows(exact, select + "V = 1");
        assertThat(expected).as("%s, %s", type, hint).hasSize(right);
        for (String condition : List.of("A <= B", "NOT (A > B)", "B >= A", "NOT (B < A)")) {
          assertThat(rows(exact, select + "V >= 0 AND " + condition))
              .as("%s of %s, %s", condition, type, hint)
              .isEqualTo(expected);
        }
      }
      String least = "SELECT A, B FROM " + mixed + " WHERE A <= ALL (SELECT B FROM " + mixed + ")";
      assertThat(rows(exact, least)).as("%s: %s", type, least).hasSize(values.size());
      execute(exact, "DROP TABLE " + mixed);
    }
  }

  /**
   * Tests AND and OR in a CASE. Phoenix does not reset them between rows, so it remembers a null of
   * the previous row.
   */
  @Test
  public void forgetsTheNullsOfOtherRowsInACase() throws SQLException {
    String nulls = "N_" + table;
    execute(
        exact,
        """
        CREATE TABLE %s (K1 INTEGER NOT NULL, K2 VARCHAR, V INTEGER
          CONSTRAINT PK PRIMARY KEY (K1, K2))"""
            .formatted(nulls),
        "CREATE LOCAL INDEX I_" + nulls + " ON " + nulls + " (V)",
        "UPSERT INTO " + nulls + " VALUES (1, NULL, 1)",
        "UPSERT INTO " + nulls + " VALUES (2, 'a', 1)",
        "UPSERT INTO " + nulls + " VALUES (3, 'b', 1)");
    exact.commit();
    for (String hint : List.of("NO_INDEX", "INDEX(" + nulls + " I_" + nulls + ")")) {
      String select = "SELECT /*+ " + hint + " */ K1 FROM " + nulls + " WHERE V = 1 AND ";
      assertThat(rows(exact, select + "CASE WHEN K2 = 'a' AND K1 > 0 THEN 1 ELSE 0 END = 1"))
          .as(hint)
          .isEqualTo(rows(exact, "SELECT 2"));
      assertThat(rows(exact, select + "CASE WHEN K2 = 'a' OR K1 < 0 THEN 0 ELSE 1 END = 1"))
          .as(hint)
          .isEqualTo(rows(exact, "SELECT 1 UNION ALL SELECT 3"));
    }
  }
}
