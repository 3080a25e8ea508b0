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
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeSet;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.pruning.patch.Patch;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameter;
import org.junit.runners.Parameterized.Parameters;

/** Tests array elements in the SELECT list, in tables of each kind and along a local index. */
@RunWith(Parameterized.class)
public class ArrayElementsIT extends ClusterTest {

  @Parameter public String kind;

  @Parameter(1)
  public String columns;

  @Parameter(2)
  public String options;

  private Connection exact;
  private Connection without;
  private String table;
  private String other;

  @Parameters(name = "{0}")
  public static List<Object[]> tables() {
    return List.of(
        new Object[] {"default", "W INTEGER, A INTEGER ARRAY, V INTEGER", "SPLIT ON (2)"},
        new Object[] {
          "names", "W INTEGER, A INTEGER ARRAY, V INTEGER", "COLUMN_ENCODED_BYTES = NONE"
        },
        new Object[] {"families", "F.W INTEGER, H.A INTEGER ARRAY, H.V INTEGER", ""},
        new Object[] {
          "one cell", "W INTEGER, A INTEGER ARRAY, V INTEGER", "IMMUTABLE_ROWS = true"
        });
  }

  @Before
  public void createTables() throws SQLException {
    exact = connect(PruningMode.EXACT);
    without = connect(allBut(Patch.ARRAY_ELEMENT));
    table = generateUniqueName();
    other = "O_" + table;
    exact.setAutoCommit(true);
    execute(
        exact,
        "CREATE TABLE %s (K INTEGER PRIMARY KEY, %s) %s".formatted(table, columns, options),
        "CREATE LOCAL INDEX I_%1$s ON %1$s (V) INCLUDE (W, A)".formatted(table),
        "CREATE LOCAL INDEX J_%1$s ON %1$s (V)".formatted(table),
        "UPSERT INTO %s (K, W, A, V) VALUES (1, 10, ARRAY[5, 6], 1)".formatted(table),
        "UPSERT INTO %s (K, W, A, V) VALUES (2, 9, ARRAY[3, 4], 1)".formatted(table),
        "UPSERT INTO %s (K, W, A, V) VALUES (3, 8, ARRAY[4, 7], 1)".formatted(table),
        "CREATE TABLE %s (ID INTEGER PRIMARY KEY, X INTEGER, B INTEGER ARRAY)".formatted(other),
        "UPSERT INTO %s VALUES (1, 60, ARRAY[50, 51])".formatted(other),
        "UPSERT INTO %s VALUES (4, 70, ARRAY[52, 53])".formatted(other));
  }

  @After
  public void close() throws SQLException {
    exact.close();
    without.close();
  }

  @Test
  public void findsElementsInEachClause() throws SQLException {
    Map<String, String> queries = new LinkedHashMap<>();
    queries.put("A[1] FROM T WHERE V = 1", "3 4 5");
    queries.put("A[1], A[2] FROM T WHERE V = 1 AND A[2] > 4", "4,7 5,6");
    queries.put("A[1], W FROM T WHERE V = 1 LIMIT 10", "3,9 4,8 5,10");
    queries.put("A[1] FROM T WHERE V = 1 ORDER BY W", "4 3 5");
    queries.put("A[1], W FROM T WHERE V = 1 ORDER BY K OFFSET 1", "3,9 4,8");
    queries.put("A[1] FROM T WHERE V = 1 ORDER BY A[1]", "3 4 5");
    queries.put("A[1] FROM T WHERE V = 1 ORDER BY A[2] DESC LIMIT 2", "4 5");
    queries.put("A[1] FROM T WHERE V = 1 ORDER BY 1 DESC", "5 4 3");
    queries.put("A[1] + W FROM T WHERE V = 1 ORDER BY K", "15 12 12");
    queries.put("A[1], V, W FROM T WHERE V = 1", "3,1,9 4,1,8 5,1,10");
    queries.put("DISTINCT A[1] FROM T WHERE V = 1 ORDER BY A[1]", "3 4 5");
    queries.put("A[1], COUNT(*) FROM T WHERE V = 1 GROUP BY A[1] ORDER BY A[1]", "3,1 4,1 5,1");
    queries.put("T.A[1], O.B[1] FROM T JOIN O ON T.V = O.ID ORDER BY T.K", "5,50 3,50 4,50");
    queries.put("O.B[2] FROM T JOIN O ON T.V = O.ID WHERE T.K = 2", "51");
    queries.put("T.A[1], O.X FROM T JOIN O ON T.A[2] = O.ID", "3,70");
    queries.put("T.A[1], O.X FROM T LEFT JOIN O ON T.V = O.ID ORDER BY T.W", "4,60 3,60 5,60");
    queries.put("A[1] FROM T WHERE V = 1 AND A[2] IN (SELECT ID FROM O)", "3");
    queries.put("E[1] FROM (SELECT K, A AS E FROM T WHERE V = 1 LIMIT 10) WHERE K > 1", "3 4");
    queries.put("E FROM (SELECT K, A[1] AS E FROM T WHERE V = 1 LIMIT 10) WHERE K > 1", "3 4");
    queries.put("E FROM (SELECT K, A[1] AS E FROM T WHERE V = 1) ORDER BY E DESC LIMIT 2", "5 4");
    queries.put(
        "E FROM (SELECT /*+ INDEX(T J_T) */ K, A[1] AS E FROM T WHERE V = 1 LIMIT 9) WHERE K > 1",
        "3 4");
    queries.put("X.E, O.X FROM (SELECT K, A[2] AS E FROM T) X JOIN O ON X.E = O.ID", "4,70");
    queries.put("A[1] FROM T WHERE V = 1 UNION ALL SELECT X FROM O", "3 4 5 60 70");
    Set<String> wrongWithout = new TreeSet<>();
    for (String query : queries.keySet()) {
      for (String hint : List.of("NO_INDEX", "INDEX(T I_T)", "INDEX(T J_T)")) {
        for (String join : List.of("", " USE_SORT_MERGE_JOIN")) {
          String sql = named("SELECT /*+ " + hint + join + " */ " + query);
          assertThat(result(exact, sql)).as(sql).isEqualTo(queries.get(query));
          if (!isRightWithoutThePatch(sql, queries.get(query))) {
            wrongWithout.add(query);
          }
        }
      }
    }
    assertThat(wrongWithout)
        .as("wrong without the patch")
        .containsAll(queries.keySet().stream().filter(ArrayElementsIT::isAlwaysWrong).toList());
  }

  /**
   * Returns whether Phoenix is wrong without the patch for each kind of table. For other queries,
   * Phoenix is right for some kinds, such as tables with several families.
   */
  private static boolean isAlwaysWrong(String query) {
    return (query.contains("ORDER BY A[") && query.startsWith("A[1] FROM"))
        || query.contains("ORDER BY 1")
        || query.contains("FROM T JOIN O")
        || query.contains("FROM T LEFT JOIN O")
        || query.contains("IN (SELECT");
  }

  /**
   * Returns whether the rows are right without the patch. Phoenix also fails for some statements.
   */
  private boolean isRightWithoutThePatch(String sql, String expected) {
    try {
      return result(without, sql).equals(expected);
    } catch (SQLException | RuntimeException e) {
      return false;
    }
  }

  /** Tests that whole arrays cross the network only if necessary. */
  @Test
  public void readsElementsOnTheServer() throws SQLException {
    String step = "SERVER ARRAY ELEMENT PROJECTION";
    String sql = named("SELECT /*+ NO_INDEX */ A[1] FROM T WHERE V = 1");
    assertThat(explain(exact, sql).toString().contains(step)).isEqualTo(!kind.equals("one cell"));
    assertThat(explain(exact, sql + " ORDER BY W").toString()).doesNotContain(step);
  }

  @Test
  public void selectsTheArrayToo() throws SQLException {
    String family = kind.equals("families") ? "H.*" : "\"0\".*";
    for (String query :
        List.of(
            "A[1], A FROM T WHERE K = 1",
            "A[1], " + family + " FROM T WHERE K = 1",
            "A[1], T.* FROM T JOIN O ON ID = V WHERE K = 1")) {
      String sql = named("SELECT " + query);
      assertThat(result(exact, sql)).as(sql).startsWith("5,").contains("[5, 6]");
    }
  }

  @Test
  public void upsertsElements() throws SQLException {
    for (boolean isAutoCommit : List.of(true, false)) {
      exact.setAutoCommit(isAutoCommit);
      int more = isAutoCommit ? 0 : 100;
      execute(
          exact,
          named("UPSERT INTO O (ID, X) SELECT K + " + (10 + more) + ", A[1] + W FROM T"),
          named("UPSERT INTO O (ID, X) SELECT K + " + (20 + more) + ", A[2] FROM T"),
          named("UPSERT INTO O (ID, X) SELECT ID + " + (30 + more) + ", B[2] FROM O WHERE ID < 9"));
      exact.commit();
      assertThat(
              result(
                  exact, named("SELECT X FROM O WHERE ID > %d ORDER BY ID".formatted(10 + more))))
          .as("auto-commit: %s", isAutoCommit)
          .isEqualTo("15 12 12 6 4 7 51 53");
    }
  }

  private String named(String sql) {
    return sql.replaceAll("\\bT\\b(?!\\.)", table)
        .replaceAll("\\b(FROM|JOIN|INTO) O\\b", "$1 " + other)
        .replaceAll("\\b([IJ])_T\\b", "$1_" + table)
        .replaceAll("\\bT\\.", table + ".")
        .replaceAll("\\bO\\.", other + ".");
  }

  /** Returns the rows, separated by spaces. The rows are sorted unless the query has an order. */
  private static String result(Connection connection, String sql) throws SQLException {
    List<String> rows = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      while (result.next()) {
        StringJoiner row = new StringJoiner(",");
        for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
          row.add(String.valueOf(result.getObject(i)));
        }
        rows.add(row.toString());
      }
    }
    if (!sql.contains("ORDER BY")) {
      rows.sort(null);
    }
    return String.join(" ", rows);
  }
}
