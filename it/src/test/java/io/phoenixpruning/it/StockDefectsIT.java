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
import org.apache.phoenix.pruning.config.PruningMode;
import org.junit.BeforeClass;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameters;

/**
 * Tests cases in which stock is wrong and mode exact is right: wrong literals, and guideposts of
 * pruned regions.
 */
@RunWith(Parameterized.class)
public class StockDefectsIT extends ClusterTest {

  private static final int REGIONS = 20;

  private final String table;
  private final boolean statistics;

  public StockDefectsIT(String table, boolean statistics) {
    this.table = table;
    this.statistics = statistics;
  }

  @Parameters(name = "{0}")
  public static List<Object[]> tables() {
    return List.of(new Object[] {"WITHOUT_STATS", false}, new Object[] {"WITH_STATS", true});
  }

  @BeforeClass
  public static void createTables() throws Exception {
    try (Connection connection = connect(PruningMode.EXACT)) {
      execute(
          connection,
          "CREATE TABLE KEYS (K INTEGER PRIMARY KEY, X INTEGER)",
          "UPSERT INTO KEYS VALUES (25, 1)",
          "UPSERT INTO KEYS VALUES (105, 1)");
      connection.commit();
      createTable(connection, "WITHOUT_STATS");
      createTable(connection, "WITH_STATS");
      execute(connection, "UPDATE STATISTICS WITH_STATS");
    }
  }

  private static void createTable(Connection connection, String table) throws SQLException {
    createTableOfPairs(connection, table, table + "_V2", splits(REGIONS, 10));
    fill(connection, table);
  }

  /** Writes 20 rows for each PK1. Two of them have each value of V2. */
  private static void fill(Connection connection, String table) throws SQLException {
    upsertPairs(
        connection, table, 10 * REGIONS, 20, (pk1, pk2) -> List.of(pk1, pk2, pk2 % 7, pk2 % 10));
  }

  /** Rows of the table, and rows along its index in mode stock, which may differ. */
  private record Rows(List<List<Object>> expected, List<List<Object>> ofStock) {}

  /** Checks that modes exact and none return the rows of the table. */
  private Rows assertRight(String where) throws SQLException {
    try (Connection exact = connect(PruningMode.EXACT);
        Connection stock = connect(PruningMode.STOCK);
        Connection none = connect(PruningMode.NONE)) {
      // The query does not select *, because stock expands it to the columns of the index if a
      // subquery is rewritten.
      String from = " PK1, PK2, V1, V2 FROM " + table + " WHERE " + where;
      String indexed = "SELECT /*+ INDEX(" + table + " " + table + "_V2) */" + from;
      List<List<Object>> expected = rows(stock, "SELECT /*+ NO_INDEX */" + from);
      assertThat(expected).as(where).isNotEmpty();
      assertThat(rows(exact, indexed)).as("exact: %s", where).isEqualTo(expected);
      assertThat(rows(none, indexed)).as("none: %s", where).isEqualTo(expected);
      return new Rows(expected, rows(stock, indexed));
    }
  }

  @Test
  public void prunesByTheValueOfAScalarSubquery() throws Exception {
    assertThat(assertRight("V2 = 5 AND PK1 = (SELECT MIN(K) FROM KEYS)").ofStock()).isEmpty();
  }

  @Test
  public void prunesByLiteralsNextToAScalarSubquery() throws Exception {
    assertThat(assertRight("V2 = 5 AND PK1 = 25 AND V1 < (SELECT MAX(K) FROM KEYS)").ofStock())
        .isEmpty();
  }

  @Test
  public void prunesByLiteralsNextToAnAnySubquery() throws Exception {
    assertThat(assertRight("V2 = 5 AND PK1 = 25 AND PK2 > ANY (SELECT X FROM KEYS)").ofStock())
        .isEmpty();
  }

  @Test
  public void prunesByLiteralsNextToAnAllSubquery() throws Exception {
    assertThat(assertRight("V2 = 5 AND PK1 = 25 AND PK2 > ALL (SELECT X FROM KEYS)").ofStock())
        .isEmpty();
  }

  @Test
  public void leavesOutGuidepostsOfPrunedRegions() throws Exception {
    for (String where : List.of("PK1 BETWEEN 95 AND 105", "PK1 IN (25, 105, 195)")) {
      Rows rows = assertRight("V2 < 5 AND " + where);
      if (statistics) {
        assertThat(rows.ofStock()).as(where).hasSizeGreaterThan(rows.expected().size());
      } else {
        assertThat(rows.ofStock()).as(where).isEqualTo(rows.expected());
      }
    }
  }
}
