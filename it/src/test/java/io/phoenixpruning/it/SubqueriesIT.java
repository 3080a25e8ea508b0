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

import io.phoenixpruning.it.differential.PatchSwitch;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.pruning.patch.Patch;
import org.junit.BeforeClass;
import org.junit.Test;

/**
 * Compares queries with subqueries with rows that the test computes in memory, in a table and along
 * a local index. Without the patches, Phoenix returns other rows or fails.
 */
public class SubqueriesIT extends PatchedRowsTest {

  private static final List<String> HINTS = List.of("NO_INDEX", "INDEX(T OUTERS_A)");

  private record Outer(int id, int a, int n) {}

  private record Inner(int k, int id, Integer a) {}

  private static final List<Outer> OUTERS =
      IntStream.range(0, 12).mapToObj(id -> new Outer(id, id % 5, id % 4)).toList();

  /** Outer rows from 7 on have no partner. */
  private static final List<Inner> INNERS =
      IntStream.range(0, 15)
          .mapToObj(k -> new Inner(k, k % 7, k % 6 == 5 ? null : Integer.valueOf(k % 6)))
          .toList();

  @BeforeClass
  public static void createTables() throws SQLException {
    try (Connection connection = connect(PruningMode.EXACT)) {
      execute(
          connection,
          "CREATE TABLE OUTERS (ID INTEGER PRIMARY KEY, A INTEGER, N INTEGER) SPLIT ON (4, 8)",
          "CREATE LOCAL INDEX OUTERS_A ON OUTERS (A)",
          "CREATE TABLE INNERS (K INTEGER PRIMARY KEY, ID INTEGER, A INTEGER) SPLIT ON (5)",
          "CREATE LOCAL INDEX INNERS_ID ON INNERS (ID)");
      for (Outer row : OUTERS) {
        execute(
            connection,
            "UPSERT INTO OUTERS VALUES (%d, %d, %d)".formatted(row.id(), row.a(), row.n()));
      }
      for (Inner row : INNERS) {
        execute(
            connection,
            "UPSERT INTO INNERS VALUES (%d, %d, %s)"
                .formatted(row.k(), row.id(), row.a() == null ? "NULL" : row.a()));
      }
      connection.commit();
    }
  }

  private static List<Inner> partnersOf(Outer row) {
    return INNERS.stream().filter(inner -> inner.id() == row.id()).toList();
  }

  private static List<Integer> valuesOf(Outer row) {
    return partnersOf(row).stream().map(Inner::a).filter(Objects::nonNull).toList();
  }

  private static String expected(Predicate<Outer> condition) {
    return OUTERS.stream()
        .filter(condition)
        .map(row -> List.of(row.id()).toString())
        .sorted()
        .collect(Collectors.toList())
        .toString();
  }

  /** Tests conditions on OUTERS, some of which must be wrong without the patch. */
  private void test(Patch patch, Map<String, Predicate<Outer>> conditions) throws SQLException {
    Map<String, String> queries = new LinkedHashMap<>();
    conditions.forEach(
        (where, condition) ->
            queries.put("T.ID FROM OUTERS T WHERE " + where, expected(condition)));
    testQueries(patch, queries);
  }

  private void testQueries(Patch patch, Map<String, String> queries) throws SQLException {
    Map<String, String> statements = new LinkedHashMap<>();
    queries.forEach(
        (query, expected) ->
            HINTS.forEach(
                hint -> statements.put("SELECT /*+ %s */ %s".formatted(hint, query), expected)));
    assertThat(wrongWithout(patch, statements))
        .as("wrong without the patch")
        .hasSizeGreaterThan(queries.size() / 2);
  }

  @Test
  public void keepsTheLimitsOfSubqueries() throws SQLException {
    String partners = "FROM INNERS D WHERE D.ID = T.ID";
    Map<String, Predicate<Outer>> conditions = new LinkedHashMap<>();
    conditions.put("EXISTS (SELECT 1 " + partners + " LIMIT 1)", row -> row.id() < 7);
    conditions.put(
        "EXISTS (SELECT * " + partners + " ORDER BY D.K DESC LIMIT 2)", row -> row.id() < 7);
    conditions.put("NOT EXISTS (SELECT 1 " + partners + " LIMIT 1)", row -> row.id() >= 7);
    conditions.put(
        "T.N = 3 OR EXISTS (SELECT 1 " + partners + " LIMIT 1)",
        row -> row.n() == 3 || row.id() < 7);
    conditions.put("EXISTS (SELECT 1 FROM INNERS LIMIT 0)", row -> false);
    conditions.put("EXISTS (SELECT * FROM INNERS LIMIT 3 OFFSET 14)", row -> true);
    conditions.put("EXISTS (SELECT * FROM INNERS LIMIT 3 OFFSET 15)", row -> false);
    conditions.put(
        "T.A IN (SELECT A FROM INNERS ORDER BY K DESC LIMIT 2)",
        row -> List.of(1, 2).contains(row.a()));
    conditions.put(
        "T.A NOT IN (SELECT A FROM INNERS ORDER BY K LIMIT 2)",
        row -> !List.of(0, 1).contains(row.a()));
    conditions.put(
        "T.A IN (SELECT A FROM INNERS ORDER BY K LIMIT 2 OFFSET 3)",
        row -> List.of(3, 4).contains(row.a()));
    conditions.put(
        "T.A IN (SELECT D.K + 1 X FROM INNERS D ORDER BY X LIMIT 2)",
        row -> List.of(1, 2).contains(row.a()));
    conditions.put(
        "(T.A, T.ID) IN (SELECT A, ID FROM INNERS ORDER BY K LIMIT 3)", row -> row.id() < 3);
    conditions.put("T.A = (SELECT A FROM INNERS ORDER BY K DESC LIMIT 1)", row -> row.a() == 2);
    conditions.put(
        "T.A = (SELECT A FROM INNERS ORDER BY K LIMIT 1 OFFSET 3)"
            + " OR T.A = (SELECT A FROM INNERS ORDER BY K LIMIT 1 OFFSET 4)",
        row -> row.a() >= 3);
    conditions.put("T.A = (SELECT A FROM INNERS LIMIT 0)", row -> false);
    conditions.put("T.A = ANY (SELECT A FROM INNERS ORDER BY K LIMIT 2)", row -> row.a() < 2);
    conditions.put(
        "T.A = (SELECT MAX(D.A) " + partners + " ORDER BY 1 LIMIT 1)",
        row -> valuesOf(row).stream().max(Integer::compare).stream().anyMatch(a -> a == row.a()));
    test(Patch.SUBQUERY_LIMIT, conditions);
  }

  /** Returns the sign of a comparison of (A, ID) of the outer row with the other row value. */
  private static int compare(Outer row, int a, int id) {
    return row.a() == a ? Integer.compare(row.id(), id) : Integer.compare(row.a(), a);
  }

  @Test
  public void comparesRowValues() throws SQLException {
    String third = "(SELECT A, ID FROM INNERS WHERE K = 3)";
    String some = "(SELECT A, ID FROM INNERS WHERE K IN (1, 3))";
    String none = "(SELECT A, ID FROM INNERS WHERE K = 99)";
    String partner = "FROM INNERS D WHERE D.ID = T.ID AND D.K < 5)";
    Map<String, Predicate<Outer>> conditions = new LinkedHashMap<>();
    conditions.put("(T.A, T.ID) = " + third, row -> compare(row, 3, 3) == 0);
    conditions.put("(T.A, T.ID) <> " + third, row -> compare(row, 3, 3) != 0);
    conditions.put("(T.A, T.ID) < " + third, row -> compare(row, 3, 3) < 0);
    conditions.put("(T.A, T.ID) >= " + third, row -> compare(row, 3, 3) >= 0);
    conditions.put("NOT (T.A, T.ID) > " + third, row -> compare(row, 3, 3) <= 0);
    conditions.put("T.N = 2 OR (T.A, T.ID) = " + third, row -> row.n() == 2 || row.id() == 3);
    conditions.put(
        "(T.A, T.ID) = (SELECT CAST(A AS BIGINT), CAST(ID AS DECIMAL) FROM INNERS WHERE K = 3)",
        row -> compare(row, 3, 3) == 0);
    conditions.put(
        "(T.A, T.ID) = (SELECT * FROM (SELECT A, ID FROM INNERS WHERE K = 3))",
        row -> compare(row, 3, 3) == 0);
    conditions.put(
        "(T.A, T.ID) <= (SELECT MAX(A), MAX(ID) FROM INNERS)", row -> compare(row, 4, 6) <= 0);
    conditions.put("(T.A, T.ID) > ANY " + some, row -> compare(row, 1, 1) > 0);
    conditions.put("(T.A, T.ID) >= ALL " + some, row -> compare(row, 3, 3) >= 0);
    conditions.put("(T.A, T.ID) > ANY " + none, row -> false);
    conditions.put("(T.A, T.ID) < ALL " + none, row -> true);
    conditions.put(
        "(T.A, T.ID) = (SELECT D.A, D.ID " + partner,
        row -> row.id() < 5 && compare(row, row.id(), row.id()) == 0);
    conditions.put(
        "(T.A, T.ID) < (SELECT MAX(D.A) + 1, MIN(D.ID) " + partner,
        row -> row.id() < 5 && compare(row, row.id() + 1, row.id()) < 0);
    conditions.put(
        "T.N = 3 OR (T.A, T.ID) >= (SELECT D.A, D.ID " + partner,
        row -> row.n() == 3 || (row.id() < 5 && compare(row, row.id(), row.id()) >= 0));
    test(Patch.ROW_SUBQUERY, conditions);
  }

  /** Phoenix finds the same rows. */
  @Test
  public void findsRowValuesOfTheSameTypes() {
    String some = "(SELECT A, ID FROM INNERS WHERE K IN (1, 3))";
    Predicate<Outer> isOneOfThem = row -> row.id() == 1 || row.id() == 3;
    assertThat(ids("(T.A, T.ID) = ANY " + some)).isEqualTo(expected(isOneOfThem));
    assertThat(ids("(T.A, T.ID) IN " + some)).isEqualTo(expected(isOneOfThem));
    assertThat(ids("(T.A, T.ID) <> ALL " + some)).isEqualTo(expected(isOneOfThem.negate()));
    assertThat(ids("EXISTS " + some + " AND (T.A, T.ID) = ANY " + some))
        .isEqualTo(expected(isOneOfThem));
    assertThat(ids("(T.A, T.ID) = (SELECT A, ID FROM INNERS WHERE K = 99)")).isEqualTo("[]");
    assertThat(ids("(T.A, T.ID) = " + some)).contains("fails:");
  }

  /** A subquery of one column is no row value, even if its SELECT has a wildcard. */
  @Test
  public void comparesRowValuesWithOneColumn() throws SQLException {
    execute(
        exact,
        "CREATE TABLE ROW_T (K INTEGER PRIMARY KEY, A INTEGER, B INTEGER, V VARBINARY)",
        "CREATE TABLE ROW_D (X INTEGER PRIMARY KEY)",
        "CREATE TABLE ROW_E (ID INTEGER PRIMARY KEY, X INTEGER, Y INTEGER)",
        "UPSERT INTO ROW_T (K, A) VALUES (1, 10)",
        "UPSERT INTO ROW_T (K, A, B) VALUES (2, 10, 5)",
        "UPSERT INTO ROW_D VALUES (10)",
        "UPSERT INTO ROW_E VALUES (1, 10, 20)",
        "UPSERT INTO ROW_E (ID, X) VALUES (3, 10)");
    exact.commit();
    execute(exact, "UPSERT INTO ROW_T (K, V) SELECT ID, (X, Y) FROM ROW_E WHERE ID = 1");
    exact.commit();
    Map<String, String> expected = new LinkedHashMap<>();
    expected.put("(A, B) = (SELECT * FROM ROW_D)", "[[1]]");
    expected.put("V = (SELECT X, Y FROM ROW_E WHERE ROW_E.ID = ROW_T.K)", "[[1]]");
    expected.put("(A, NULL) = ANY (SELECT X, Y FROM ROW_E WHERE ID = 3)", "[]");
    expected.put("(A, K) <> ALL (SELECT 3000000000 + X, Y FROM ROW_E)", "[[1], [2]]");
    expected.put("(A, K) > (SELECT AVG(X) - 0.5, 7 FROM ROW_E)", "[[1], [2]]");
    expected.forEach(
        (where, rows) ->
            assertThat(rowsOrError(exact, "SELECT K FROM ROW_T WHERE " + where))
                .as(where)
                .isEqualTo(rows));
  }

  /** The random values for a subquery do not prove that a partial index has all rows. */
  @Test
  public void readsNoPartialIndexForSampleValues() throws SQLException {
    execute(
        exact,
        "CREATE TABLE SAMPLE_T (K INTEGER PRIMARY KEY, A INTEGER, B INTEGER)",
        "CREATE INDEX SAMPLE_I ON SAMPLE_T (A) INCLUDE (B) WHERE A > -1000000000",
        "CREATE TABLE SAMPLE_D (X INTEGER PRIMARY KEY, Y INTEGER)",
        "UPSERT INTO SAMPLE_T VALUES (1, -1000000005, 1)",
        "UPSERT INTO SAMPLE_T VALUES (2, 7, 1)",
        "UPSERT INTO SAMPLE_D VALUES (-1000000005, 1)",
        "UPSERT INTO SAMPLE_D VALUES (7, 1)");
    exact.commit();
    String select = "SELECT K FROM SAMPLE_T WHERE ";
    for (String where :
        List.of(
            "(A, B) = ANY (SELECT X, Y FROM SAMPLE_D)",
            "A = ANY (SELECT X FROM SAMPLE_D)",
            "B = 1 AND A <= (SELECT MAX(X) FROM SAMPLE_D)",
            "A > 0 OR EXISTS (SELECT 1 FROM SAMPLE_D)",
            "NOT (A <= 0 AND EXISTS (SELECT 1 FROM SAMPLE_D WHERE X = 99))")) {
      for (int i = 0; i < 10; i++) {
        assertThat(rowsOrError(exact, select + where)).as(where).isEqualTo("[[1], [2]]");
      }
    }
    String indexed = select + "A > 0 AND B = (SELECT MAX(Y) FROM SAMPLE_D)";
    assertThat(rowsOrError(exact, indexed)).isEqualTo("[[2]]");
    assertThat(explain(exact, indexed)).asString().contains("SAMPLE_I");
    indexed = select + "A > 0 AND EXISTS (SELECT 1 FROM SAMPLE_D)";
    assertThat(rowsOrError(exact, indexed)).isEqualTo("[[2]]");
    assertThat(explain(exact, indexed)).asString().contains("SAMPLE_I");
  }

  @Test
  public void comparesRowValuesNextToSubqueries() throws SQLException {
    String max = " AND T.A >= (SELECT MAX(A) FROM INNERS)";
    Map<String, Predicate<Outer>> conditions = new LinkedHashMap<>();
    conditions.put("(T.A, T.ID) > (4, 4)" + max, row -> row.a() == 4 && row.id() > 4);
    conditions.put("(T.ID, T.A) <= (4, 4)" + max, row -> row.a() == 4 && row.id() <= 4);
    test(Patch.SAMPLE_VALUES, conditions);
  }

  /** INNERS has a row with K = 1, and none with K = 99. */
  @Test
  public void evaluatesExistsAsAnOperand() throws SQLException {
    String one = "EXISTS (SELECT 1 FROM INNERS WHERE K = 1)";
    String none = "EXISTS (SELECT 1 FROM INNERS WHERE K = 99)";
    Map<String, Predicate<Outer>> conditions = new LinkedHashMap<>();
    conditions.put("NOT (" + one + " AND " + none + ")", row -> true);
    conditions.put("NOT (" + one + " OR " + none + ")", row -> false);
    conditions.put("T.A > 2 AND NOT (NOT " + one + " AND " + none + ")", row -> row.a() > 2);
    conditions.put("T.A > 2 AND NOT (" + one + " AND NOT (" + none + "))", row -> false);
    conditions.put("CASE WHEN " + none + " THEN 3 ELSE 2 END = T.A", row -> row.a() == 2);
    conditions.put(
        "T.ID < 9 AND T.A = CASE WHEN " + one + " THEN 3 ELSE 2 END",
        row -> row.id() < 9 && row.a() == 3);
    test(Patch.SAMPLE_VALUES, conditions);
  }

  @Test
  public void refusesSubqueriesThatWouldNotRun() throws SQLException {
    String exists = "CASE WHEN EXISTS (SELECT 1 FROM INNERS) THEN 1 ELSE 0 END";
    try (Connection without = connect(allBut(Patch.MISPLACED_SUBQUERY))) {
      for (String query :
          List.of(
              "SELECT " + exists + " FROM OUTERS T",
              "SELECT MAX(" + exists + ") FROM OUTERS T JOIN INNERS D ON T.ID = D.K",
              "SELECT COUNT(*) FROM OUTERS T GROUP BY " + exists,
              "SELECT ID FROM OUTERS T ORDER BY " + exists + ", ID",
              "SELECT * FROM (SELECT ID FROM OUTERS ORDER BY " + exists + " LIMIT 2)",
              "SELECT ID FROM OUTERS WHERE ID IN (SELECT " + exists + " FROM INNERS)",
              "SELECT ID FROM OUTERS UNION ALL SELECT " + exists + " FROM INNERS")) {
        assertThat(rowsOrError(without, query)).as(query).startsWith("[");
        assertThatThrownBy(() -> rows(exact, query))
            .as(query)
            .isInstanceOf(SQLFeatureNotSupportedException.class)
            .hasMessageContaining("SELECT, GROUP BY or ORDER BY");
      }
    }
  }

  @Test
  public void tellsSubqueriesApart() throws Exception {
    String union = "(SELECT K FROM INNERS WHERE K = 9 UNION ALL SELECT A FROM INNERS WHERE K = %d)";
    testTwo(union, exact);
    try (Connection phoenixLimits = connect(allBut(Patch.SUBQUERY_LIMIT))) {
      testTwo("(SELECT A FROM INNERS WHERE K < 7 ORDER BY K LIMIT 1 OFFSET %d)", phoenixLimits);
    }
  }

  /** Compares A with the results of two subqueries, which are the rows 0 and 3 of INNERS. */
  private static void testTwo(String subquery, Connection connection)
      throws ReflectiveOperationException {
    String sql =
        "SELECT ID FROM OUTERS WHERE A = ANY %s OR A = ANY %s"
            .formatted(subquery.formatted(0), subquery.formatted(3));
    String expected = expected(row -> row.a() == 0 || row.a() == 3);
    assertThat(rowsOrError(connection, sql)).as(sql).isEqualTo(expected);
    PatchSwitch.switchPatchesOfJvm(patch -> patch != Patch.SUBQUERY_RESULT && !patch.isOptIn());
    try {
      assertThat(rowsOrError(connection, sql)).as(sql).isEqualTo(expected(row -> row.a() == 0));
    } finally {
      PatchSwitch.switchPatchesOfJvm(patch -> !patch.isOptIn());
    }
  }

  /** SQL allows any rows of a LIMIT without an ORDER BY. */
  @Test
  public void dropsLimitsThatAllowAnyRows() {
    String partners = "FROM INNERS D WHERE D.ID = T.ID";
    for (String slice : List.of(" LIMIT 100", " LIMIT 100 OFFSET 0", " OFFSET 0", "")) {
      assertThat(ids("T.A IN (SELECT D.A " + partners + slice + ")"))
          .as(slice)
          .isEqualTo(expected(row -> valuesOf(row).contains(row.a())));
      assertThat(ids("T.A = ANY (SELECT D.A " + partners + slice + ")"))
          .as(slice)
          .isEqualTo(expected(row -> valuesOf(row).contains(row.a())));
      assertThat(ids("EXISTS (SELECT 1 " + partners + slice + ")"))
          .as(slice)
          .isEqualTo(expected(row -> !partnersOf(row).isEmpty()));
      assertThat(ids("T.A = (SELECT D.A " + partners + " AND D.K = 4" + slice + ")"))
          .as(slice)
          .isEqualTo(
              expected(
                  row ->
                      partnersOf(row).stream()
                          .anyMatch(inner -> inner.k() == 4 && inner.a() == row.a())));
    }
  }

  /** The LIMIT of a comparison is dropped, so Phoenix finds all rows of an outer row. */
  @Test
  public void reportsSeveralRowsOfAComparison() {
    assertThat(OUTERS).anyMatch(row -> partnersOf(row).size() > 1);
    for (String slice : List.of("LIMIT 1", "ORDER BY D.K LIMIT 1")) {
      assertThat(ids("T.A = (SELECT D.A FROM INNERS D WHERE D.ID = T.ID " + slice + ")"))
          .as(slice)
          .contains("fails:")
          .contains("ore than one row");
    }
  }

  @Test
  public void reportsColumnsThatNoTableHas() {
    assertThat(ids("T.A IN (SELECT A FROM INNERS WHERE NONE = 1 LIMIT 1)"))
        .contains("Undefined column")
        .contains("NONE");
  }

  private String ids(String condition) {
    return rowsOrError(exact, "SELECT T.ID FROM OUTERS T WHERE " + condition);
  }

  @Test
  public void keepsParametersAsLimits() throws SQLException {
    assertThat(
            rows(
                exact,
                "SELECT COUNT(*) FROM OUTERS WHERE A IN (SELECT A FROM INNERS ORDER BY K LIMIT ?)",
                2))
        .hasToString("[[6]]");
    assertThat(
            rows(
                exact,
                "SELECT COUNT(*) FROM OUTERS T WHERE EXISTS (SELECT * FROM INNERS LIMIT ?)",
                0))
        .hasToString("[[0]]");
  }

  @Test
  public void refusesLimitsOfRowsForEachOuterRow() {
    for (String condition :
        List.of(
            "EXISTS (SELECT 1 FROM INNERS D WHERE D.ID = T.ID LIMIT 1 OFFSET 1)",
            "EXISTS (SELECT 1 FROM INNERS D WHERE D.ID = T.ID LIMIT 0)",
            "T.A IN (SELECT D.A FROM INNERS D WHERE D.ID = T.ID ORDER BY D.K LIMIT 1)",
            "T.A IN (SELECT D.A FROM INNERS D WHERE D.ID = T.ID LIMIT 1 OFFSET 1)",
            "T.A = ANY (SELECT D.A FROM INNERS D WHERE D.ID = T.ID ORDER BY D.K LIMIT 1)",
            "T.A >= ALL (SELECT D.A FROM INNERS D WHERE D.ID = T.ID LIMIT 0)")) {
      assertThatThrownBy(() -> rows(exact, "SELECT ID FROM OUTERS T WHERE " + condition))
          .as(condition)
          .isInstanceOf(SQLFeatureNotSupportedException.class)
          .hasMessageContaining("outer query");
    }
  }

  @Test
  public void evaluatesSubqueriesOfHaving() throws SQLException {
    // The groups of A are 0 and 1 with three rows, and 2, 3 and 4 with two rows.
    String groups = "A, COUNT(*) FROM OUTERS T GROUP BY A HAVING ";
    Map<String, String> queries = new LinkedHashMap<>();
    queries.put(groups + "COUNT(*) > (SELECT MIN(K) + 2 FROM INNERS)", "[[0, 3], [1, 3]]");
    queries.put(groups + "COUNT(*) > (SELECT MAX(K) FROM INNERS)", "[]");
    queries.put(groups + "COUNT(*) > (SELECT MIN(K) + 2 FROM INNERS) AND A > 0", "[[1, 3]]");
    queries.put(groups + "A IN (SELECT K FROM INNERS WHERE K > 2)", "[[3, 2], [4, 2]]");
    queries.put(
        groups + "SUM(N) + A >= (SELECT MAX(K) - 7 FROM INNERS) OR A = 0",
        "[[0, 3], [1, 3], [2, 2]]");
    queries.put(groups + "EXISTS (SELECT 1 FROM INNERS WHERE K = 99)", "[]");
    queries.put(
        "A + 1, COUNT(*) FROM OUTERS T GROUP BY A + 1"
            + " HAVING (A + 1) * 2 > (SELECT MAX(K) - 6 FROM INNERS)",
        "[[5, 2]]");
    queries.put(
        "A G, MAX(ID) M FROM OUTERS T GROUP BY A HAVING MAX(ID) < (SELECT MAX(K) - 4 FROM INNERS)"
            + " ORDER BY M DESC LIMIT 2",
        "[[4, 9], [3, 8]]");
    queries.put("COUNT(*) FROM OUTERS T HAVING COUNT(*) > (SELECT MAX(K) FROM INNERS)", "[]");
    queries.put(
        "X FROM (SELECT A X, COUNT(*) C FROM OUTERS T GROUP BY A) G"
            + " WHERE C > (SELECT MIN(K) + 2 FROM INNERS)",
        "[[0], [1]]");
    queries.put(
        "T.X, D.K FROM (SELECT A X, COUNT(*) C FROM OUTERS GROUP BY A) T JOIN INNERS D"
            + " ON T.X = D.K WHERE T.C > (SELECT MIN(K) + 2 FROM INNERS)",
        "[[0, 0], [1, 1]]");
    queries.put(
        "X FROM (SELECT A X FROM OUTERS T GROUP BY A) G WHERE X IN (SELECT K FROM INNERS)"
            + " AND X > (SELECT MIN(K) + 2 FROM INNERS)",
        "[[3], [4]]");
    queries.put(
        "X FROM (SELECT A X FROM OUTERS T GROUP BY A"
            + " HAVING COUNT(*) > (SELECT MIN(K) + 2 FROM INNERS)) ORDER BY X",
        "[[0], [1]]");
    testQueries(Patch.HAVING_SUBQUERY, queries);
  }

  @Test
  public void keepsColumnLabelsWithASubqueryInHaving() throws SQLException {
    try (Statement statement = exact.createStatement();
        ResultSet result =
            statement.executeQuery(
                "SELECT A, N \"n\", COUNT(*), SUM(ID) S FROM OUTERS GROUP BY A, N"
                    + " HAVING COUNT(*) > (SELECT MAX(K) FROM INNERS)")) {
      assertThat(
              IntStream.rangeClosed(1, 4)
                  .mapToObj(
                      column -> {
                        try {
                          return result.getMetaData().getColumnLabel(column);
                        } catch (SQLException e) {
                          throw new AssertionError(e);
                        }
                      }))
          .containsExactly("A", "n", "COUNT(1)", "S");
    }
  }

  @Test
  public void evaluatesSubqueriesAfterJoins() throws SQLException {
    String left = "T.ID, D.K FROM OUTERS T LEFT JOIN INNERS D ON T.ID = D.ID WHERE ";
    String inner = "T.ID, D.K FROM OUTERS T JOIN INNERS D ON T.ID = D.ID WHERE ";
    String derived = "X FROM (SELECT ID X, A Y FROM OUTERS T LIMIT 20) ";
    Map<String, String> queries = new LinkedHashMap<>();
    queries.put(left + "D.K = (SELECT MAX(K) FROM INNERS)", "[[0, 14]]");
    queries.put(
        left + "D.K IS NULL OR D.K = (SELECT MAX(K) FROM INNERS)",
        "[[0, 14], [10, null], [11, null], [7, null], [8, null], [9, null]]");
    queries.put(left + "D.K > ALL (SELECT K FROM INNERS WHERE K < 13)", "[[0, 14], [6, 13]]");
    queries.put(left + "EXISTS (SELECT 1 FROM INNERS WHERE K = 99) AND D.K >= T.ID", "[]");
    queries.put(inner + "D.K + T.ID = (SELECT MAX(K) + 5 FROM INNERS)", "[[6, 13]]");
    queries.put(
        "COUNT(*) FROM OUTERS T LEFT JOIN INNERS D ON T.ID = D.ID"
            + " WHERE D.K >= (SELECT MAX(K) - 1 FROM INNERS)",
        "[[2]]");
    queries.put(
        "T.ID FROM OUTERS T LEFT JOIN INNERS D ON T.ID = D.ID LEFT JOIN INNERS E ON D.K = E.K"
            + " WHERE E.K = (SELECT MAX(K) FROM INNERS) ORDER BY T.ID LIMIT 5",
        "[[0]]");
    queries.put(
        "T.ID FROM OUTERS T WHERE A IN (SELECT D.A FROM INNERS D WHERE D.ID = T.ID)"
            + " OR ID = (SELECT MAX(K) - 3 FROM INNERS)",
        expected(row -> valuesOf(row).contains(row.a()) || row.id() == 11));
    queries.put(derived + "WHERE X = (SELECT MAX(K) - 3 FROM INNERS)", "[[11]]");
    queries.put(derived + "WHERE X IN (SELECT K FROM INNERS WHERE K > 9)", "[[10], [11]]");
    queries.put(
        derived + "E WHERE EXISTS (SELECT 1 FROM INNERS D WHERE D.K = E.Y + 14)",
        "[[0], [10], [5]]");
    queries.put(
        "X FROM (SELECT ID X FROM OUTERS UNION ALL SELECT K X FROM INNERS)"
            + " WHERE X >= (SELECT MAX(K) - 3 FROM INNERS)",
        "[[11], [11], [12], [13], [14]]");
    queries.put(
        "X FROM (SELECT MAX(ID) X FROM OUTERS) WHERE X > (SELECT MAX(K) FROM INNERS)", "[]");
    testQueries(Patch.JOINED_SUBQUERY, queries);
  }

  @Test
  public void refusesDeletesOfJoinedRows() {
    assertThatThrownBy(
            () ->
                execute(
                    exact,
                    "DELETE FROM OUTERS WHERE A IN (SELECT D.A FROM INNERS D"
                        + " WHERE D.ID = OUTERS.ID) OR N = (SELECT MAX(K) FROM INNERS)"))
        .isInstanceOf(SQLFeatureNotSupportedException.class)
        .hasMessageContaining("DELETE");
  }

  @Test
  public void comparesWithNoRows() throws SQLException {
    String partners = " FROM INNERS D WHERE D.ID = T.ID)";
    String values = " FROM INNERS D WHERE D.ID = T.ID AND D.A IS NOT NULL)";
    Map<String, Predicate<Outer>> conditions = new LinkedHashMap<>();
    conditions.put("T.N >= (SELECT COUNT(*)" + partners, row -> row.n() >= partnersOf(row).size());
    conditions.put("T.N >= (SELECT COUNT(A)" + partners, row -> row.n() >= valuesOf(row).size());
    conditions.put("0 = (SELECT COUNT(*)" + partners, row -> row.id() >= 7);
    conditions.put("1 > (SELECT COUNT(*)" + partners, row -> row.id() >= 7);
    conditions.put(
        "T.N = (SELECT COUNT(*) + 1" + partners, row -> row.n() == partnersOf(row).size() + 1);
    conditions.put(
        "T.A = 4 OR T.N = (SELECT COUNT(*)" + partners,
        row -> row.a() == 4 || row.n() == partnersOf(row).size());
    conditions.put(
        "NOT (T.N = (SELECT COUNT(*)" + partners + ")", row -> row.n() != partnersOf(row).size());
    conditions.put(
        "T.A = (SELECT COALESCE(MAX(D.A), 1)" + partners,
        row -> row.a() == valuesOf(row).stream().max(Integer::compare).orElse(1));
    conditions.put(
        "T.A = (SELECT MAX(D.A)" + partners,
        row -> valuesOf(row).stream().max(Integer::compare).stream().anyMatch(a -> a == row.a()));
    conditions.put(
        "T.A >= ALL (SELECT D.A" + values,
        row -> valuesOf(row).stream().allMatch(a -> row.a() >= a));
    conditions.put(
        "T.N = 3 OR T.A >= ALL (SELECT D.A" + values,
        row -> row.n() == 3 || valuesOf(row).stream().allMatch(a -> row.a() >= a));
    conditions.put(
        "NOT (T.A >= ALL (SELECT D.A" + values + ")",
        row -> valuesOf(row).stream().anyMatch(a -> row.a() < a));
    conditions.put(
        "NOT (T.A >= ANY (SELECT D.A" + values + ")",
        row -> valuesOf(row).stream().noneMatch(a -> row.a() >= a));
    conditions.put(
        "T.A >= ANY (SELECT D.A" + values,
        row -> valuesOf(row).stream().anyMatch(a -> row.a() >= a));
    conditions.put(
        "T.A >= ALL (SELECT MAX(D.A) FROM INNERS D WHERE D.ID = T.ID AND D.A IS NOT NULL"
            + " GROUP BY D.K)",
        row -> valuesOf(row).stream().allMatch(a -> row.a() >= a));
    test(Patch.EMPTY_SUBQUERY, conditions);
  }
}
