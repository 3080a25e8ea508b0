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

import java.sql.SQLException;
import java.util.List;
import org.junit.Test;

/** Tests columns that an index or a key stores in descending order. */
public class DescendingColumnsIT extends IndexedColumnsTest {

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

  @Test
  public void comparesNumbersWithDescendingDecimals() throws SQLException {
    for (String type :
        List.of("TINYINT", "INTEGER", "BIGINT", "UNSIGNED_LONG", "FLOAT", "DOUBLE")) {
      String numbers = "N_" + generateUniqueName();
      execute(
          exact,
          "CREATE TABLE %s (K INTEGER PRIMARY KEY, L %s, M DECIMAL)".formatted(numbers, type));
      for (int k = 0; k < 8; k++) {
        execute(
            exact, "UPSERT INTO %s VALUES (%d, %d, %s)".formatted(numbers, k, k % 4, k / 2 * 0.5));
      }
      execute(exact, "UPSERT INTO " + numbers + " (K, L) VALUES (8, 1)");
      for (String index : List.of("L, M DESC", "L DESC, M DESC", "M DESC, L")) {
        execute(exact, "CREATE LOCAL INDEX I_%1$s ON %1$s (%2$s)".formatted(numbers, index));
        for (String condition : List.of("L = M", "L > M", "L <> M AND L < 3", "NOT (L >= M)")) {
          String sql = "SELECT /*+ %s */ K FROM " + numbers + " WHERE " + condition;
          assertThat(rows(exact, sql.formatted("INDEX(%1$s I_%1$s)".formatted(numbers))))
              .as("%s of %s along (%s)", condition, type, index)
              .isEqualTo(rows(exact, sql.formatted("NO_INDEX")))
              .isNotEmpty();
        }
        execute(exact, "DROP INDEX I_%1$s ON %1$s".formatted(numbers));
      }
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
}
