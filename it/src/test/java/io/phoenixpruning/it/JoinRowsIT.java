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
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.phoenix.jdbc.PhoenixTestDriver;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.query.QueryServices;
import org.junit.BeforeClass;
import org.junit.Test;

/**
 * Compares hash joins along a local index and on the data table with other joins. These are joins
 * that the client makes, or the same join without a LIMIT. Without the patches, Phoenix's hash
 * joins lose rows or return too many.
 */
public class JoinRowsIT extends PatchedRowsTest {

  private static final List<String> HINTS = List.of("NO_INDEX", "INDEX(T JOINED_V)");

  private static final String INNER = "FROM JOINED T JOIN PARTNERS D ON T.V = D.ID WHERE ";
  private static final String LEFT = "FROM JOINED T LEFT JOIN PARTNERS D ON T.V = D.ID WHERE ";

  /** JOINED has 40 rows in 4 regions. 20 of them have a partner, with one of 7 values of Y. */
  @BeforeClass
  public static void createTables() throws SQLException {
    try (Connection connection = connect(PruningMode.EXACT)) {
      execute(
          connection,
          "CREATE TABLE JOINED (K INTEGER PRIMARY KEY, V INTEGER, W INTEGER) SPLIT ON (10, 20, 30)",
          "CREATE LOCAL INDEX JOINED_V ON JOINED (V)",
          "CREATE TABLE PARTNERS (ID INTEGER PRIMARY KEY, Y INTEGER)",
          "CREATE TABLE EXCLUDED (ID INTEGER PRIMARY KEY, X INTEGER)");
      for (int k = 0; k < 40; k++) {
        execute(connection, "UPSERT INTO JOINED VALUES (%d, %d, %d)".formatted(k, 40 - k, k % 3));
      }
      for (int id = 0; id < 20; id++) {
        execute(connection, "UPSERT INTO PARTNERS VALUES (%d, %d)".formatted(2 * id + 1, id % 7));
      }
      execute(
          connection,
          "UPSERT INTO EXCLUDED VALUES (1, 2)",
          "UPSERT INTO EXCLUDED VALUES (2, 2)",
          "UPSERT INTO EXCLUDED VALUES (3, 5)");
      connection.commit();
    }
  }

  private static List<List<Object>> hinted(Connection connection, String hints, String query)
      throws SQLException {
    return rows(connection, "SELECT /*+ %s */ %s".formatted(hints, query));
  }

  @Test
  public void dropsRowsOfAntiJoins() throws SQLException {
    Map<String, Integer> queries =
        Map.of(
            "T.K, D.Y " + INNER + "D.Y NOT IN (SELECT X FROM EXCLUDED E)", 14,
            "T.K, D.Y " + INNER + "NOT EXISTS (SELECT 1 FROM EXCLUDED E WHERE E.X = D.Y)", 14,
            "T.K " + INNER + "D.Y NOT IN (SELECT X FROM EXCLUDED E) AND T.V > 20", 7,
            "T.K, D.Y "
                    + INNER
                    + "NOT EXISTS (SELECT 1 FROM EXCLUDED E WHERE E.X = D.Y AND E.ID = T.W)",
                18);
    try (Connection without = connect(allBut(Patch.ANTI_JOIN))) {
      for (String query : queries.keySet()) {
        List<List<Object>> expected = hinted(exact, "NO_INDEX USE_SORT_MERGE_JOIN", query);
        assertThat(expected).as(query).hasSize(queries.get(query));
        for (String hint : HINTS) {
          assertThat(hinted(exact, hint, query)).as("%s, %s", hint, query).isEqualTo(expected);
          assertThat(hinted(without, hint, query)).as(query).hasSizeGreaterThan(expected.size());
          String count = query.replaceFirst("T\\.K(, D\\.Y)?", "COUNT(*)");
          assertThat(hinted(exact, hint, count).toString())
              .as("%s, %s", hint, count)
              .isEqualTo("[[%d]]".formatted(expected.size()));
        }
      }
    }
  }

  /**
   * Tests joins with a LIMIT or an OFFSET. A query may return any matching rows, but must return
   * the right number of them.
   */
  @Test
  public void limitsRowsAfterTheCondition() throws SQLException {
    Map<String, Integer> queries =
        Map.of(
            "T.K " + LEFT + "D.ID IS NULL",
            20,
            "T.K FROM PARTNERS D RIGHT JOIN JOINED T ON T.V = D.ID WHERE D.ID IS NULL",
            20,
            "T.K " + LEFT + "D.Y = 3",
            3,
            "T.K " + LEFT + "D.Y = 3 OR T.K = 39",
            4,
            "T.K FROM JOINED T WHERE V = 2 OR K IN (SELECT X + 30 FROM EXCLUDED E)",
            3);
    // By default, Phoenix plans short queries as serial scans.
    PhoenixTestDriver client = driver(Map.of(QueryServices.FORCE_ROW_KEY_ORDER_ATTRIB, "true"));
    int lost = 0;
    try (Connection ordered = client.connect(getUrl(), new Properties());
        Connection without = connect(allBut(Patch.JOIN_LIMIT))) {
      for (String query : queries.keySet()) {
        List<List<Object>> all = hinted(exact, "NO_INDEX", query);
        assertThat(all).as(query).hasSize(queries.get(query));
        for (String hint : HINTS) {
          for (String limit : List.of("", " LIMIT 1", " LIMIT 2", " LIMIT 30")) {
            for (String offset : List.of("", " OFFSET 0", " OFFSET 2")) {
              for (String order : List.of("", " ORDER BY T.K")) {
                String limited = query + order + limit + offset;
                int expected = rowsOf(all.size(), limit, offset);
                for (Connection connection : List.of(exact, ordered)) {
                  assertThat(hinted(connection, hint, limited))
                      .as("%s, %s", hint, limited)
                      .hasSize(expected)
                      .doesNotHaveDuplicates()
                      .isSubsetOf(all);
                }
                lost += expected - hinted(without, hint, limited).size();
              }
            }
          }
        }
      }
    } finally {
      client.close();
    }
    assertThat(lost).as("lost without the patch").isPositive();
  }

  /** Returns the number of rows that a query returns if {@code all} rows match. */
  private static int rowsOf(int all, String limit, String offset) {
    int left = Math.max(0, all - (offset.isEmpty() ? 0 : number(offset)));
    return limit.isEmpty() ? left : Math.min(left, number(limit));
  }

  private static int number(String clause) {
    return Integer.parseInt(clause.replaceAll("\\D", ""));
  }
}
