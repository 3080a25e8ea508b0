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

import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.phoenix.pruning.config.PruningMode;
import org.assertj.core.api.SoftAssertions;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameter;
import org.junit.runners.Parameterized.Parameters;

/**
 * Tests queries with a subquery or a join that read in reverse. The values of the subquery are
 * known only when the order of the scan has been chosen.
 */
@RunWith(Parameterized.class)
public class ReverseSubqueriesIT extends ClusterTest {

  private static final List<String> CONDITIONS =
      List.of(
          "K IN (SELECT X FROM D)",
          "K IN (SELECT X FROM D WHERE ID < 2)",
          "K IN (SELECT X FROM D WHERE ID > 9)",
          "EXISTS (SELECT 1 FROM D WHERE D.X = R.K)",
          "EXISTS (SELECT 1 FROM D WHERE D.X = R.K AND ID > 0) AND V > 50",
          "V = 51 AND EXISTS (SELECT 1 FROM D WHERE D.X = R.K)",
          "(K, L) IN (SELECT X, 1 FROM D)",
          "K IN (2, 5, 6, 8) AND K < ALL (SELECT X + 4 FROM D)",
          "K IN (2, 5, 6, 8) AND L IN (1, 2) AND K > ANY (SELECT X FROM D)",
          "K IN (2, 5, 8) AND K > (SELECT MIN(X) FROM D)",
          "K = 5 AND K IN (SELECT X FROM D)");

  @Parameters(name = "{0}{1} {2}")
  public static List<Object[]> tables() {
    return List.of(
        new Object[] {"INTEGER", "", "SPLIT ON (3, 6)"},
        new Object[] {"INTEGER", " DESC", "SALT_BUCKETS = 3"},
        new Object[] {"DECIMAL", "", "SALT_BUCKETS = 3"},
        new Object[] {"DECIMAL", " DESC", ""});
  }

  @Parameter(0)
  public String type;

  @Parameter(1)
  public String order;

  @Parameter(2)
  public String options;

  /** Creates a table with the keys 0 to 9, each with L = 1 and L = 2, and V = 50 + K. */
  private String createTable(Connection connection, String values) throws SQLException {
    String table = generateUniqueName();
    execute(
        connection,
        """
        CREATE TABLE %s (K %s NOT NULL, L INTEGER NOT NULL, V INTEGER
          CONSTRAINT PK PRIMARY KEY (K%s, L))%s"""
            .formatted(table, type, order, options),
        "CREATE LOCAL INDEX I_" + table + " ON " + table + " (K" + order + ", V)",
        "CREATE TABLE " + values + " (ID INTEGER PRIMARY KEY, X " + type + ")");
    for (int k = 0; k < 10; k++) {
      for (int l = 1; l < 3; l++) {
        execute(connection, "UPSERT INTO %s VALUES (%d, %d, %d)".formatted(table, k, l, 50 + k));
      }
    }
    int id = 0;
    for (int x : new int[] {1, 5, 8}) {
      execute(connection, "UPSERT INTO %s VALUES (%d, %d)".formatted(values, id++, x));
    }
    connection.commit();
    return table;
  }

  @Test
  public void findsTheRowsOfTheSubquery() throws Exception {
    try (Connection connection = connect(PruningMode.EXACT);
        Connection unpruned = connect(PruningMode.NONE)) {
      String values = "D_" + generateUniqueName();
      String table = createTable(connection, values);
      SoftAssertions softly = new SoftAssertions();
      Combinations combinations = Combinations.oneOf(3);
      for (String condition : CONDITIONS) {
        String where = condition.replace("D.X", values + ".X").replace("FROM D", "FROM " + values);
        String rows = " K, L FROM " + table + " WHERE " + where.replace("R.K", table + ".K");
        List<List<Object>> expected = expected(connection, rows);
        String sorted = "SELECT /*+ NO_INDEX FORWARD_SCAN */" + rows + " ORDER BY K DESC, L DESC";
        softly.assertThat(rows(connection, sorted)).as(sorted).isEqualTo(expected);
        for (String hint : List.of("NO_INDEX", "INDEX(" + table + " I_" + table + ")")) {
          for (Connection reader : List.of(connection, unpruned)) {
            if (!combinations.chooseNext()) {
              continue;
            }
            String reversed = "SELECT /*+ " + hint + " */" + rows + " ORDER BY K DESC, L DESC";
            softly.assertThat(rows(reader, reversed)).as(reversed).isEqualTo(expected);
            softly
                .assertThat(rows(reader, reversed + " LIMIT 2"))
                .as(reversed + " LIMIT 2")
                .isEqualTo(expected.subList(0, Math.min(2, expected.size())));
          }
        }
      }
      softly.assertAll();
    }
  }

  /** Returns the rows that a scan without an order finds, in reverse key order. */
  private List<List<Object>> expected(Connection connection, String rows) throws SQLException {
    List<List<Object>> expected =
        new ArrayList<>(rows(connection, "SELECT /*+ NO_INDEX */" + rows));
    expected.sort(
        Comparator.<List<Object>, BigDecimal>comparing(row -> (BigDecimal) row.get(0))
            .thenComparing(row -> (BigDecimal) row.get(1))
            .reversed());
    return expected;
  }
}
