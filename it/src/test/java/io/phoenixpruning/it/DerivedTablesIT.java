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

import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.pruning.patch.Patch;
import org.junit.BeforeClass;
import org.junit.Test;

/**
 * Tests the rows of derived tables and of UNION ALL, alone and in joins. Without its patch, each
 * statement of a test returns other rows, or fails.
 */
public class DerivedTablesIT extends PatchedRowsTest {

  private static final List<String> HINTS = List.of("", "/*+ USE_SORT_MERGE_JOIN */ ");

  @BeforeClass
  public static void createTables() throws SQLException {
    try (Connection connection = connect(PruningMode.EXACT)) {
      connection.setAutoCommit(true);
      execute(
          connection,
          "CREATE TABLE DERIVED_T (ID INTEGER PRIMARY KEY, A INTEGER, N INTEGER) SPLIT ON (3)",
          "CREATE TABLE DERIVED_D (K INTEGER PRIMARY KEY, ID INTEGER, A INTEGER, TS INTEGER)",
          "CREATE LOCAL INDEX DERIVED_I ON DERIVED_D (A)",
          "UPSERT INTO DERIVED_T VALUES (1, 1, 0)",
          "UPSERT INTO DERIVED_T VALUES (2, 2, 1)",
          "UPSERT INTO DERIVED_T VALUES (3, 3, 2)",
          "UPSERT INTO DERIVED_T VALUES (4, 4, -1)",
          "UPSERT INTO DERIVED_D VALUES (1, 1, 1, 10)",
          "UPSERT INTO DERIVED_D VALUES (2, 1, 1, 20)",
          "UPSERT INTO DERIVED_D VALUES (3, 1, 2, 30)",
          "UPSERT INTO DERIVED_D VALUES (4, 2, 3, 40)",
          "UPSERT INTO DERIVED_D VALUES (5, 3, 4, 50)");
    }
  }

  @Test
  public void testsConditionsOnUnions() throws SQLException {
    String union = "(SELECT ID X FROM D UNION ALL SELECT ID X FROM T) U";
    Map<String, String> queries = new LinkedHashMap<>();
    queries.put(
        "U.X, T.A FROM T JOIN " + union + " ON U.X = T.ID WHERE U.X > 2",
        "[[3, 3], [3, 3], [4, 4]]");
    queries.put(
        "U.X, T.A FROM " + union + " JOIN T ON U.X = T.ID WHERE U.X > 2",
        "[[3, 3], [3, 3], [4, 4]]");
    queries.put(
        "U.X, T.A FROM " + union + " LEFT JOIN T ON U.X = T.ID WHERE U.X = 3", "[[3, 3], [3, 3]]");
    queries.put("COUNT(*) FROM " + union + " JOIN T ON U.X = T.ID WHERE U.X > 2", "[[3]]");
    queries.put(
        "U.X FROM " + union + " JOIN T ON U.X = T.ID WHERE U.X > 2 ORDER BY U.X LIMIT 2",
        "[[3], [3]]");
    check(Patch.UNION_CONDITION, queries);
  }

  @Test
  public void testsConditionsAfterAnOffset() throws SQLException {
    String skipped = "(SELECT K, ID FROM D ORDER BY K OFFSET 2) U";
    check(
        Patch.UNION_CONDITION,
        Map.of(
            "U.K, T.A FROM T JOIN " + skipped + " ON U.ID = T.ID WHERE U.K > 2",
            "[[3, 1], [4, 2], [5, 3]]",
            "U.K, T.A FROM " + skipped + " JOIN T ON U.ID = T.ID WHERE U.K > 3",
            "[[4, 2], [5, 3]]"));
  }

  @Test
  public void joinsUnionsOfMoreColumns() throws SQLException {
    String union = "(SELECT ID X, K Y FROM D UNION ALL SELECT ID X, A Y FROM T) U";
    check(
        Patch.UNION_CONDITION,
        Map.of("T.A FROM T JOIN " + union + " ON U.X = T.ID WHERE T.ID > 2", "[[3], [3], [4]]"));
  }

  @Test
  public void findsColumnsOfConditionsAlongAnIndex() throws SQLException {
    check(
        Patch.PRUNED_COLUMN,
        Map.of(
            "D.K FROM D JOIN (SELECT ID, MAX(A) M FROM T GROUP BY ID) U ON U.ID = D.A WHERE U.M > 1",
            "[[3], [4], [5]]"));
    // Without the hint, Phoenix reads the table.
    check(
        Patch.PRUNED_COLUMN,
        Map.of(
            "U.ID, D.K FROM (SELECT ID, MAX(A) M, COUNT(*) C FROM T GROUP BY ID) U"
                + " JOIN D ON U.ID = D.A WHERE U.M > 1 AND U.C = 1 ORDER BY D.K",
            "[[2, 3], [3, 4], [4, 5]]"),
        HINTS.subList(1, 2));
  }

  /** Without the patch, only a sort-merge join finds these rows. */
  @Test
  public void joinsUnionsOnEachSide() throws SQLException {
    String union = "(SELECT ID X FROM D UNION ALL SELECT ID X FROM T) U";
    Map<String, String> queries = new LinkedHashMap<>();
    queries.put(
        "U.X, T.A FROM " + union + " JOIN T ON U.X = T.ID WHERE T.ID > 2",
        "[[3, 3], [3, 3], [4, 4]]");
    queries.put("COUNT(*) FROM " + union + ", T WHERE U.X = T.ID", "[[9]]");
    queries.put(
        "COUNT(T.ID), COUNT(U.X) FROM " + union + " LEFT JOIN T ON U.X = T.ID AND T.ID > 2",
        "[[3, 9]]");
    queries.put(
        "COUNT(T.ID), COUNT(U.X) FROM T RIGHT JOIN " + union + " ON U.X - 1 = T.ID", "[[5, 9]]");
    queries.put(
        "COUNT(T.ID), COUNT(D.K), COUNT(*) FROM T JOIN D ON D.K = T.ID RIGHT JOIN "
            + union
            + " ON U.X = T.ID",
        "[[9, 9, 9]]");
    queries.put(
        "U.X, D.TS FROM " + union + " JOIN T ON U.X = T.ID JOIN D ON D.K = T.ID WHERE T.ID > 2",
        "[[3, 30], [3, 30], [4, 40]]");
    queries.put(
        "COUNT(*) FROM "
            + union
            + " JOIN (SELECT K Y FROM D UNION ALL SELECT ID FROM T) W ON U.X = W.Y",
        "[[18]]");
    queries.put(
        "U.X, W.C FROM (SELECT ID, COUNT(*) C FROM D GROUP BY ID) W JOIN "
            + union
            + " ON U.X = W.ID ORDER BY U.X DESC LIMIT 3",
        "[[3, 1], [3, 1], [2, 1]]");
    queries.put(
        "U.X FROM " + union + " WHERE U.X IN (SELECT ID FROM D WHERE K > 3)",
        "[[2], [2], [3], [3]]");
    queries.put(
        "U.X FROM " + union + " WHERE NOT EXISTS (SELECT 1 FROM D WHERE D.ID = U.X)", "[[4]]");
    queries.put(
        "P.X, T.A FROM (SELECT U.X X FROM "
            + union
            + " JOIN D ON U.X = D.K) P"
            + " JOIN T ON P.X = T.ID WHERE T.ID > 2",
        "[[3, 3], [3, 3], [4, 4]]");
    check(Patch.UNION_CONDITION, queries, HINTS.subList(0, 1));
    for (String query : queries.keySet()) {
      String merged = HINTS.get(1) + query;
      assertThat(found(merged)).as(merged).isEqualTo(queries.get(query));
    }
  }

  /** The UNION ALL stays the build side of a hash join if it is on the right side. */
  @Test
  public void hashJoinsUnionsIfPossible() throws SQLException {
    String union = "(SELECT ID X FROM D UNION ALL SELECT ID X FROM T) U";
    for (String join : List.of("T JOIN " + union, "T LEFT JOIN " + union, union + " JOIN T")) {
      assertThat(explain(exact, named("SELECT U.X, T.A FROM " + join + " ON U.X = T.ID")))
          .as(join)
          .noneMatch(line -> line.contains("SORT-MERGE-JOIN"));
    }
  }

  @Test
  public void keepsDistinctRows() throws SQLException {
    Map<String, String> queries = new LinkedHashMap<>();
    queries.put("X FROM (SELECT DISTINCT A X, K Y FROM D)", "[[1], [1], [2], [3], [4]]");
    queries.put("X * 0 FROM (SELECT DISTINCT A X FROM D)", "[[0], [0], [0], [0]]");
    queries.put("1 FROM (SELECT DISTINCT A X FROM D) WHERE X > 2", "[[1], [1]]");
    queries.put("Y FROM (SELECT DISTINCT A X, ID Y FROM D) WHERE X < 3", "[[1], [1]]");
    queries.put("Y FROM (SELECT DISTINCT A X, ID Y FROM D ORDER BY A LIMIT 3)", "[[1], [1], [2]]");
    queries.put(
        "P FROM (SELECT X P FROM (SELECT DISTINCT A X, K Y FROM D)) WHERE P = 1", "[[1], [1]]");
    queries.put(
        "U.P, T.N FROM T JOIN (SELECT X P FROM (SELECT DISTINCT A X, K Y FROM D)) U ON U.P = T.ID"
            + " WHERE T.ID = 1",
        "[[1, 0], [1, 0]]");
    check(Patch.DERIVED_DISTINCT, queries);
  }

  @Test
  public void movesDistinctIfAllColumnsAreSelected() throws SQLException {
    String all = "(SELECT DISTINCT A X, ID Y FROM D)";
    assertThat(found("Y, X FROM " + all)).isEqualTo("[[1, 1], [1, 2], [2, 3], [3, 4]]");
    assertThat(found("* FROM " + all)).isEqualTo("[[1, 1], [2, 1], [3, 2], [4, 3]]");
    assertThat(found("Y, X, X FROM " + all + " WHERE X > 3")).isEqualTo("[[3, 4, 4]]");
  }

  /** Phoenix supports a wildcard or a sequence only if it moves the columns outwards. */
  @Test
  public void movesWildcardsAndSequences() throws SQLException {
    execute(exact, "CREATE SEQUENCE DERIVED_S");
    assertThat(found("K, A FROM (SELECT DISTINCT * FROM D) WHERE K > 3"))
        .isEqualTo("[[4, 3], [5, 4]]");
    assertThat(found("K FROM (SELECT * FROM D ORDER BY 1 DESC LIMIT 2)")).isEqualTo("[[4], [5]]");
    assertThat(found("COUNT(*) FROM (SELECT * FROM D ORDER BY 1)")).isEqualTo("[[5]]");
    assertThat(found("N, K FROM (SELECT NEXT VALUE FOR DERIVED_S N, K FROM D ORDER BY 2)"))
        .isEqualTo("[[1, 1], [2, 2], [3, 3], [4, 4], [5, 5]]");
  }

  /** The plan must stay a point lookup, and the servers must count. */
  @Test
  public void movesPositionsThatStayRight() throws SQLException {
    String derived = "(SELECT COALESCE(A, 0) X, K FROM D ORDER BY 1)";
    assertThat(explain(exact, named("SELECT * FROM " + derived + " WHERE K = 5")))
        .anyMatch(line -> line.contains("POINT LOOKUP"))
        .noneMatch(line -> line.contains("CLIENT FILTER"));
    assertThat(explain(exact, named("SELECT COUNT(*) FROM " + derived)))
        .anyMatch(line -> line.contains("SERVER AGGREGATE"));
    String distinct = "(SELECT DISTINCT K X, A Y FROM D)";
    assertThat(explain(exact, named("SELECT X, Y, X + Y FROM " + distinct + " WHERE X = 5")))
        .anyMatch(line -> line.contains("POINT LOOKUP"));
  }

  @Test
  public void sortsDerivedTablesByPosition() throws SQLException {
    Map<String, String> queries = new LinkedHashMap<>();
    queries.put("Y, X FROM (SELECT K X, 10 - K Y FROM D ORDER BY 1 LIMIT 2)", "[[8, 2], [9, 1]]");
    queries.put(
        "Y FROM (SELECT K X, 10 - K Y FROM D ORDER BY 1 LIMIT 2) WHERE Y > 0", "[[8], [9]]");
    queries.put("Y FROM (SELECT K X, 10 - K Y FROM D ORDER BY 2 DESC LIMIT 2)", "[[8], [9]]");
    queries.put(
        "C FROM (SELECT A X, COUNT(*) C FROM D GROUP BY A ORDER BY 2 DESC, 1 LIMIT 2)",
        "[[1], [2]]");
    queries.put(
        "T.ID, U.Y FROM T JOIN (SELECT K X, 10 - K Y, ID Z FROM D ORDER BY 1 DESC LIMIT 2) U"
            + " ON U.Z = T.ID",
        "[[2, 6], [3, 5]]");
    queries.put("Y FROM (SELECT ID A, A Y FROM D ORDER BY 2 DESC LIMIT 2)", "[[3], [4]]");
    check(Patch.DERIVED_ORDER, queries);
  }

  @Test
  public void sortsPartsOfUnionsByTheirColumns() throws SQLException {
    Map<String, String> queries = new LinkedHashMap<>();
    queries.put(
        "ID A FROM T UNION ALL SELECT TS A FROM D ORDER BY A DESC LIMIT 3", "[[50], [40], [30]]");
    queries.put("ID K FROM T UNION ALL SELECT 10 - TS FROM D ORDER BY K LIMIT 2", "[[-40], [-30]]");
    queries.put(
        "ID K FROM T UNION ALL SELECT 10 - TS FROM D ORDER BY K DESC",
        "[[4], [3], [2], [1], [0], [-10], [-20], [-30], [-40]]");
    queries.put(
        "ID K FROM T UNION ALL SELECT 10 - TS FROM D ORDER BY K + 1 LIMIT 2", "[[-40], [-30]]");
    queries.put(
        "ID K, A FROM T UNION ALL SELECT A, 0 - K FROM D ORDER BY A, K LIMIT 3",
        "[[4, -5], [3, -4], [2, -3]]");
    queries.put(
        "ID K, A FROM T UNION ALL SELECT 10 - TS, K FROM D ORDER BY K + A LIMIT 2",
        "[[-40, 5], [-30, 4]]");
    queries.put(
        "A, COUNT(*) C FROM D GROUP BY A UNION ALL SELECT ID, N FROM T ORDER BY C DESC, A LIMIT 3",
        "[[1, 2], [3, 2], [2, 1]]");
    queries.put(
        "DISTINCT A C FROM D UNION ALL SELECT TS FROM D ORDER BY C DESC LIMIT 2", "[[50], [40]]");
    queries.put(
        "X FROM (SELECT ID X, A FROM T UNION ALL SELECT TS, K FROM D ORDER BY X DESC LIMIT 2)"
            + " WHERE X > 45",
        "[[50]]");
    check(Patch.UNION_ORDER, queries);
  }

  /** Tests that each query returns the rows, and does not return them without the patch. */
  private void check(Patch patch, Map<String, String> queries) throws SQLException {
    check(patch, queries, HINTS);
  }

  private void check(Patch patch, Map<String, String> queries, List<String> joinHints)
      throws SQLException {
    Map<String, String> statements = new LinkedHashMap<>();
    queries.forEach(
        (query, expected) -> {
          for (String hint : query.contains("JOIN") ? joinHints : HINTS.subList(0, 1)) {
            statements.put(named("SELECT " + hint + query), expected);
          }
        });
    assertThat(wrongWithout(patch, statements))
        .as("wrong without the patch")
        .containsExactlyElementsOf(statements.keySet());
  }

  private String found(String query) {
    return rowsOrError(exact, named("SELECT " + query));
  }

  private static String named(String sql) {
    return sql.replaceAll(
        "\\b([TD])(?=\\.| UNION| WHERE| ORDER| JOIN| LEFT| RIGHT| ON| GROUP|\\)|$)", "DERIVED_$1");
  }
}
