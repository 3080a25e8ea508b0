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

import io.phoenixpruning.testing.ScanRpcCounts;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.iterate.MapReduceParallelScanGrouper;
import org.apache.phoenix.jdbc.PhoenixPreparedStatement;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.pruning.config.PruningOptions;
import org.apache.phoenix.pruning.metrics.Fallbacks;
import org.junit.BeforeClass;
import org.junit.Test;

/**
 * Tests features that depend on how scans are planned: order, groups, limits, samples, joins and
 * changes.
 */
public class StatementsIT extends ClusterTest {

  private static final String TABLE = "WARES";
  private static final String INDEX = "/*+ INDEX(WARES WARES_V2) */ ";
  private static final int REGIONS = 10;

  @BeforeClass
  public static void createTables() throws Exception {
    try (Connection connection = connect(PruningMode.EXACT)) {
      createTable(connection, TABLE);
      execute(
          connection,
          "CREATE TABLE SHELVES (K INTEGER PRIMARY KEY, X INTEGER)",
          "UPSERT INTO SHELVES VALUES (25, 1)",
          "UPSERT INTO SHELVES VALUES (75, 1)");
      connection.commit();
    }
  }

  private static void createTable(Connection connection, String table) throws SQLException {
    createTableOfPairs(connection, table, table + "_V2", splits(REGIONS, 10));
    upsertPairs(
        connection,
        table,
        10 * REGIONS,
        10,
        (pk1, pk2) -> List.of(pk1, pk2, (pk1 * 7 + pk2) % 13, pk2));
  }

  /**
   * Checks that the query returns the table's rows, with one scan RPC for each region that it
   * needs.
   */
  private static void assertScans(int regions, String query) throws SQLException {
    try (Connection connection = connect(PruningMode.EXACT);
        Connection verifying = connect(Map.of(PruningOptions.VERIFY, "true"))) {
      List<List<Object>> expected = rows(connection, "SELECT /*+ NO_INDEX */ " + query);
      assertThat(rows(verifying, "SELECT " + INDEX + query)).isEqualTo(expected);
      ScanRpcCounts before = scanRpcs(TABLE);
      assertThat(rows(connection, "SELECT " + INDEX + query)).isEqualTo(expected);
      assertThat(scanRpcs(TABLE).minus(before).regions()).as(query).hasSize(regions);
      assertThat(scanRpcs(TABLE).minus(before).opens()).as(query).isEqualTo(regions);
    }
  }

  @Test
  public void ordersGroupsAndLimits() throws Exception {
    String where = " FROM WARES WHERE V2 = 5 AND PK1 BETWEEN 25 AND 44";
    assertScans(3, "PK1, PK2" + where + " ORDER BY PK1, PK2");
    assertScans(3, "V2, PK1" + where + " ORDER BY V2, PK1");
    assertScans(3, "V1, PK1" + where + " ORDER BY V1 DESC, PK1 DESC");
    assertScans(3, "PK1 - PK2, COUNT(*)" + where + " GROUP BY PK1 - PK2");
    assertScans(3, "V2, COUNT(*), MAX(PK1)" + where + " GROUP BY V2");
    assertScans(3, "COUNT(*), MIN(PK1), MAX(PK1), SUM(PK2)" + where);
    assertScans(3, "DISTINCT V2" + where);
    assertScans(3, "PK1" + where + " ORDER BY V1, PK1 LIMIT 4 OFFSET 2");
    assertScans(
        3, "V2, PK1 FROM WARES WHERE V2 IN (3, 5, 7) AND PK1 BETWEEN 25 AND 44 ORDER BY V2, PK1");
  }

  @Test
  public void dropsATableWithoutFailures() throws Exception {
    try (Connection connection = connect(PruningMode.EXACT)) {
      createTable(connection, "OLD_WARES");
      long failures = Fallbacks.GLOBAL.failures();
      execute(connection, "DROP TABLE OLD_WARES");
      assertThat(Fallbacks.GLOBAL.failures()).isEqualTo(failures);
    }
  }

  /**
   * Checks that the pages have all rows together, and that each page reads only the regions that it
   * needs.
   */
  @Test
  public void readsPagesFromTheRegionsThatTheyNeed() throws Exception {
    try (Connection connection = connect(Map.of(PruningOptions.PROBE, "false"))) {
      List<List<Object>> all =
          rows(
              connection,
              "SELECT /*+ NO_INDEX */ V2, PK1, PK2 FROM WARES WHERE V2 = 5"
                  + " ORDER BY V2, PK1, PK2");
      List<List<Object>> read = new ArrayList<>();
      List<Object> last = List.of(5, -1, -1);
      for (int from = 0; from <= all.size(); from += 10) {
        String page =
            "V2, PK1, PK2 FROM WARES WHERE V2 = 5 AND (V2, PK1, PK2) > (%s, %s, %s)"
                .formatted(last.stream().map(value -> ((Number) value).intValue()).toArray());
        int planned = REGIONS - Math.max(((Number) last.get(1)).intValue(), 0) / 10;
        assertThat(attributes(connection, "SELECT " + INDEX + page).getRegionsPlanned())
            .as(page)
            .isEqualTo(planned);
        List<List<Object>> rows =
            rows(connection, "SELECT " + INDEX + page + " ORDER BY V2, PK1, PK2 LIMIT 10");
        read.addAll(rows);
        last = rows.isEmpty() ? last : rows.get(rows.size() - 1);
      }
      assertThat(read).isEqualTo(all);
    }
  }

  @Test
  public void aggregatesOverNoRegion() throws Exception {
    String nowhere = " FROM WARES WHERE V2 = 5 AND PK1 = 7 AND NOT (PK1 = 7)";
    assertScans(0, "COUNT(*), SUM(PK1)" + nowhere);
    assertScans(0, "V2, COUNT(*)" + nowhere + " GROUP BY V2");
    assertScans(0, "PK1" + nowhere);
    assertScans(0, "PK1" + nowhere + " ORDER BY V1 LIMIT 3");
    assertScans(0, "COUNT(*) FROM WARES WHERE V2 = 5 AND (V2 > 5 AND PK1 = 3 OR V2 < 5)");
  }

  @Test
  public void prunesByTheKeysOfAHashJoin() throws Exception {
    String join =
        "WARES.PK1, WARES.PK2 FROM WARES JOIN SHELVES ON WARES.PK1 = SHELVES.K WHERE WARES.V2 = 5";
    assertScans(2, join);
    assertScans(2, "PK1, PK2 FROM WARES WHERE V2 = 5 AND PK1 IN (SELECT K FROM SHELVES)");
    assertScans(1, "PK1, PK2 FROM WARES WHERE V2 = 5 AND PK1 = (SELECT MAX(K) FROM SHELVES)");
  }

  @Test
  public void prunesByConditionsThatKeyRangesCannotExpress() throws Exception {
    String where = "PK1, PK2 FROM WARES WHERE V2 = 5 AND ";
    assertScans(1, where + "PK1 + 1 = 26");
    assertScans(1, where + "CASE WHEN PK1 = 25 THEN 1 ELSE 0 END = 1");
    assertScans(6, where + "NOT (PK1 * 2 < 90 OR PK1 - 60 > V1)");
    assertScans(1, where + "PK1 + 1 = (SELECT MAX(K) FROM SHELVES)");
    String none = " FROM WARES WHERE V2 = 5 AND PK1 * 0 = 1";
    assertScans(0, "COUNT(*), SUM(PK1)" + none);
    assertScans(0, "V2, COUNT(*)" + none + " GROUP BY V2");
    assertScans(0, "PK1" + none + " LIMIT 3");
    assertScans(0, "PK1" + none + " ORDER BY PK1 DESC LIMIT 3 OFFSET 2");
    assertScans(0, "DISTINCT V2" + none);
  }

  @Test
  public void samplesLikeStock() throws Exception {
    String sampled =
        "SELECT " + INDEX + "PK1, PK2 FROM WARES TABLESAMPLE (50) WHERE V2 = 5 AND PK1 > 0";
    try (Connection exact = connect(PruningMode.EXACT);
        Connection stock = connect(PruningMode.STOCK)) {
      assertThat(rows(exact, sampled)).isEqualTo(rows(stock, sampled));
      String all = sampled.replace("(50)", "(100)");
      assertThat(rows(exact, all)).hasSize(99);
      assertThat(explain(exact, sampled).get(0)).contains("0.5-SAMPLED");
    }
  }

  @Test
  public void estimatesRowsOfPlannedRegionsOnly() throws Exception {
    try (Connection connection = connect(PruningMode.EXACT)) {
      createTable(connection, "COUNTED");
      execute(connection, "UPDATE STATISTICS COUNTED");
      long all = estimatedRows(connection, "V2 < 8");
      long two = estimatedRows(connection, "V2 < 8 AND PK1 BETWEEN 35 AND 44");
      assertThat(all).isPositive();
      assertThat(two).isPositive().isLessThan(all / 2);
      try (Connection stock = connect(PruningMode.STOCK)) {
        assertThat(all).isEqualTo(estimatedRows(stock, "V2 < 8"));
      }
    }
  }

  private static long estimatedRows(Connection connection, String where) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "SELECT /*+ INDEX(COUNTED COUNTED_V2) */ PK1 FROM COUNTED WHERE " + where)) {
      return statement
          .unwrap(PhoenixPreparedStatement.class)
          .optimizeQuery()
          .getEstimatedRowsToScan();
    }
  }

  @Test
  public void plansInputSplitsOfMapReduce() throws Exception {
    try (Connection connection = connect(PruningMode.EXACT);
        PreparedStatement statement =
            connection.prepareStatement(
                "SELECT " + INDEX + "PK1 FROM WARES WHERE V2 = 5 AND PK1 IN (5, 55)")) {
      QueryPlan plan = statement.unwrap(PhoenixPreparedStatement.class).optimizeQuery();
      plan.iterator(MapReduceParallelScanGrouper.getInstance());
      assertThat(plan.getScans().stream().mapToInt(List<Scan>::size).sum()).isEqualTo(2);
    }
  }

  @Test
  public void deletesAndUpsertsByTheIndex() throws Exception {
    try (Connection connection = connect(Map.of(PruningOptions.VERIFY, "true"))) {
      execute(
          connection,
          """
          CREATE TABLE CHANGED (PK1 INTEGER NOT NULL, V2 INTEGER
            CONSTRAINT PK PRIMARY KEY (PK1)) SPLIT ON (10, 20, 30)""",
          "CREATE LOCAL INDEX CHANGED_V2 ON CHANGED (V2)");
      for (boolean autoCommit : new boolean[] {true, false}) {
        connection.setAutoCommit(autoCommit);
        for (int i = 0; i < 40; i++) {
          execute(connection, "UPSERT INTO CHANGED VALUES (" + i + ", " + i % 2 + ")");
        }
        connection.commit();
        execute(
            connection,
            "DELETE FROM CHANGED WHERE V2 = 1 AND PK1 IN (SELECT K FROM SHELVES)",
            """
            UPSERT INTO CHANGED SELECT /*+ INDEX(CHANGED CHANGED_V2) */ PK1 + 100, V2
              FROM CHANGED WHERE V2 = 0 AND PK1 BETWEEN 15 AND 18""");
        connection.commit();
        assertThat(
                rows(
                    connection,
                    "SELECT /*+ NO_INDEX */ PK1 FROM CHANGED WHERE PK1 IN (25, 75) OR PK1 > 50"))
            .as("auto-commit: %s", autoCommit)
            .hasSize(2);
        assertThat(
                rows(
                    connection,
                    "SELECT /*+ INDEX(CHANGED CHANGED_V2) */ COUNT(*) FROM CHANGED WHERE V2 = 0"))
            .as("auto-commit: %s", autoCommit)
            .isEqualTo(
                rows(connection, "SELECT /*+ NO_INDEX */ COUNT(*) FROM CHANGED WHERE V2 = 0"));
      }
    }
  }

  /**
   * Tests a DELETE with a join that reads nothing. In this case, Phoenix frees the values of the
   * join twice.
   */
  @Test
  public void deletesNothingByAJoin() throws Exception {
    try (Connection connection = connect(PruningMode.EXACT)) {
      createTable(connection, "KEPT");
      String all = "SELECT /*+ NO_INDEX */ PK1, PK2 FROM KEPT";
      List<List<Object>> before = rows(connection, all);
      for (String hint : List.of("NO_INDEX", "INDEX(KEPT KEPT_V2)")) {
        execute(
            connection,
            """
            DELETE /*+ %s */ FROM KEPT WHERE PK1 = 7 AND EXISTS (SELECT 1 FROM SHELVES
              WHERE K = 25 AND SHELVES.K = KEPT.PK1)"""
                .formatted(hint));
      }
      connection.commit();
      assertThat(rows(connection, all)).isNotEmpty().isEqualTo(before);
    }
  }
}
