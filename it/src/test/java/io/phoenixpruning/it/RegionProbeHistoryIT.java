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
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.apache.commons.lang3.reflect.FieldUtils;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.pruning.config.PruningOptions;
import org.apache.phoenix.query.QueryServices;
import org.apache.phoenix.schema.types.PInteger;
import org.apache.phoenix.util.EnvironmentEdgeManager;
import org.apache.phoenix.util.ManualEnvironmentEdge;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/** Tests when the server is probed, and its answers, depending on earlier probes and writes. */
public class RegionProbeHistoryIT extends ClusterTest {

  private static final int REGIONS = 20;
  private static final int ROWS = 400;
  private static final int RARE = 4;

  private String table;
  private String hint;
  private Connection connection;
  private Probing probing;

  /**
   * Creates regions with 20 rows each. V is the number of a row in its region, except for one row
   * in each of 4 regions, where V is 1000.
   */
  @Before
  public void createTable() throws SQLException {
    table = generateUniqueName();
    String index = "I_" + table;
    hint = "INDEX(" + table + " " + index + ")";
    connection = connect(PruningMode.EXACT);
    execute(
        connection,
        """
        CREATE TABLE %s (K INTEGER PRIMARY KEY, V INTEGER, X VARCHAR)
          COMPACTION_ENABLED = false SPLIT ON (%s)"""
            .formatted(table, splits(REGIONS, ROWS / REGIONS)),
        "CREATE LOCAL INDEX " + index + " ON " + table + " (V) INCLUDE (X)");
    upsert();
    probing = new Probing(table, hint, Map.of());
  }

  private void upsert() throws SQLException {
    upsertRows(
        connection,
        table,
        ROWS,
        k -> List.of(k, k % 100 == 7 ? 1_000 : k % (ROWS / REGIONS), "x" + k));
  }

  @After
  public void close() throws SQLException {
    probing.close();
    connection.close();
  }

  private String where(String condition) {
    return "SELECT K, X FROM " + table + " WHERE " + condition;
  }

  private void compact() throws Exception {
    for (HRegion region : getUtility().getHBaseCluster().getRegions(TableName.valueOf(table))) {
      region.compact(true);
    }
  }

  private void flush() throws Exception {
    getUtility().getAdmin().flush(TableName.valueOf(table));
  }

  @Test
  public void backsOffLongerIfEachRegionHasARow() throws SQLException {
    String everywhere = where("V = 3");
    // The back-off begins only after probes have saved less than a quarter of the scans on average.
    for (int i = 0; i < 2; i++) {
      assertThat(probing.rpcs(probing.withoutRows(), everywhere))
          .as("probe %s", i)
          .isEqualTo(1 + REGIONS);
    }
    for (int rest : new int[] {8, 16}) {
      assertThat(probing.rpcs(probing.withoutRows(), everywhere))
          .as("before %s statements without probes", rest)
          .isEqualTo(1 + REGIONS);
      for (int i = 0; i < rest; i++) {
        assertThat(probing.rpcs(probing.withoutRows(), everywhere))
            .as("%s of %s", i, rest)
            .isEqualTo(REGIONS);
      }
    }
    assertThat(probing.rpcs(probing.withoutRows(), where("V = 1000"))).isEqualTo(1 + RARE);
    assertThat(probing.rpcs(probing.withoutRows(), everywhere)).as("it has paid").isEqualTo(21);
    assertThat(rows(probing.withoutRows(), probing.withIndexHint(everywhere))).hasSize(REGIONS);
  }

  @Test
  public void explainShowsNoProbeDuringBackoff() throws SQLException {
    String query = probing.withIndexHint(where("V = 3"));
    String step = "PROBE " + REGIONS + " REGIONS ON 1 SERVER";
    assertThat(explain(probing.withoutRows(), query)).anyMatch(line -> line.contains(step));
    for (int i = 0; i < 3; i++) {
      rows(probing.withoutRows(), query);
    }
    assertThat(explain(probing.withoutRows(), query)).noneMatch(line -> line.contains("PROBE"));
  }

  @Test
  public void doesNotProbeAServerThatDoesNotKnowTheRequest() throws Exception {
    serveAsStock(table);
    String rare = where("V = 1000");
    assertThat(probing.rpcs(probing.withRows(), rare)).isEqualTo(1 + REGIONS);
    for (int i = 0; i < 3; i++) {
      assertThat(probing.rpcs(probing.withRows(), rare)).as("query %s", i).isEqualTo(REGIONS);
      assertThat(probing.rpcs(probing.withoutRows(), rare)).as("query %s", i).isEqualTo(REGIONS);
    }
    probing.assertFindsTheRowsOfTheTable(rare, where("V IN (3, 1000) ORDER BY V, K"));
    serveAsOurs(table);
    assertThat(probing.rpcs(probing.withRows(), rare)).as("not for a while").isEqualTo(REGIONS);
    ManualEnvironmentEdge clock = new ManualEnvironmentEdge();
    clock.setValue(EnvironmentEdgeManager.currentTimeMillis() + TimeUnit.MINUTES.toMillis(10));
    EnvironmentEdgeManager.injectEdge(clock);
    try {
      assertThat(probing.rpcs(probing.withRows(), rare)).as("ten minutes later").isEqualTo(1);
    } finally {
      EnvironmentEdgeManager.reset();
    }
  }

  @Test
  public void scansWhereNoHandlerIsFree() throws Exception {
    String rare = where("V = 1000");
    assertThat(probing.rpcs(probing.withRows(), rare)).isEqualTo(1);
    Semaphore handlers = handlers();
    int free = handlers.drainPermits();
    assertThat(free).isPositive();
    try {
      assertThat(probing.rpcs(probing.withRows(), rare))
          .as("it is asked again until the deadline")
          .isBetween(REGIONS + 1L, REGIONS + 20L);
      assertThat(rows(probing.withRows(), probing.withIndexHint(rare))).hasSize(RARE);
    } finally {
      handlers.release(free);
    }
    assertThat(probing.rpcs(probing.withRows(), rare)).isEqualTo(1);
  }

  /** Returns the permits of the server's handlers that may answer probes. */
  private Semaphore handlers() throws Exception {
    HRegion region = getUtility().getHBaseCluster().getRegions(TableName.valueOf(table)).get(0);
    for (String coprocessor : region.getCoprocessorHost().getCoprocessors()) {
      Object gate =
          region
              .getCoprocessorHost()
              .findCoprocessorEnvironment(coprocessor)
              .getSharedData()
              .get("phoenix.pruning.probe.handlers.share");
      if (gate != null) {
        return (Semaphore) FieldUtils.readField(gate, "permits", true);
      }
    }
    throw new AssertionError("no probe has come");
  }

  @Test
  public void answersWithSomeOfTheRows() throws SQLException {
    String many = where("V BETWEEN 3 AND 9");
    assertThat(probing.rpcs(probing.withRows(), many)).isLessThan(REGIONS);
    try (Connection few = Probing.connect(Map.of(PruningOptions.PROBE_ROWS_KB, "1"))) {
      assertThat(probing.rpcs(few, many)).isBetween(2L, (long) REGIONS);
      assertThat(rows(few, probing.withIndexHint(where("V = 3"))))
          .isEqualTo(probing.rowsOfTable(where("V = 3")))
          .hasSize(REGIONS);
      assertThat(rows(few, probing.withIndexHint(many))).isEqualTo(probing.rowsOfTable(many));
    }
  }

  /**
   * Tests scans without pages. Without pages, nothing ends a read of many rows that do not match.
   */
  @Test
  public void answersWithRowsOnlyInPages() throws SQLException {
    String rare = where("V = 1000");
    try (Connection noPages =
            Probing.connect(Map.of(QueryServices.PHOENIX_SERVER_PAGING_ENABLED_ATTRIB, "false"));
        Connection shortPages =
            Probing.connect(Map.of(QueryServices.PHOENIX_SERVER_PAGE_SIZE_MS, "0"))) {
      for (Connection by : new Connection[] {noPages, shortPages}) {
        String pages = by == noPages ? "no pages" : "short pages";
        assertThat(probing.rpcs(by, rare)).as(pages).isBetween(1L, 1L + RARE);
        assertThat(rows(by, probing.withIndexHint(rare))).as(pages).hasSize(RARE);
      }
      for (Connection by : new Connection[] {noPages, shortPages}) {
        assertThat(rows(by, probing.withIndexHint(where("V < 9"))))
            .as(by == noPages ? "no pages" : "short pages")
            .isEqualTo(probing.rowsOfTable(where("V < 9")));
      }
    }
  }

  @Test
  public void findsRowsInMemoryAndInFiles() throws Exception {
    String rare = where("V = 1000");
    probing.assertProbesInsteadOfScanning(REGIONS, rare);
    flush();
    probing.assertProbesInsteadOfScanning(REGIONS, rare);
    execute(
        connection,
        "UPSERT INTO " + table + " VALUES (101, 1000, 'in memory')",
        "UPSERT INTO " + table + " VALUES (151, 1000, 'in memory')");
    connection.commit();
    assertThat(probing.rpcs(probing.withoutRows(), rare)).isEqualTo(1 + RARE + 1);
    probing.assertProbesInsteadOfScanning(REGIONS, rare);
    flush();
    compact();
    probing.assertProbesInsteadOfScanning(REGIONS, rare);
  }

  /**
   * Tests deleted rows. The server looks for cells of any kind. Therefore a probe is not slower if
   * many rows are deleted.
   */
  @Test
  public void scansRegionsWithDeletedRowsUntilTheyAreCompacted() throws Exception {
    String rare = where("V = 1000");
    execute(connection, "DELETE FROM " + table + " WHERE V = 1000");
    connection.commit();
    for (String state : new String[] {"in memory", "in files"}) {
      assertThat(probing.rpcs(probing.withoutRows(), rare)).as(state).isEqualTo(1 + RARE);
      assertThat(probing.rpcs(probing.withRows(), rare)).as(state).isEqualTo(1);
      probing.assertFindsTheRowsOfTheTable(rare, where("V > 900"));
      assertThat(rows(probing.withoutRows(), probing.withIndexHint(rare))).as(state).isEmpty();
      flush();
    }
    compact();
    assertThat(probing.rpcs(probing.withoutRows(), rare)).isEqualTo(1);
    probing.assertFindsTheRowsOfTheTable(rare, where("V > 900"));
  }

  /**
   * Tests the parts of a split region. The index rows of these parts still have the prefix of the
   * region before the split.
   */
  @Test
  public void scansPartsOfASplitRegionUntilTheyAreCompacted() throws Exception {
    String rare = where("V = 1000");
    String none = where("V = 1001");
    flush();
    RegionInfo third = regions(table).get(3);
    split(third, PInteger.INSTANCE.toBytes(70));
    probing.assertFindsTheRowsOfTheTable(rare, none);
    assertThat(probing.rpcs(probing.withoutRows(), none)).isEqualTo(1 + 2);
    assertThat(probing.rpcs(probing.withoutRows(), rare)).isEqualTo(1 + 2 + RARE);
    assertThat(probing.rpcs(probing.withRows(), rare)).isEqualTo(1 + 2);
    new RegionChanges(getUtility()).compact(TableName.valueOf(table));
    assertThat(probing.rpcs(probing.withoutRows(), none)).isEqualTo(1);
    probing.assertProbesInsteadOfScanning(REGIONS + 1, rare);
  }

  @Test
  public void readsPartsOfASplitRegionBackwards() throws Exception {
    flush();
    split(regions(table).get(3), PInteger.INSTANCE.toBytes(70));
    probing.assertFindsTheRowsOfTheTable(where("V IN (9, 11, 1000) ORDER BY V DESC, K DESC"));
  }
}
