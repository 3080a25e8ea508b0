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

import java.io.IOException;
import java.io.InterruptedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.coprocessor.CoprocessorHost;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.util.JVMClusterUtil.RegionServerThread;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.pruning.config.PruningOptions;
import org.apache.phoenix.schema.types.PInteger;
import org.awaitility.Awaitility;
import org.junit.After;
import org.junit.AfterClass;
import org.junit.Before;
import org.junit.BeforeClass;
import org.junit.Test;

/**
 * Tests probes of several servers. Some servers do not answer, or have other regions when the probe
 * arrives. The rows must be right.
 */
public class RegionProbeServersIT extends ClusterTest {

  private static final int SERVERS = 3;
  private static final int REGIONS = 18;
  private static final int WIDTH = 10;

  /** Keys of the matching rows, each in another region. */
  private static final List<Integer> RARE = List.of(15, 85, 155);

  private static final String DEADLINE_MS = "5000";

  private String table;
  private String query;
  private List<List<Object>> expected;
  private List<RegionInfo> regions;
  private List<ServerName> servers;

  /** Server of each region, in key order. */
  private List<ServerName> locations;

  @BeforeClass
  public static void startCluster() throws Exception {
    if (clusterInitialized) {
      tearDownMiniCluster(0);
    }
    startClusterOnLocalFiles(
        Map.of(
            REGION_SERVERS,
            Integer.toString(SERVERS),
            // The servers share the handlers for probes, because they are in one JVM. A server
            // without a free one refuses a probe, and the client repeats it.
            HConstants.REGION_SERVER_HANDLER_COUNT,
            "20",
            CoprocessorHost.USER_REGION_COPROCESSOR_CONF_KEY,
            ProbeObserver.class.getName()),
        Map.of());
    getUtility().getAdmin().balancerSwitch(false, true);
  }

  @AfterClass
  public static void dropTables() {
    tearDownMiniCluster(0);
  }

  @Before
  public void createTable() throws Exception {
    servers =
        getUtility().getHBaseCluster().getLiveRegionServerThreads().stream()
            .map(thread -> thread.getRegionServer().getServerName())
            .sorted()
            .toList();
    assertThat(servers).hasSize(SERVERS);
    // Until the master notices that a test has killed a server, it assigns regions to that server.
    Awaitility.await()
        .atMost(Duration.ofMinutes(2))
        .until(
            () -> getUtility().getAdmin().getRegionServers().stream().sorted().toList(),
            servers::equals);
    getUtility().waitUntilNoRegionsInTransition(120_000);
    table = generateUniqueName();
    String index = "I_" + table;
    query = "SELECT /*+ INDEX(" + table + " " + index + ") */ K FROM " + table + " WHERE V = 1000";
    try (Connection connection = connect(PruningMode.EXACT)) {
      execute(
          connection,
          "CREATE TABLE %s (K INTEGER PRIMARY KEY, V INTEGER) SPLIT ON (%s)"
              .formatted(table, splits(REGIONS, WIDTH)),
          "CREATE LOCAL INDEX " + index + " ON " + table + " (V)");
      upsertRows(connection, table, REGIONS * WIDTH, k -> List.of(k, RARE.contains(k) ? 1_000 : 7));
      expected = rows(connection, query.replaceFirst("INDEX\\([^)]*\\)", "NO_INDEX"));
      assertThat(expected).hasSize(RARE.size());
    }
    getUtility().waitUntilAllRegionsAssigned(TableName.valueOf(table), 120_000);
    regions = regions(table);
    spread();
    locations = new ArrayList<>();
    try (RegionLocator locator =
            getUtility().getConnection().getRegionLocator(TableName.valueOf(table));
        Connection connection = connect(PruningMode.EXACT)) {
      for (RegionInfo region : regions) {
        locations.add(locator.getRegionLocation(region.getStartKey(), true).getServerName());
      }
      forgetRegions(connection);
      rows(connection, query);
    }
    for (ServerName server : servers) {
      assertThat(Collections.frequency(locations, server)).as("%s", server).isGreaterThan(2);
    }
  }

  /**
   * Gives each server the same number of regions, including a server that an earlier test has
   * started.
   */
  private void spread() throws Exception {
    Map<RegionInfo, ServerName> targets = new LinkedHashMap<>();
    for (int i = 0; i < REGIONS; i++) {
      targets.put(regions.get(i), servers.get(i % SERVERS));
    }
    new RegionChanges(getUtility()).move(targets);
  }

  /** Returns the number of requests that it takes to probe all regions. */
  private long probes(int batchRegions) {
    return servers.stream()
        .mapToLong(
            server -> (Collections.frequency(locations, server) + batchRegions - 1) / batchRegions)
        .sum();
  }

  /** Returns the number of regions on a server that have a matching row. */
  private int rareRowsOn(ServerName server) {
    return (int) RARE.stream().filter(k -> locations.get(k / WIDTH).equals(server)).count();
  }

  private void forgetRegions(Connection connection) throws SQLException {
    connection
        .unwrap(org.apache.phoenix.jdbc.PhoenixConnection.class)
        .getQueryServices()
        .clearTableRegionCache(TableName.valueOf(table));
  }

  @After
  public void removeActions() {
    ProbeObserver.onProbe(ProbeObserver.Action.NOTHING);
    ProbeObserver.onScan(ProbeObserver.Action.NOTHING);
    ProbeObserver.setBlind(false);
  }

  private static Map<String, String> options(String... more) {
    Map<String, String> options = new HashMap<>();
    options.put(PruningOptions.PROBE_MIN_REGIONS, "2");
    options.put(PruningOptions.PROBE_ROWS_KB, "0");
    options.put(PruningOptions.PROBE_DEADLINE_MS, DEADLINE_MS);
    for (int i = 0; i < more.length; i += 2) {
      options.put(more[i], more[i + 1]);
    }
    return options;
  }

  private long rpcs() {
    return scanRpcs(table).rpcs();
  }

  private void assertRpcs(long rpcs, String... options) throws SQLException {
    try (Connection connection = connect(options(options))) {
      long before = rpcs();
      assertThat(rows(connection, query)).isEqualTo(expected);
      assertThat(rpcs() - before).isEqualTo(rpcs);
    }
  }

  @Test
  public void probesEachServerOnceForEachBatchOfItsRegions() throws SQLException {
    assertRpcs(REGIONS, PruningOptions.PROBE, "false");
    assertRpcs(SERVERS + RARE.size());
    assertRpcs(SERVERS, PruningOptions.PROBE_ROWS_KB, "512");
    assertRpcs(probes(5) + RARE.size(), PruningOptions.PROBE_BATCH_REGIONS, "5");
    assertRpcs(
        probes(2), PruningOptions.PROBE_BATCH_REGIONS, "2", PruningOptions.PROBE_ROWS_KB, "512");
    try (Connection connection = connect(options())) {
      assertThat(explain(connection, query))
          .anySatisfy(step -> assertThat(step.trim()).isEqualTo("PROBE 18 REGIONS ON 3 SERVERS"));
    }
  }

  @Test
  public void verificationScansRegionsThatServersExcluded() throws SQLException {
    try (Connection trusting = connect(options());
        Connection verifying = connect(options(PruningOptions.VERIFY, "true"))) {
      assertThat(rows(verifying, query)).isEqualTo(expected);
      ProbeObserver.setBlind(true);
      assertThat(rows(trusting, query)).isEmpty();
      assertThatThrownBy(() -> rows(verifying, query))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining(
              "was skipped because its server reported no matching row, but holds the matching"
                  + " index row");
    }
  }

  @Test
  public void verificationIgnoresRowsThatAreWrittenAfterTheProbe() throws Exception {
    try (Connection verifying = connect(options(PruningOptions.VERIFY, "true"))) {
      ProbeObserver.setBlind(true);
      // The first scan is for verification. By then, the servers have answered the probe.
      ProbeObserver.onScan(server -> ProbeObserver.setBlind(false));
      assertThat(rows(verifying, query)).isEmpty();
    }
  }

  /** A change of a table, or a failure of a server. */
  private interface Fault {
    void inject() throws Exception;
  }

  /** Plans a query, injects the fault, and then probes. */
  private void assertFindsTheRowsWithFaultBeforeTheProbe(Fault fault, String rowsKilobytes)
      throws Exception {
    try (PlannedQuery planned =
        new PlannedQuery(options(PruningOptions.PROBE_ROWS_KB, rowsKilobytes), query)) {
      assertThat(planned.scans()).isEqualTo(regions.size());
      fault.inject();
      assertThat(planned.rows()).isEqualTo(expected);
    }
  }

  /**
   * Holds the scans that follow the probe until the fault has happened. While other connections run
   * short statements, as the creation of the table does, only two scans run at a time.
   */
  private void assertFindsTheRowsWithFaultAfterTheProbe(Fault fault) throws Exception {
    CountDownLatch asked = new CountDownLatch(SERVERS);
    CountDownLatch scanned = new CountDownLatch(2);
    CountDownLatch happened = new CountDownLatch(1);
    ProbeObserver.onProbe(server -> asked.countDown());
    ProbeObserver.onScan(
        server -> {
          scanned.countDown();
          await(happened);
        });
    try {
      CompletableFuture<List<List<Object>>> rows =
          CompletableFuture.supplyAsync(
              () -> {
                try (Connection connection = connect(options())) {
                  return rows(connection, query);
                } catch (SQLException e) {
                  throw new IllegalStateException(e);
                }
              });
      assertThat(asked.await(60, TimeUnit.SECONDS)).isTrue();
      assertThat(scanned.await(60, TimeUnit.SECONDS)).isTrue();
      fault.inject();
      happened.countDown();
      assertThat(rows.get(2, TimeUnit.MINUTES)).isEqualTo(expected);
    } finally {
      happened.countDown();
    }
  }

  private static void await(CountDownLatch latch) throws IOException {
    try {
      if (!latch.await(2, TimeUnit.MINUTES)) {
        throw new DoNotRetryIOException("the test did not go on");
      }
    } catch (InterruptedException e) {
      throw (InterruptedIOException) new InterruptedIOException().initCause(e);
    }
  }

  /**
   * Moves three regions: two with a matching row, and the region by which the client finds the
   * server of the first one.
   */
  private void moveSome() throws Exception {
    int first = RARE.get(0) / WIDTH;
    Map<RegionInfo, ServerName> targets = new LinkedHashMap<>();
    for (int region :
        new int[] {locations.lastIndexOf(locations.get(first)), first, RARE.get(2) / WIDTH}) {
      // Moves the region to the next server.
      int server = servers.indexOf(locations.get(region));
      targets.put(regions.get(region), servers.get((server + 1) % SERVERS));
    }
    new RegionChanges(getUtility()).move(targets);
  }

  @Test
  public void findsTheRowsOfRegionsThatMovedBeforeTheProbe() throws Exception {
    assertFindsTheRowsWithFaultBeforeTheProbe(this::moveSome, "0");
    assertRpcs(SERVERS + RARE.size());
  }

  @Test
  public void findsTheRowsOfRegionsThatMovedAfterTheProbe() throws Exception {
    assertFindsTheRowsWithFaultAfterTheProbe(this::moveSome);
  }

  private void splitSome() throws Exception {
    split(regions.get(1), PInteger.INSTANCE.toBytes(15));
    split(regions.get(4), PInteger.INSTANCE.toBytes(45));
    split(regions.get(8), PInteger.INSTANCE.toBytes(88));
  }

  @Test
  public void findsTheRowsOfRegionsThatSplitBeforeTheProbe() throws Exception {
    assertFindsTheRowsWithFaultBeforeTheProbe(this::splitSome, "512");
  }

  @Test
  public void findsTheRowsOfRegionsThatSplitAfterTheProbe() throws Exception {
    assertFindsTheRowsWithFaultAfterTheProbe(this::splitSome);
  }

  /**
   * Merges a region with a matching row with its left neighbour, another with its right neighbour,
   * and two regions without such a row.
   */
  private void mergeSome() throws Exception {
    merge(regions.get(0), regions.get(1));
    merge(regions.get(8), regions.get(9));
    merge(regions.get(11), regions.get(12));
  }

  @Test
  public void findsTheRowsOfRegionsThatMergedBeforeTheProbe() throws Exception {
    assertFindsTheRowsWithFaultBeforeTheProbe(this::mergeSome, "512");
  }

  @Test
  public void findsTheRowsOfRegionsThatMergedAfterTheProbe() throws Exception {
    assertFindsTheRowsWithFaultAfterTheProbe(this::mergeSome);
  }

  private RegionServerThread last() {
    return getUtility().getHBaseCluster().getLiveRegionServerThreads().stream()
        .filter(thread -> thread.getRegionServer().getServerName().equals(servers.get(SERVERS - 1)))
        .findFirst()
        .orElseThrow();
  }

  private void killServer() throws Exception {
    RegionServerThread last = last();
    last.getRegionServer().abort("the test kills it");
    last.join();
  }

  /** Moves the system tables of Phoenix and HBase away from the last server. */
  private void moveSystemTablesFromKilledServer() throws Exception {
    for (HRegion region :
        last().getRegionServer().getOnlineRegionsLocalContext().stream()
            .map(HRegion.class::cast)
            .toList()) {
      RegionInfo info = region.getRegionInfo();
      if (info.getTable().isSystemTable()
          || info.getTable().getNameAsString().startsWith("SYSTEM.")) {
        getUtility().getAdmin().move(info.getEncodedNameAsBytes(), servers.get(0));
      }
    }
    getUtility().waitUntilNoRegionsInTransition(60_000);
  }

  private void withNewServer(Fault kill) throws Exception {
    moveSystemTablesFromKilledServer();
    try {
      kill.inject();
    } finally {
      getUtility().getHBaseCluster().startRegionServer();
      // Only then does the master assign regions to the new server.
      Awaitility.await()
          .atMost(Duration.ofMinutes(1))
          .until(() -> getUtility().getAdmin().getRegionServers().size() == SERVERS);
      getUtility().waitUntilAllRegionsAssigned(TableName.valueOf(table), 120_000);
      getUtility().waitUntilNoRegionsInTransition(120_000);
    }
  }

  @Test
  public void findsTheRowsOfAServerThatDiedBeforeTheProbe() throws Exception {
    withNewServer(() -> assertFindsTheRowsWithFaultBeforeTheProbe(this::killServer, "512"));
  }

  @Test
  public void findsTheRowsOfAServerThatDiedAfterTheProbe() throws Exception {
    withNewServer(() -> assertFindsTheRowsWithFaultAfterTheProbe(this::killServer));
  }

  /** Returns the servers that were probed for an execution. */
  private Set<ServerName> probedServers(Connection connection) throws SQLException {
    Set<ServerName> asked = ConcurrentHashMap.newKeySet();
    ProbeObserver.onProbe(asked::add);
    assertThat(rows(connection, query)).isEqualTo(expected);
    return asked;
  }

  @Test
  public void scansTheRegionsOfAServerThatDoesNotAnswerInTime() throws Exception {
    CountDownLatch done = new CountDownLatch(1);
    ServerName slow = servers.get(1);
    ProbeObserver.onProbe(
        server -> {
          if (server.equals(slow)) {
            await(done);
          }
        });
    try {
      assertRpcs(SERVERS + Collections.frequency(locations, slow) + RARE.size() - rareRowsOn(slow));
    } finally {
      done.countDown();
    }
    try (Connection connection = connect(options())) {
      assertThat(probedServers(connection))
          .containsExactlyInAnyOrder(servers.get(0), servers.get(2));
    }
    assertRpcs(
        SERVERS - 1 + Collections.frequency(locations, slow) + RARE.size() - rareRowsOn(slow));
  }

  /** Checks that the server is probed again, because it may have refused only this request. */
  @Test
  public void scansTheRegionsOfAServerThatRefusesOneRequest() throws Exception {
    ServerName failing = servers.get(2);
    ProbeObserver.onProbe(
        server -> {
          if (server.equals(failing)) {
            throw new DoNotRetryIOException("the test makes it fail");
          }
        });
    assertRpcs(
        SERVERS + Collections.frequency(locations, failing) + RARE.size() - rareRowsOn(failing));
    try (Connection connection = connect(options())) {
      assertThat(probedServers(connection)).containsExactlyInAnyOrderElementsOf(servers);
    }
    assertRpcs(SERVERS + RARE.size());
  }

  /**
   * Tests servers that keep failing. HBase's client repeats its request for longer than the
   * statement waits.
   */
  @Test
  public void scansTheRegionsOfServersThatFailForAWhile() throws Exception {
    ProbeObserver.onProbe(
        server -> {
          throw new IOException("the test makes it fail for a while");
        });
    Set<ServerName> asked = new HashSet<>();
    try (Connection connection = connect(options(PruningOptions.PROBE_DEADLINE_MS, "100"))) {
      assertThat(rows(connection, query)).isEqualTo(expected);
    } finally {
      ProbeObserver.onProbe(asked::add);
    }
  }
}
