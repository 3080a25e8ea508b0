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

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.pruning.config.PruningOptions;
import org.apache.phoenix.pruning.patch.Patch;
import org.junit.After;
import org.junit.Before;
import org.junit.BeforeClass;
import org.junit.Test;

/** Tests joins and subqueries that compare columns with nulls, along local indexes. */
public class NullJoinKeysIT extends PatchedRowsTest {

  private static final Map<String, String> WITH_PATCH =
      Map.of(PruningOptions.PATCHES, "all,+" + Patch.NULL_JOIN_KEY.id());

  private static final List<String> HINTS =
      List.of(
          "NO_INDEX",
          "INDEX(T LEDGER_V)",
          "INDEX(D PAYEES_X)",
          "NO_INDEX USE_SORT_MERGE_JOIN",
          "INDEX(T LEDGER_V) INDEX(D PAYEES_X) USE_SORT_MERGE_JOIN");

  /** Statements after the hint, whose rows differ without the patch. */
  private static final Map<String, String> QUERIES =
      Map.ofEntries(
          entry("T.K, D.ID FROM LEDGER T JOIN PAYEES D ON T.V = D.X", "[[1, 1]]"),
          entry("T.K, D.ID FROM LEDGER T, PAYEES D WHERE D.X = T.V", "[[1, 1]]"),
          entry("T.K, D.ID FROM LEDGER T JOIN PAYEES D ON T.S = D.S", "[[2, 3]]"),
          entry("T.K, D.ID FROM LEDGER T JOIN PAYEES D ON T.V = D.X AND T.K = D.ID", "[[1, 1]]"),
          entry("T.K, D.ID FROM LEDGER T JOIN PAYEES D ON T.V + 1 = D.X + 1", "[[1, 1]]"),
          entry("COUNT(*) FROM LEDGER T JOIN PAYEES D ON T.V = D.X", "[[1]]"),
          entry(
              "T.K, D.ID FROM LEDGER T LEFT JOIN PAYEES D ON T.V = D.X",
              "[[1, 1], [2, null], [3, null], [4, null]]"),
          entry(
              "T.K, D.ID FROM LEDGER T RIGHT JOIN PAYEES D ON T.V = D.X",
              "[[1, 1], [null, 2], [null, 3], [null, 4]]"),
          entry(
              "T.K, D.ID FROM LEDGER T FULL JOIN PAYEES D ON T.V = D.X",
              "[[1, 1], [2, null], [3, null], [4, null], [null, 2], [null, 3], [null, 4]]"),
          entry(
              "T.K, E.ID FROM LEDGER T LEFT JOIN PAYEES D ON T.V = D.X JOIN PAYEES E ON D.X = E.X",
              "[[1, 1]]"),
          entry(
              "T.K, E.ID FROM LEDGER T LEFT JOIN (PAYEES D JOIN PAYEES E ON D.X = E.X)"
                  + " ON T.V = E.X",
              "[[1, 1], [2, null], [3, null], [4, null]]"),
          entry(
              "T.K, D.M FROM LEDGER T JOIN (SELECT X, MAX(ID) M FROM PAYEES GROUP BY X) D"
                  + " ON T.V = D.X",
              "[[1, 1]]"),
          entry("K FROM LEDGER T WHERE V IN (SELECT X FROM PAYEES D)", "[[1]]"),
          entry("K FROM LEDGER T WHERE (V, K) IN (SELECT X, ID FROM PAYEES D)", "[[1]]"),
          entry("K FROM LEDGER T WHERE V IN (SELECT X FROM PAYEES D) OR K = 2", "[[1], [2]]"),
          entry("K FROM LEDGER T WHERE EXISTS (SELECT 1 FROM PAYEES D WHERE D.X = T.V)", "[[1]]"),
          entry(
              "K FROM LEDGER T WHERE NOT EXISTS (SELECT 1 FROM PAYEES D WHERE D.X = T.V)",
              "[[2], [3], [4]]"),
          entry(
              "K FROM LEDGER T WHERE K = (SELECT MAX(ID) FROM PAYEES D WHERE D.X = T.V)", "[[1]]"),
          entry(
              "K FROM LEDGER T WHERE K >= ANY (SELECT ID FROM PAYEES D WHERE D.X = T.V)", "[[1]]"),
          entry(
              "K FROM LEDGER T WHERE K > ALL (SELECT ID FROM PAYEES D WHERE D.X = T.V)",
              "[[2], [3], [4]]"));

  @BeforeClass
  public static void createTables() throws SQLException {
    try (Connection connection = connect(PruningMode.EXACT)) {
      connection.setAutoCommit(true);
      execute(
          connection,
          "CREATE TABLE LEDGER (K INTEGER PRIMARY KEY, V INTEGER, S VARCHAR) SPLIT ON (2, 4)",
          "CREATE LOCAL INDEX LEDGER_V ON LEDGER (V) INCLUDE (S)",
          "UPSERT INTO LEDGER VALUES (1, 1, NULL)",
          "UPSERT INTO LEDGER VALUES (2, 2, 'b')",
          "UPSERT INTO LEDGER VALUES (3, NULL, 'c')",
          "UPSERT INTO LEDGER VALUES (4, NULL, NULL)",
          "CREATE TABLE PAYEES (ID INTEGER PRIMARY KEY, X BIGINT, S VARCHAR) SPLIT ON (3)",
          "CREATE LOCAL INDEX PAYEES_X ON PAYEES (X DESC)",
          "UPSERT INTO PAYEES VALUES (1, 1, NULL)",
          "UPSERT INTO PAYEES VALUES (2, NULL, NULL)",
          "UPSERT INTO PAYEES VALUES (3, 3, 'b')",
          "UPSERT INTO PAYEES VALUES (4, NULL, 'd')",
          "CREATE TABLE PARTS (A INTEGER NOT NULL, B VARCHAR, W INTEGER, Z INTEGER"
              + " CONSTRAINT PK PRIMARY KEY (A, B))",
          "CREATE INDEX PARTS_W ON PARTS (W)",
          "UPSERT INTO PARTS VALUES (1, NULL, 5, 10)",
          "UPSERT INTO PARTS VALUES (1, 'b', 5, 20)",
          "UPSERT INTO PARTS VALUES (2, NULL, 6, 30)");
    }
  }

  private Connection patched;

  @Before
  public void connectWithPatch() throws SQLException {
    patched = connect(WITH_PATCH);
  }

  @After
  public void closePatched() throws SQLException {
    patched.close();
  }

  @Test
  public void matchesNoNulls() {
    for (String hint : HINTS) {
      List<String> right = new ArrayList<>();
      QUERIES.forEach(
          (query, rows) -> {
            String sql = "SELECT /*+ " + hint + " */ " + query;
            assertThat(rowsOrError(patched, sql)).as(sql).isEqualTo(rows);
            if (rowsOrError(exact, sql).equals(rows)) {
              right.add(sql);
            }
          });
      // Along an index on the joined column, Phoenix reads only the keys that it joins, and no
      // nulls.
      if (hint.contains("NO_INDEX") || hint.contains("USE_SORT_MERGE_JOIN")) {
        assertThat(right).as("right without the patch").isEmpty();
      }
    }
  }

  /** Tests NOT IN, which is not true for a null, and not false for other rows either. */
  @Test
  public void leavesNotInAsItIs() {
    for (String hint : HINTS) {
      for (String condition :
          List.of(
              "V NOT IN (SELECT X FROM PAYEES D)",
              "V NOT IN (SELECT X FROM PAYEES D WHERE D.ID = T.K)",
              "V NOT IN (SELECT X FROM PAYEES D) OR K = 9",
              "V NOT IN (SELECT X FROM PAYEES D WHERE X > 0)")) {
        String query = "SELECT /*+ %s */ K FROM LEDGER T WHERE %s".formatted(hint, condition);
        assertThat(rowsOrError(patched, query))
            .as(query)
            .isEqualTo(rowsOrError(exact, query))
            .startsWith("[[");
      }
    }
  }

  /** Tests ANY and ALL of subqueries with nulls. Without the patch, Phoenix compares with 0. */
  @Test
  public void comparesWithNullsOfSubqueries() throws SQLException {
    Map<String, String> wrong =
        Map.of(
            "V - 1 = ANY (SELECT X FROM PAYEES)", "[[2]]",
            "V <> ANY (SELECT X FROM PAYEES WHERE ID < 3)", "[[2]]",
            "V >= ALL (SELECT X FROM PAYEES WHERE ID < 3)", "[]",
            "V > ALL (SELECT X FROM PAYEES WHERE X IS NULL)", "[]",
            "V > ANY (SELECT X FROM PAYEES WHERE X IS NULL)", "[]",
            "S > ALL (SELECT S FROM PAYEES WHERE ID IN (1, 3))", "[]",
            "NOT (V = ANY (SELECT X FROM PAYEES WHERE ID < 3))", "[]");
    Map<String, String> right =
        Map.of(
            "V = ANY (SELECT X FROM PAYEES)", "[[1]]",
            "NOT (V >= ALL (SELECT X FROM PAYEES))", "[[1], [2]]",
            "S = ANY (SELECT S FROM PAYEES)", "[[2]]",
            "V > ALL (SELECT X FROM PAYEES WHERE ID > 9)", "[[1], [2], [3], [4]]",
            "V > ANY (SELECT X FROM PAYEES WHERE ID > 9)", "[]",
            "NOT (V > ANY (SELECT X FROM PAYEES WHERE ID > 9))", "[[1], [2], [3], [4]]");
    for (String hint : List.of("NO_INDEX", "INDEX(T LEDGER_V)")) {
      String select = "SELECT /*+ " + hint + " */ K FROM LEDGER T WHERE ";
      assertThat(wrongWithout(Patch.SUBQUERY_NULL, prefixed(select, wrong)))
          .as("wrong without the patch")
          .hasSize(wrong.size());
      assertThat(wrongWithout(Patch.SUBQUERY_NULL, prefixed(select, right))).isEmpty();
      String count = "SELECT /*+ " + hint + " */ COUNT(*) FROM LEDGER T WHERE ";
      Map<String, String> counts =
          Map.of(
              "V > ANY (SELECT X FROM PAYEES WHERE ID > 9)",
              "[[0]]",
              "V > ALL (SELECT X FROM PAYEES WHERE ID > 9)",
              "[[4]]",
              "V > ALL (SELECT X FROM PAYEES WHERE X IS NULL)"
                  + " OR V = ANY (SELECT X FROM PAYEES WHERE ID < 3)",
              "[[1]]",
              "NOT (V > ANY (SELECT X FROM PAYEES WHERE X IS NULL)"
                  + " OR V = ANY (SELECT X FROM PAYEES WHERE ID < 3))",
              "[[0]]");
      prefixed(count, counts)
          .forEach((sql, rows) -> assertThat(rowsOrError(exact, sql)).as(sql).isEqualTo(rows));
    }
  }

  private static Map<String, String> prefixed(String prefix, Map<String, String> queries) {
    return queries.entrySet().stream()
        .collect(Collectors.toMap(query -> prefix + query.getKey(), Map.Entry::getValue));
  }

  @Test
  public void matchesValuesThatReplaceNulls() {
    for (String hint : HINTS) {
      String query =
          "SELECT /*+ %s */ T.K, D.ID FROM LEDGER T JOIN PAYEES D"
              + " ON COALESCE(T.V, -1) = COALESCE(D.X, -1)";
      assertThat(rowsOrError(patched, query.formatted(hint)))
          .as(hint)
          .isEqualTo("[[1, 1], [3, 2], [3, 4], [4, 2], [4, 4]]");
    }
  }

  /** Tests a query for which Phoenix joins an index with its table on keys that can be null. */
  @Test
  public void looksUpRowsWithNullsInTheirKeys() {
    for (String hint : List.of("INDEX(PARTS PARTS_W)", "NO_INDEX", "USE_SORT_MERGE_JOIN")) {
      String query = "SELECT /*+ " + hint + " */ A, B, Z FROM PARTS WHERE W = 5";
      assertThat(rowsOrError(patched, query)).as(query).isEqualTo("[[1, b, 20], [1, null, 10]]");
    }
  }

  @Test
  public void deletesNoRowsWithNulls() throws SQLException {
    execute(
        patched,
        "CREATE TABLE PAID (K INTEGER PRIMARY KEY, V INTEGER)",
        "CREATE LOCAL INDEX PAID_V ON PAID (V)",
        "UPSERT INTO PAID SELECT K, V FROM LEDGER");
    patched.commit();
    execute(patched, "DELETE FROM PAID WHERE V IN (SELECT X FROM PAYEES)");
    patched.commit();
    assertThat(rowsOrError(patched, "SELECT K FROM PAID")).isEqualTo("[[2], [3], [4]]");
    execute(
        patched, "UPSERT INTO PAID SELECT T.K + 10, T.V FROM LEDGER T JOIN PAYEES D ON T.V = D.X");
    patched.commit();
    assertThat(rowsOrError(patched, "SELECT K FROM PAID WHERE K > 9")).isEqualTo("[[11]]");
  }
}
