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

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import junitparams.JUnitParamsRunner;
import junitparams.Parameters;
import junitparams.naming.TestCaseName;
import org.apache.phoenix.pruning.config.PruningOptions;
import org.junit.Test;
import org.junit.runner.RunWith;

/**
 * Tests conditions that consist of a BOOLEAN column only, in the data table and along local
 * indexes.
 */
@RunWith(JUnitParamsRunner.class)
public class BooleanConditionIT extends TableTest {

  /** Conditions, with the keys of the matching rows among the rows that {@link #create} writes. */
  private static final Map<String, List<Integer>> CONDITIONS =
      Map.ofEntries(
          Map.entry("P", List.of(1, 4, 6)),
          Map.entry("NOT P", List.of(2, 5, 7)),
          Map.entry("P AND K < 5", List.of(1, 4)),
          Map.entry("K < 5 AND NOT P", List.of(2)),
          Map.entry("P AND Q AND K > 0", List.of(1, 6)),
          Map.entry("P AND (Q AND K > 1)", List.of(6)),
          Map.entry("P AND NOT P", List.of()),
          Map.entry("P AND V > 1", List.of(4)),
          Map.entry("V > 1 AND K > 2", List.of(4)),
          Map.entry("V > 1", List.of(2, 4)),
          Map.entry("NOT P AND V > 1", List.of(2)),
          Map.entry("P OR K = 2", List.of(1, 2, 4, 6)),
          Map.entry("(P OR K = 2) AND Q", List.of(1, 2, 6)),
          Map.entry("P AND V IS NULL", List.of(6)),
          Map.entry("P AND K IN (1, 2, 3)", List.of(1)),
          Map.entry("P = TRUE AND K < 5", List.of(1, 4)));

  private void create(String key, String options) throws SQLException {
    execute(
        connection,
        """
        CREATE TABLE %s (K INTEGER NOT NULL, P BOOLEAN, Q BOOLEAN, V INTEGER
          CONSTRAINT PK PRIMARY KEY (%s)) %s"""
            .formatted(table, key, options),
        "UPSERT INTO " + table + " (K, P, Q, V) VALUES (1, TRUE, TRUE, 1)",
        "UPSERT INTO " + table + " (K, P, Q, V) VALUES (2, FALSE, TRUE, 2)",
        "UPSERT INTO " + table + " (K, P, Q, V) VALUES (3, NULL, TRUE, NULL)",
        "UPSERT INTO " + table + " (K, P, Q, V) VALUES (4, TRUE, FALSE, 3)",
        "UPSERT INTO " + table + " (K, P, Q, V) VALUES (5, FALSE, NULL, NULL)",
        "UPSERT INTO " + table + " (K, P, Q, V) VALUES (6, TRUE, TRUE, NULL)",
        "UPSERT INTO " + table + " (K, P, Q, V) VALUES (7, FALSE, FALSE, 0)");
  }

  private List<Integer> keys(Connection of, String hint, String where) throws SQLException {
    List<Integer> keys = new ArrayList<>();
    for (List<Object> row :
        rows(of, "SELECT /*+ %s */ K FROM %s WHERE %s".formatted(hint, table, where))) {
      keys.add(((Number) row.get(0)).intValue());
    }
    keys.sort(null);
    return keys;
  }

  @Test
  @Parameters({"K | SPLIT ON (4)", "K | SALT_BUCKETS = 3", "K DESC |"})
  @TestCaseName("{method}[{0} {1}]")
  public void findsRowsOfTheTable(String key, String options) throws SQLException {
    create(key, options);
    for (Map.Entry<String, List<Integer>> condition : CONDITIONS.entrySet()) {
      assertThat(keys(connection, "NO_INDEX", condition.getKey()))
          .as(condition.getKey())
          .isEqualTo(condition.getValue());
    }
  }

  @Test
  @Parameters({"V", "P", "P DESC", "P\\, V", "Q", "NOT P", "V > 1", "V IS NULL", "P AND V > 1"})
  @TestCaseName("{method}[{0}]")
  public void findsRowsAlongAnIndex(String indexed) throws SQLException {
    create("K", "SPLIT ON (4)");
    String index = "I_" + table;
    execute(connection, "CREATE LOCAL INDEX " + index + " ON " + table + " (" + indexed + ")");
    for (Map.Entry<String, List<Integer>> condition : CONDITIONS.entrySet()) {
      assertThat(keys(connection, "INDEX(" + table + " " + index + ")", condition.getKey()))
          .as(condition.getKey())
          .isEqualTo(condition.getValue());
    }
  }

  @Test
  @Parameters({"B\\, K", "B DESC\\, K"})
  @TestCaseName("{method}[{0}]")
  public void findsRowsOfAKeyColumn(String key) throws SQLException {
    execute(
        connection,
        """
        CREATE TABLE %s (B BOOLEAN NOT NULL, K INTEGER NOT NULL, V INTEGER
          CONSTRAINT PK PRIMARY KEY (%s))"""
            .formatted(table, key),
        "CREATE LOCAL INDEX I_" + table + " ON " + table + " (V)",
        "UPSERT INTO " + table + " VALUES (TRUE, 1, 1)",
        "UPSERT INTO " + table + " VALUES (FALSE, 2, 1)",
        "UPSERT INTO " + table + " VALUES (TRUE, 3, 2)");
    for (String hint : List.of("NO_INDEX", "INDEX(" + table + " I_" + table + ")")) {
      assertThat(keys(connection, hint, "B")).as(hint).containsExactly(1, 3);
      assertThat(keys(connection, hint, "B AND K < 3")).as(hint).containsExactly(1);
      assertThat(keys(connection, hint, "B AND V = 1")).as(hint).containsExactly(1);
    }
  }

  /**
   * Returns statements with {@code condition} on alias A. In each statement, # stands for the
   * table.
   */
  private static List<String> statements(String hint, String condition) {
    return Stream.of(
            "SELECT %s A.K FROM # A WHERE %s",
            "SELECT %s A.K FROM # A WHERE %s AND A.K < 6",
            "SELECT %s A.K FROM # A JOIN # B ON A.K = B.K WHERE %s",
            "SELECT %s A.K FROM # B JOIN # A ON A.K = B.K AND %s",
            "SELECT %s A.K, B.K FROM # B LEFT JOIN # A ON A.K = B.K AND %s",
            "SELECT %s A.K, B.K FROM # A RIGHT JOIN # B ON A.K = B.K WHERE %s",
            "SELECT %s A.K FROM # A JOIN # B ON A.K = B.K JOIN # C ON B.K = C.K WHERE %s AND C.Q",
            "SELECT %s A.K FROM # A WHERE %s AND A.K IN (SELECT K FROM # B WHERE B.K > 1)",
            "SELECT %s A.K FROM # A WHERE A.K NOT IN (SELECT K FROM # B WHERE B.Q) AND %s",
            "SELECT %s B.K FROM # B WHERE B.K IN (SELECT A.K FROM # A WHERE %s)",
            "SELECT %s B.K FROM # B WHERE EXISTS (SELECT 1 FROM # A WHERE A.K = B.K AND %s)",
            "SELECT %s B.K FROM # B WHERE B.K = (SELECT MAX(A.K) FROM # A WHERE A.K = B.K AND %s)",
            "SELECT %s X.K FROM (SELECT A.K FROM # A WHERE %s) X JOIN # B ON X.K = B.K",
            "SELECT %s A.K FROM # A WHERE %s UNION ALL SELECT B.K FROM # B WHERE B.Q")
        .map(statement -> statement.formatted(hint, condition))
        .toList();
  }

  /** Returns an equivalent condition that Phoenix does not ignore. */
  private static String compared(String condition) {
    return "CASE WHEN " + condition + " THEN 1 ELSE 0 END = 1";
  }

  @Test
  @Parameters({"", "V", "P", "COALESCE(P\\, FALSE)"})
  @TestCaseName("{method}[{0}]")
  public void findsRowsOfJoinsAndSubqueries(String indexed) throws SQLException {
    create("K", "SPLIT ON (4)");
    List<String> hints = new ArrayList<>(List.of("", "/*+ USE_SORT_MERGE_JOIN */"));
    Combinations combinations = Combinations.oneOf(3);
    if (!indexed.isEmpty()) {
      String index = "I_" + table;
      execute(connection, "CREATE LOCAL INDEX " + index + " ON " + table + " (" + indexed + ")");
      hints.add("/*+ INDEX(A " + index + ") */");
    }
    for (String hint : hints) {
      for (String condition :
          List.of("A.P", "A.P AND A.Q", "COALESCE(A.P, FALSE)", "CAST(A.P AS BOOLEAN)", "FALSE")) {
        List<String> expected = statements(hint, compared(condition));
        List<String> bare = statements(hint, condition);
        for (int i = 0; i < bare.size(); i++) {
          if (!combinations.chooseNext()) {
            continue;
          }
          assertThat(rows(connection, bare.get(i).replace("#", table)))
              .as(bare.get(i))
              .isEqualTo(rows(connection, expected.get(i).replace("#", table)));
        }
      }
    }
  }

  @Test
  @Parameters({"", "P"})
  @TestCaseName("{method}[{0}]")
  public void findsGroups(String indexed) throws SQLException {
    create("K", "SPLIT ON (4)");
    if (!indexed.isEmpty()) {
      execute(connection, "CREATE LOCAL INDEX I_" + table + " ON " + table + " (" + indexed + ")");
    }
    for (String having : List.of("P", "P AND COUNT(*) > 0")) {
      String sql = "SELECT P, COUNT(*) FROM " + table + " GROUP BY P HAVING " + having;
      assertThat(rows(connection, sql)).as(sql).hasToString("[[true, 3]]");
    }
  }

  @Test
  public void deletesAndCopiesRowsOfSubqueries() throws SQLException {
    create("K", "SPLIT ON (4)");
    execute(connection, "CREATE LOCAL INDEX I_" + table + " ON " + table + " (P)");
    String keys = " AND K IN (SELECT K FROM " + table + " WHERE Q)";
    try (Statement statement = connection.createStatement()) {
      assertThat(
              statement.executeUpdate(
                  "UPSERT INTO %1$s (K, V) SELECT K + 10, V FROM %1$s WHERE P".formatted(table)
                      + keys))
          .isEqualTo(2);
      assertThat(keys(connection, "NO_INDEX", "K > 10")).containsExactly(11, 16);
      assertThat(statement.executeUpdate("DELETE FROM " + table + " WHERE P" + keys)).isEqualTo(2);
      assertThat(keys(connection, "NO_INDEX", "K < 10")).containsExactly(2, 3, 4, 5, 7);
      assertThat(statement.executeUpdate("DELETE FROM " + table + " WHERE P")).isEqualTo(1);
      assertThat(keys(connection, "NO_INDEX", "K < 10")).containsExactly(2, 3, 5, 7);
    }
  }

  @Test
  public void failsAlongAnIndexOnTheColumnWithoutThePatch() throws SQLException {
    create("K", "SPLIT ON (4)");
    execute(connection, "CREATE LOCAL INDEX I_" + table + " ON " + table + " (P)");
    try (Connection phoenix = connect(Map.of(PruningOptions.PATCHES, "all,-boolean-condition"))) {
      assertThatThrownBy(() -> keys(phoenix, "", "P"))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("BOOLEAN and DECIMAL");
      String keys = " AND K IN (SELECT K FROM " + table + " WHERE Q)";
      assertThat(keys(phoenix, "NO_INDEX", "P" + keys)).hasSizeGreaterThan(3);
    }
  }

  @Test
  public void ignoresTheColumnWithoutThePatch() throws SQLException {
    create("K", "SPLIT ON (4)");
    Map<String, String> without = Map.of(PruningOptions.PATCHES, "all,-boolean-condition");
    try (Connection phoenix = connect(without)) {
      assertThat(keys(phoenix, "NO_INDEX", "P AND K < 5")).containsExactly(1, 2, 3, 4);
      phoenix.setAutoCommit(true);
      execute(phoenix, "DELETE FROM " + table + " WHERE P AND K < 5");
    }
    assertThat(keys(connection, "NO_INDEX", "K > 0")).containsExactly(5, 6, 7);
  }

  @Test
  public void deletesRowsThatMatch() throws SQLException {
    create("K", "SPLIT ON (4)");
    try (Statement statement = connection.createStatement()) {
      assertThat(statement.executeUpdate("DELETE FROM " + table + " WHERE P AND K < 5"))
          .isEqualTo(2);
    }
    assertThat(keys(connection, "NO_INDEX", "K > 0")).containsExactly(2, 3, 5, 6, 7);
  }
}
