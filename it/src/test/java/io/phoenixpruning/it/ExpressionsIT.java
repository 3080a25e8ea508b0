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

import io.phoenixpruning.it.differential.PatchSwitch;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.phoenix.pruning.patch.Patch;
import org.junit.After;
import org.junit.BeforeClass;
import org.junit.Test;

/**
 * Tests values of expressions, aggregates and conditions in data tables, with and without the
 * patches that correct them.
 */
public class ExpressionsIT extends PatchedRowsTest {

  @BeforeClass
  public static void createTables() throws SQLException {
    try (var connection = connect(Map.of())) {
      execute(
          connection,
          """
          CREATE TABLE VALUES_T (K INTEGER NOT NULL, D INTEGER NOT NULL, B BOOLEAN NOT NULL,
            S VARCHAR, V INTEGER, W INTEGER CONSTRAINT PK PRIMARY KEY (K, D DESC, B DESC, S DESC))
            SPLIT ON (2)\
          """,
          "CREATE TABLE VALUES_P (K INTEGER PRIMARY KEY, P VARCHAR, Q VARCHAR)",
          "CREATE TABLE VALUES_I (K INTEGER PRIMARY KEY, B BOOLEAN, D INTEGER)",
          "CREATE LOCAL INDEX VALUES_L ON VALUES_I (B DESC, D DESC)",
          "CREATE TABLE VALUES_C (K1 INTEGER NOT NULL, K2 INTEGER NOT NULL, V INTEGER"
              + " CONSTRAINT PK PRIMARY KEY (K1, K2)) SPLIT ON ((4, 2))",
          "CREATE VIEW VALUES_W AS SELECT * FROM VALUES_C WHERE K1 = 4",
          "CREATE TABLE VALUES_D (K1 DOUBLE NOT NULL, K2 INTEGER NOT NULL"
              + " CONSTRAINT PK PRIMARY KEY (K1, K2))",
          "CREATE VIEW VALUES_X AS SELECT * FROM VALUES_D WHERE K1 = 1.5",
          "UPSERT INTO VALUES_P VALUES (1, 'äö', 'zz')",
          "UPSERT INTO VALUES_T VALUES (1, 5, TRUE, 'ab', 1, 10)",
          "UPSERT INTO VALUES_T VALUES (2, -7, FALSE, NULL, NULL, 20)",
          "UPSERT INTO VALUES_T VALUES (3, 6, TRUE, 'b', NULL, NULL)",
          "UPSERT INTO VALUES_I VALUES (1, TRUE, 5)",
          "UPSERT INTO VALUES_I VALUES (2, FALSE, -7)",
          "UPSERT INTO VALUES_I VALUES (3, NULL, NULL)",
          "UPSERT INTO VALUES_D VALUES (1.5, 1)",
          "UPSERT INTO VALUES_D VALUES (1.5, 2)");
      for (int i = 1; i <= 4; i++) {
        execute(connection, "UPSERT INTO VALUES_C VALUES (4, " + i + ", " + i + ")");
      }
      connection.commit();
    }
  }

  @After
  public void switchAllPatchesOn() throws ReflectiveOperationException {
    PatchSwitch.switchPatchesOfJvm(patch -> !patch.isOptIn());
  }

  /**
   * Checks the rows with all patches of the JVM. Without {@code patch}, all of them must be wrong,
   * except those of {@code alwaysRight}.
   */
  private void testWithoutPatchOfJvm(
      Patch patch, Map<String, String> expectedRows, List<String> alwaysRight)
      throws ReflectiveOperationException {
    expectedRows.forEach(
        (sql, expected) -> assertThat(rowsOrError(exact, sql)).as(sql).isEqualTo(expected));
    PatchSwitch.switchPatchesOfJvm(each -> each != patch && !each.isOptIn());
    List<String> right = new ArrayList<>();
    expectedRows.forEach(
        (sql, expected) -> {
          if (rowsOrError(exact, sql).equals(expected)) {
            right.add(sql);
          }
        });
    assertThat(right)
        .as("right without the patch")
        .containsExactlyInAnyOrderElementsOf(alwaysRight);
  }

  @Test
  public void aggregatesConstants() throws ReflectiveOperationException {
    testWithoutPatchOfJvm(
        Patch.CONSTANT_AGGREGATE,
        Map.ofEntries(
            entry("SELECT SUM(K1), COUNT(K1), MIN(K1) FROM VALUES_W", "[[16, 4, 4]]"),
            entry("SELECT SUM(K1) FROM VALUES_W WHERE K2 > 9", "[[null]]"),
            entry("SELECT K2, SUM(K1) FROM VALUES_W WHERE K2 < 3 GROUP BY K2", "[[1, 4], [2, 4]]"),
            entry("SELECT AVG(K1) FROM VALUES_W", "[[4]]"),
            entry("SELECT AVG(5), SUM(5) FROM VALUES_C", "[[5, 20]]"),
            entry("SELECT COUNT(DISTINCT K1) FROM VALUES_W WHERE K2 > 9", "[[0]]"),
            entry("SELECT COUNT(DISTINCT K1), COUNT(*) FROM VALUES_W", "[[1, 4]]"),
            entry("SELECT SUM(K1), AVG(K1) FROM VALUES_X", "[[3, 1.5]]"),
            entry("SELECT COUNT(NULL) FROM VALUES_C", "[[0]]"),
            entry("SELECT COUNT(NULL), COUNT(*) FROM VALUES_C", "[[0, 4]]"),
            entry(
                "SELECT K2, COUNT(NULL) FROM VALUES_C WHERE K2 < 3 GROUP BY K2",
                "[[1, 0], [2, 0]]"),
            entry("SELECT COUNT(DISTINCT NULL) FROM VALUES_C", "[[0]]"),
            entry(
                "SELECT SUM(NULL), MAX(NULL), MIN(NULL), AVG(NULL) FROM VALUES_C",
                "[[null, null, null, null]]")),
        List.of(
            "SELECT SUM(K1) FROM VALUES_W WHERE K2 > 9",
            "SELECT COUNT(DISTINCT K1), COUNT(*) FROM VALUES_W"));
  }

  @Test
  public void evaluatesConstantCases() throws ReflectiveOperationException {
    testWithoutPatchOfJvm(
        Patch.CONSTANT_CASE,
        Map.of(
            "SELECT K2, CASE WHEN K1 = 5 THEN 1 END FROM VALUES_W WHERE K2 < 3",
            "[[1, null], [2, null]]",
            "SELECT K2, CASE WHEN K1 = 5 THEN 1 WHEN 1 = 2 THEN 3 END + K2 FROM VALUES_W"
                + " WHERE K2 = 1",
            "[[1, null]]",
            "SELECT COUNT(*) FROM VALUES_W WHERE CASE WHEN K1 = 5 THEN K1 = 4 END",
            "[[0]]",
            "SELECT COUNT(*) FROM VALUES_W WHERE CASE WHEN K1 = 5 THEN 1 END IS NULL",
            "[[4]]",
            "SELECT COUNT(*) FROM VALUES_W WHERE CASE WHEN K1 = 5 THEN 1 WHEN K1 = 4 THEN 2 END = 2",
            "[[4]]"),
        List.of(
            "SELECT COUNT(*) FROM VALUES_W WHERE CASE WHEN K1 = 5 THEN K1 = 4 END",
            "SELECT COUNT(*) FROM VALUES_W WHERE CASE WHEN K1 = 5 THEN 1 END IS NULL",
            "SELECT COUNT(*) FROM VALUES_W WHERE CASE WHEN K1 = 5 THEN 1 WHEN K1 = 4 THEN 2 END = 2"));
  }

  @Test
  public void returnsNoGroupsIfHavingIsNeverTrue() throws SQLException {
    List<String> wrong =
        List.of(
            "SELECT SIGN(K) FROM VALUES_T GROUP BY SIGN(K) HAVING SIGN(K) IS NULL",
            "SELECT SIGN(K), COUNT(*) FROM VALUES_T WHERE D > 0 GROUP BY SIGN(K)"
                + " HAVING SIGN(K) IS NULL",
            "SELECT COUNT(*) FROM VALUES_T HAVING 1 = 2",
            "SELECT COUNT(*) FROM (SELECT K FROM VALUES_T LIMIT 2) HAVING 1 = 2");
    List<String> right =
        List.of(
            "SELECT V, COUNT(*) FROM VALUES_T GROUP BY V HAVING 1 = 2",
            "SELECT X, COUNT(*) FROM (SELECT ABS(K) X FROM VALUES_T LIMIT 9) GROUP BY X"
                + " HAVING 1 = 2",
            "SELECT COUNT(*) FROM VALUES_T HAVING COUNT(*) > 3");
    Map<String, String> queries =
        Stream.of(wrong, right)
            .flatMap(List::stream)
            .collect(Collectors.toMap(query -> query, query -> "[]"));
    assertThat(wrongWithout(Patch.CONSTANT_HAVING, queries))
        .containsExactlyInAnyOrderElementsOf(wrong);
    assertThat(rowsOrError(exact, "SELECT COUNT(*) FROM VALUES_T HAVING 1 = 1")).isEqualTo("[[3]]");
  }

  @Test
  public void readsDescendingBooleans() throws ReflectiveOperationException {
    String along = "/*+ INDEX(VALUES_I VALUES_L) */ ";
    testWithoutPatchOfJvm(
        Patch.DESCENDING_BOOLEAN,
        Map.ofEntries(
            entry("SELECT K, B FROM VALUES_T", "[[1, true], [2, false], [3, true]]"),
            entry("SELECT K FROM VALUES_T WHERE B", "[[1], [3]]"),
            entry("SELECT K FROM VALUES_T WHERE NOT B", "[[2]]"),
            entry("SELECT K FROM VALUES_T WHERE B = FALSE", "[[2]]"),
            entry("SELECT K FROM VALUES_T WHERE B IN (TRUE)", "[[1], [3]]"),
            entry("SELECT K FROM VALUES_T WHERE NOT (B AND V = 1)", "[[2]]"),
            entry("SELECT K FROM VALUES_T WHERE NOT (B OR W = 10)", "[[2]]"),
            entry(
                "SELECT K, CASE WHEN B THEN 1 ELSE 0 END FROM VALUES_T",
                "[[1, 1], [2, 0], [3, 1]]"),
            entry("SELECT B, COUNT(*) FROM VALUES_T GROUP BY B", "[[false, 1], [true, 2]]"),
            entry("SELECT MAX(B), MIN(B) FROM VALUES_T", "[[true, false]]"),
            entry("SELECT K FROM VALUES_T ORDER BY B, K DESC", "[[2], [3], [1]]"),
            entry("SELECT " + along + "K FROM VALUES_I WHERE NOT B", "[[2]]"),
            entry("SELECT " + along + "K, B FROM VALUES_I", "[[1, true], [2, false], [3, null]]")),
        List.of(
            "SELECT K FROM VALUES_T WHERE B",
            "SELECT K FROM VALUES_T WHERE B = FALSE",
            "SELECT K FROM VALUES_T WHERE B IN (TRUE)",
            "SELECT K FROM VALUES_T ORDER BY B, K DESC",
            "SELECT " + along + "K FROM VALUES_I WHERE NOT B",
            "SELECT " + along + "K, B FROM VALUES_I"));
  }

  @Test
  public void readsTheFirstValueOfDescendingColumns() throws SQLException {
    Map<String, String> queries =
        Map.ofEntries(
            entry("SELECT K, COALESCE(D, 0) FROM VALUES_T", "[[1, 5], [2, -7], [3, 6]]"),
            entry("SELECT K, COALESCE(S, 'x') FROM VALUES_T", "[[1, ab], [2, x], [3, b]]"),
            entry("SELECT K FROM VALUES_T WHERE COALESCE(D, 0) = 5", "[[1]]"),
            entry("SELECT K FROM VALUES_T WHERE COALESCE(S, 'x') > 'a'", "[[1], [2], [3]]"),
            entry("SELECT K FROM VALUES_T WHERE COALESCE(S, TO_CHAR(W)) = 'b'", "[[3]]"),
            entry(
                "SELECT K, COALESCE(D, 0) X FROM VALUES_T ORDER BY X", "[[2, -7], [1, 5], [3, 6]]"),
            entry("SELECT MAX(COALESCE(D, 0)), SUM(COALESCE(D, 0)) FROM VALUES_T", "[[6, 4]]"),
            entry(
                "SELECT COALESCE(S, 'x'), COUNT(*) FROM VALUES_T GROUP BY COALESCE(S, 'x')",
                "[[ab, 1], [b, 1], [x, 1]]"),
            entry(
                "SELECT /*+ INDEX(VALUES_I VALUES_L) */ K FROM VALUES_I WHERE COALESCE(D, 3) > 2",
                "[[1], [3]]"));
    assertThat(wrongWithout(Patch.DESCENDING_COALESCE, queries)).hasSizeGreaterThan(6);
    assertThat(rowsOrError(exact, "SELECT K, COALESCE(V, D) FROM VALUES_T"))
        .isEqualTo("[[1, 1], [2, -7], [3, 6]]");
  }

  /** Tests LPAD with a text within a longer array. Without the patch, it would not end. */
  @Test
  public void padsWithTheTextOfAColumn() throws SQLException {
    Map.of(
            "SELECT LPAD('x', 6, S) FROM VALUES_T WHERE S = 'ab'", "[[ababax]]",
            "SELECT K FROM VALUES_T WHERE LPAD('x', 3, S) = 'bbx'", "[[3]]",
            "SELECT LPAD(S, 5, S) FROM VALUES_T WHERE K = 1", "[[abaab]]",
            "SELECT LPAD('x', 6, P) FROM VALUES_P WHERE K = 1", "[[äöäöäx]]",
            "SELECT K FROM VALUES_P WHERE LPAD(Q, 5, P) = 'äöäzz'", "[[1]]")
        .forEach((sql, rows) -> assertThat(rowsOrError(exact, sql)).as(sql).isEqualTo(rows));
  }

  /** Tests conditions that are true without a cell of V, although they have no IS NULL or ELSE. */
  @Test
  public void findsRowsWithoutTheTestedColumn() throws ReflectiveOperationException {
    testWithoutPatchOfJvm(
        Patch.NEGATED_NULL,
        Map.of(
            "SELECT K FROM VALUES_T WHERE NOT (V IS NOT NULL)",
            "[[2], [3]]",
            "SELECT K FROM VALUES_T WHERE (V IS NOT NULL) = FALSE",
            "[[2], [3]]",
            "SELECT K FROM VALUES_T WHERE (W IS NOT NULL) = FALSE",
            "[[3]]",
            "SELECT K FROM VALUES_T WHERE (V IS NOT NULL) IS NOT NULL",
            "[[1], [2], [3]]",
            "SELECT K FROM VALUES_T WHERE CASE WHEN V IS NOT NULL THEN FALSE WHEN W > 0 THEN TRUE"
                + " END",
            "[[2]]",
            "SELECT K FROM VALUES_T WHERE CASE WHEN V = 1 THEN FALSE WHEN W > 0 THEN TRUE END",
            "[[2]]",
            "SELECT K FROM VALUES_T WHERE CASE WHEN V = 1 THEN FALSE ELSE TRUE END",
            "[[2], [3]]",
            "SELECT K FROM VALUES_T WHERE (V IS NOT NULL) = TRUE",
            "[[1]]"),
        List.of(
            "SELECT K FROM VALUES_T WHERE CASE WHEN V = 1 THEN FALSE ELSE TRUE END",
            "SELECT K FROM VALUES_T WHERE (V IS NOT NULL) = TRUE"));
  }

  @Test
  public void joinsByColumnsWithoutATableName() throws Exception {
    execute(
        exact,
        "CREATE TABLE NAMES_T (ID INTEGER PRIMARY KEY, A INTEGER)",
        "CREATE TABLE NAMES_E (M INTEGER PRIMARY KEY, Y INTEGER)",
        "CREATE LOCAL INDEX NAMES_I ON NAMES_E (Y)",
        "UPSERT INTO NAMES_T VALUES (1, 10)",
        "UPSERT INTO NAMES_T VALUES (2, 20)",
        "UPSERT INTO NAMES_E VALUES (1, 11)",
        "UPSERT INTO NAMES_E VALUES (3, 33)");
    exact.commit();
    String hint = "SELECT /*+ USE_SORT_MERGE_JOIN */ ";
    testWithoutPatchOfJvm(
        Patch.UNQUALIFIED_COLUMN,
        Map.of(
            hint + "A, COUNT(*) FROM NAMES_T JOIN NAMES_E ON ID = M GROUP BY A", "[[10, 1]]",
            hint + "Y, COUNT(*) FROM NAMES_E LEFT JOIN NAMES_T ON M = ID GROUP BY Y",
                "[[11, 1], [33, 1]]",
            hint + "DISTINCT A FROM NAMES_T LEFT JOIN NAMES_E ON ID = M", "[[10], [20]]",
            hint + "A FROM NAMES_T JOIN NAMES_E ON ID = M ORDER BY A", "[[10]]",
            hint + "ID, M FROM NAMES_T JOIN NAMES_E ON ID = M", "[[1, 1]]"),
        List.of(hint + "ID, M FROM NAMES_T JOIN NAMES_E ON ID = M"));
  }

  @Test
  public void findsIndexedColumnsByTheirFamily() throws SQLException {
    execute(
        exact,
        "CREATE TABLE FAMILY_T (K INTEGER PRIMARY KEY, F.V INTEGER, G.V INTEGER, G.W INTEGER)",
        "UPSERT INTO FAMILY_T (K, F.V, G.V, G.W) VALUES (1, 5, 6, 7)",
        "UPSERT INTO FAMILY_T (K, F.V, G.V, G.W) VALUES (2, 6, 5, 8)");
    exact.commit();
    execute(
        exact,
        "CREATE UNCOVERED INDEX FAMILY_F ON FAMILY_T (F.V)",
        "CREATE UNCOVERED INDEX FAMILY_B ON FAMILY_T (G.V, F.V)");
    String hint = "SELECT /*+ INDEX(FAMILY_T FAMILY_%s) */ ";
    String alongF = hint.formatted("F");
    String alongB = hint.formatted("B");
    Map<String, String> queries =
        Map.of(
            alongF + "K FROM FAMILY_T WHERE F.V = 5",
            "[[1]]",
            alongF + "K, F.V, G.V, W FROM FAMILY_T WHERE F.V = 6",
            "[[2, 6, 5, 8]]",
            alongF + "* FROM FAMILY_T WHERE F.V = 6 AND G.V = 5",
            "[[2, 6, 5, 8]]",
            alongB + "K, W FROM FAMILY_T WHERE G.V = 6 AND F.V = 5",
            "[[1, 7]]",
            "SELECT K FROM FAMILY_T WHERE W > 0",
            "[[1], [2]]");
    assertThat(explain(exact, alongF + "K FROM FAMILY_T WHERE F.V = 5"))
        .asString()
        .contains("OVER FAMILY_F");
    assertThat(wrongWithout(Patch.INDEXED_FAMILY, queries)).hasSameSizeAs(queries.keySet());
    execute(exact, "UPSERT INTO FAMILY_T (K, F.V) VALUES (1, 9)");
    exact.commit();
    assertThat(rowsOrError(exact, alongF + "K, W FROM FAMILY_T WHERE F.V = 9"))
        .isEqualTo("[[1, 7]]");
    assertThat(rowsOrError(exact, alongF + "K FROM FAMILY_T WHERE F.V = 5")).isEqualTo("[]");
  }

  @Test
  public void quotesFamiliesInStoredConditions() throws Exception {
    execute(
        exact,
        "CREATE TABLE QUOTED_T (K INTEGER PRIMARY KEY, A.C INTEGER, \"a\".D INTEGER, B.V INTEGER)",
        "CREATE LOCAL INDEX QUOTED_I ON QUOTED_T (B.V) INCLUDE (A.C)",
        "CREATE VIEW QUOTED_W AS SELECT * FROM QUOTED_T WHERE A.C = 5",
        "CREATE VIEW QUOTED_X AS SELECT * FROM QUOTED_T WHERE D = 7",
        "CREATE LOCAL INDEX QUOTED_J ON QUOTED_T (D + 1)",
        "UPSERT INTO QUOTED_T (K, C, D, V) VALUES (1, 5, 7, 1)",
        "UPSERT INTO QUOTED_T (K, C, D, V) VALUES (2, 6, 7, 1)",
        "UPSERT INTO QUOTED_T (K, C, D, V) VALUES (3, 5, 8, 1)");
    exact.commit();
    Map<String, String> queries =
        Map.of(
            "SELECT K FROM QUOTED_W WHERE V = 1",
            "[[1], [3]]",
            "SELECT K FROM QUOTED_X",
            "[[1], [2]]",
            "SELECT /*+ INDEX(QUOTED_T QUOTED_J) */ K FROM QUOTED_T WHERE D + 1 = 9",
            "[[3]]");
    for (Map.Entry<String, String> query : queries.entrySet()) {
      assertThat(rowsOrError(exact, query.getKey())).as(query.getKey()).isEqualTo(query.getValue());
    }
  }
}
