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
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.pruning.config.PruningOptions;
import org.apache.phoenix.pruning.patch.Patch;
import org.junit.BeforeClass;
import org.junit.Test;

/** Tests that cursors return each row once. */
public class CursorsIT extends ClusterTest {

  private static final List<String> QUERIES =
      List.of(
          "SELECT K FROM SEEN_D UNION ALL SELECT ID FROM SEEN_T",
          "SELECT K FROM SEEN_D UNION ALL SELECT ID FROM SEEN_T ORDER BY 1",
          "SELECT T.ID, D.K FROM SEEN_T T JOIN SEEN_D D ON T.ID = D.ID",
          "SELECT T.ID, D.K FROM SEEN_T T JOIN SEEN_D D ON T.ID = D.ID ORDER BY D.K DESC",
          "SELECT X FROM (SELECT K X FROM SEEN_D ORDER BY ID LIMIT 4) WHERE X > 1 ORDER BY X",
          "SELECT X, COUNT(*) FROM (SELECT ID X FROM SEEN_D LIMIT 9) GROUP BY X",
          "SELECT ID FROM SEEN_T WHERE ID IN (SELECT ID FROM SEEN_D)");

  @BeforeClass
  public static void createTables() throws SQLException {
    try (Connection connection = connect(PruningMode.EXACT)) {
      connection.setAutoCommit(true);
      execute(
          connection,
          "CREATE TABLE SEEN_T (ID INTEGER PRIMARY KEY, A INTEGER) SPLIT ON (3)",
          "CREATE TABLE SEEN_D (K INTEGER PRIMARY KEY, ID INTEGER)");
      for (int i = 1; i < 6; i++) {
        execute(
            connection,
            "UPSERT INTO SEEN_T VALUES (%d, %d)".formatted(i, i),
            "UPSERT INTO SEEN_D VALUES (%d, %d)".formatted(i, (i + 1) / 2));
      }
    }
  }

  @Test
  public void fetchesEachRowOnce() throws SQLException {
    try (Connection exact = connect(PruningMode.EXACT);
        Connection without =
            connect(Map.of(PruningOptions.PATCHES, "all,-" + Patch.CURSOR_FETCH.id()))) {
      for (String query : QUERIES) {
        List<List<Object>> expected = rows(exact, query);
        List<List<Object>> fetched = fetch(exact, query, expected.size());
        if (!query.contains("ORDER BY")) {
          fetched.sort(Comparator.comparing(List::toString));
        }
        assertThat(fetched).as(query).isEqualTo(expected);
        assertThat(fetch(without, query, expected.size()))
            .as("without the patch: " + query)
            .hasSizeGreaterThan(expected.size());
      }
    }
  }

  @Test
  public void fetchesTheRowsOfOneTable() throws SQLException {
    try (Connection exact = connect(PruningMode.EXACT)) {
      assertThat(fetch(exact, "SELECT K FROM SEEN_D", 5)).hasSize(5);
    }
  }

  /** Fetches pairs of rows until there should be no more. */
  private static List<List<Object>> fetch(Connection connection, String query, int size)
      throws SQLException {
    String cursor = generateUniqueName();
    execute(connection, "DECLARE " + cursor + " CURSOR FOR " + query, "OPEN " + cursor);
    List<List<Object>> fetched = new ArrayList<>();
    for (int i = 0; i <= size / 2; i++) {
      try (Statement statement = connection.createStatement();
          ResultSet result = statement.executeQuery("FETCH NEXT 2 ROWS FROM " + cursor)) {
        fetched.addAll(rows(result, true));
      }
    }
    execute(connection, "CLOSE " + cursor);
    return fetched;
  }
}
