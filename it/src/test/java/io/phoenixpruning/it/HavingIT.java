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
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import junitparams.JUnitParamsRunner;
import junitparams.Parameters;
import junitparams.naming.TestCaseName;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.pruning.config.PruningOptions;
import org.junit.Test;
import org.junit.runner.RunWith;

/** Tests HAVING conditions that the client evaluates for each group. */
@RunWith(JUnitParamsRunner.class)
public class HavingIT extends ClusterTest {

  private static final long SEED = 7;

  private static final List<String> GROUPS =
      List.of("V, S", "S, V", "W, V", "P, S", "W, S, V", "V, D, S", "B, A", "V, A", "S", "N, S, B");

  /** Conditions for HAVING. Each column of the GROUP BY replaces the # in turn. */
  private static final List<String> CONDITIONS =
      List.of(
          "# IS NULL",
          "NOT # IS NULL",
          "MAX(#) = #",
          "COUNT(*) > 1 OR # IS NULL",
          "COUNT(*) > 1 AND # IS NOT NULL",
          "MAX(W) > 1",
          "NOT MAX(W) > 1",
          "CASE WHEN # IS NULL THEN 1 ELSE COUNT(*) END = 1");

  /** Creates a table with nulls in all columns except the key. */
  private static void create(Connection connection, String table) throws SQLException {
    execute(
        connection,
        """
        CREATE TABLE %s (A INTEGER NOT NULL, B VARCHAR NOT NULL, P BOOLEAN, V INTEGER, S VARCHAR,
          W INTEGER, D DECIMAL, N BIGINT CONSTRAINT PK PRIMARY KEY (A, B)) SPLIT ON (2)"""
            .formatted(table));
    Random random = new Random(SEED);
    try (PreparedStatement upsert =
        connection.prepareStatement("UPSERT INTO " + table + " VALUES (?, ?, ?, ?, ?, ?, ?, ?)")) {
      for (int key = 0; key < 24; key++) {
        Object[] row = {
          key / 6,
          "b" + key % 6,
          random.nextBoolean(),
          random.nextInt(3),
          "" + (char) ('a' + random.nextInt(3)),
          random.nextInt(4),
          new BigDecimal(random.nextInt(4)),
          (long) random.nextInt(5)
        };
        for (int i = 0; i < row.length; i++) {
          upsert.setObject(i + 1, i > 1 && random.nextInt(4) == 0 ? null : row[i]);
        }
        upsert.execute();
      }
    }
    connection.commit();
  }

  @Test
  @Parameters({"", "V", "S\\, V", "W DESC\\, S", "P\\, W"})
  @TestCaseName("{method}[{0}]")
  public void returnsTheGroupsThatMatch(String indexed) throws SQLException {
    String table = generateUniqueName();
    try (Connection connection = connect(PruningMode.EXACT)) {
      create(connection, table);
      String hint = "";
      if (!indexed.isEmpty()) {
        String index = "I_" + table;
        execute(connection, "CREATE LOCAL INDEX " + index + " ON " + table + " (" + indexed + ")");
        hint = "/*+ INDEX(" + table + " " + index + ") */ ";
      }
      check(connection, hint, table);
    }
  }

  /** Tests the groups of a derived table, which the client computes, and the groups of a join. */
  @Test
  @Parameters({
    "(SELECT A\\, B\\, P\\, V\\, S\\, W\\, D\\, N FROM # LIMIT 100)",
    "# JOIN G ON A = G.K"
  })
  @TestCaseName("{method}[{0}]")
  public void returnsTheGroupsOfOtherSources(String source) throws SQLException {
    String table = generateUniqueName();
    String groups = generateUniqueName();
    try (Connection connection = connect(PruningMode.EXACT)) {
      create(connection, table);
      execute(
          connection,
          "CREATE TABLE " + groups + " (K INTEGER PRIMARY KEY)",
          "UPSERT INTO " + groups + " VALUES (1)",
          "UPSERT INTO " + groups + " VALUES (2)");
      connection.commit();
      check(connection, "", source.replace("#", table).replace("JOIN G", "JOIN " + groups + " G"));
    }
  }

  private static void check(Connection connection, String hint, String source) throws SQLException {
    Combinations combinations = Combinations.oneOf(3);
    for (String columns : GROUPS) {
      for (String column : columns.split(", ")) {
        for (String condition : CONDITIONS) {
          if (!combinations.chooseNext()) {
            continue;
          }
          String having = condition.replace("#", column);
          String select = "SELECT " + hint + columns + ", COUNT(*)";
          String grouped = " FROM " + source + " GROUP BY " + columns;
          // The select list is compiled after the columns of GROUP BY have been reordered.
          List<List<Object>> expected =
              rows(connection, select + ", CASE WHEN " + having + " THEN 1 ELSE 0 END" + grouped)
                  .stream()
                  .filter(row -> row.get(row.size() - 1).toString().equals("1"))
                  .map(row -> row.subList(0, row.size() - 1))
                  .toList();
          String sql = select + grouped + " HAVING " + having;
          assertThat(rows(connection, sql)).as("seed %s, %s", SEED, sql).isEqualTo(expected);
        }
      }
    }
  }

  @Test
  public void readsOtherColumnsWithoutThePatch() throws SQLException {
    String table = generateUniqueName();
    String sql = "SELECT V, S FROM " + table + " GROUP BY V, S HAVING S IS NULL";
    try (Connection connection = connect(PruningMode.EXACT);
        Connection phoenix = connect(Map.of(PruningOptions.PATCHES, "all,-having-columns"))) {
      create(connection, table);
      assertThat(rows(connection, sql)).isNotEmpty();
      assertThat(rows(phoenix, sql)).isEmpty();
    }
  }

  @Test
  public void returnsGroupsWithoutAResultWithoutThePatch() throws SQLException {
    String table = generateUniqueName();
    try (Connection connection = connect(PruningMode.EXACT);
        Connection phoenix = connect(Map.of(PruningOptions.PATCHES, "all,-having-null"))) {
      create(connection, table);
      execute(connection, "UPSERT INTO " + table + " (A, B, S) VALUES (9, 'x', 'alone')");
      connection.commit();
      String sql = "SELECT S FROM " + table + " GROUP BY S HAVING MAX(V) > 1";
      assertThat(rows(phoenix, sql)).contains(Arrays.asList("alone"));
      assertThat(rows(connection, sql)).isNotEmpty().doesNotContain(Arrays.asList("alone"));
    }
  }
}
