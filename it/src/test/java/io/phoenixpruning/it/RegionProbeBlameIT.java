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

import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadPoolExecutor;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.jdbc.PhoenixTestDriver;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.pruning.config.PruningOptions;
import org.apache.phoenix.pruning.metrics.ClientPruningMetrics;
import org.apache.phoenix.pruning.metrics.Fallbacks;
import org.apache.phoenix.pruning.metrics.PruningMetric;
import org.apache.phoenix.pruning.protocol.ProbeRequest;
import org.apache.phoenix.query.QueryServices;
import org.junit.After;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;

/** Checks that a failure of one request, or of one client, does not stop other probes. */
public class RegionProbeBlameIT extends ClusterTest {

  private static final int REGIONS = 20;
  private static final int WIDTH = 10;
  private static final int THREADS = 8;

  /** Maximum number of probe requests that a client has in flight to a server. */
  private static final int MAX_IN_FLIGHT = 4;

  private static final List<Integer> RARE = List.of(55, 58, 155);

  private static final String ASKED =
      "SELECT /*+ INDEX(BLAMED BLAMED_V) */ K FROM BLAMED WHERE V=1";
  private static final String HELD = ASKED.replace("BLAMED", "BUSY");

  private static PhoenixTestDriver driver;
  private static List<List<Object>> expected;

  /** A test that hangs fails. */
  @Rule public final Timeout timeout = Timeout.seconds(180);

  private final ExecutorService users = Executors.newCachedThreadPool();

  /** Denies or holds probes, but no other scans. */
  public static final class Guard extends RegionHook {

    private static final Set<InternalScanner> ANSWERING =
        Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

    private static final ScanGate GATE = new ScanGate();

    private static volatile boolean deniesOpen;
    private static volatile boolean deniesNext;

    private static boolean asks(Scan scan) {
      return scan.getAttribute(ProbeRequest.ATTRIBUTE) != null;
    }

    @Override
    public void preScannerOpen(ObserverContext<RegionCoprocessorEnvironment> region, Scan scan)
        throws IOException {
      if (asks(scan)) {
        if (deniesOpen) {
          throw new AccessDeniedException("not for this user");
        }
        GATE.pass();
      }
    }

    @Override
    public RegionScanner postScannerOpen(
        ObserverContext<RegionCoprocessorEnvironment> region, Scan scan, RegionScanner scanner) {
      if (asks(scan)) {
        ANSWERING.add(scanner);
      }
      return scanner;
    }

    @Override
    public boolean preScannerNext(
        ObserverContext<RegionCoprocessorEnvironment> region,
        InternalScanner scanner,
        List<Result> rows,
        int limit,
        boolean hasNext)
        throws IOException {
      if (deniesNext && ANSWERING.contains(scanner)) {
        throw new AccessDeniedException("not for this user");
      }
      return hasNext;
    }
  }

  @BeforeClass
  public static void createTables() throws Exception {
    driver = driver(Map.of(QueryServices.THREAD_POOL_SIZE_ATTRIB, Integer.toString(THREADS)));
    try (Connection connection = connect(PruningMode.EXACT)) {
      for (String table : List.of("BLAMED", "BUSY")) {
        create(connection, table);
      }
      expected = rows(connection, "SELECT /*+ NO_INDEX */ K FROM BLAMED WHERE V=1");
      assertThat(expected).hasSize(RARE.size());
    }
  }

  private static void create(Connection connection, String table) throws Exception {
    execute(
        connection,
        "CREATE TABLE %s (K INTEGER PRIMARY KEY, V INTEGER) SPLIT ON (%s)"
            .formatted(table, splits(REGIONS, WIDTH)),
        "CREATE LOCAL INDEX " + table + "_V ON " + table + " (V)");
    upsertRows(connection, table, REGIONS * WIDTH, k -> List.of(k, RARE.contains(k) ? 1 : 0));
    Admin admin = getUtility().getAdmin();
    admin.modifyTable(
        TableDescriptorBuilder.newBuilder(admin.getDescriptor(TableName.valueOf(table)))
            .setCoprocessor(Guard.class.getName())
            .build());
  }

  @After
  public void allowAll() {
    Guard.deniesOpen = false;
    Guard.deniesNext = false;
    Guard.GATE.open();
    users.shutdownNow();
  }

  @AfterClass
  public static void closeDriver() throws SQLException {
    driver.close();
  }

  private static Connection connectWith(String deadlineMillis, String batchRegions)
      throws SQLException {
    Properties properties = new Properties();
    properties.setProperty(PruningOptions.PROBE_MIN_REGIONS, "2");
    properties.setProperty(PruningOptions.PROBE_DEADLINE_MS, deadlineMillis);
    properties.setProperty(PruningOptions.PROBE_BATCH_REGIONS, batchRegions);
    return driver.connect(getUrl(), properties);
  }

  private static ThreadPoolExecutor pool(Connection connection) throws SQLException {
    return connection.unwrap(PhoenixConnection.class).getQueryServices().getExecutor();
  }

  /** Asserts that an execution returns the right rows, and returns its counts. */
  private static Map<PruningMetric, Long> counts(Connection connection, String sql)
      throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      assertThat(rows(result, false)).isEqualTo(expected);
      return ClientPruningMetrics.of(result);
    }
  }

  private static void assertIsAsked(Connection connection, long requests) throws SQLException {
    assertIsAsked(connection, requests, ASKED);
  }

  private static void assertIsAsked(Connection connection, long requests, String what)
      throws SQLException {
    assertThat(counts(connection, ASKED))
        .as(what)
        .containsEntry(PruningMetric.PROBES_SENT, requests)
        .containsEntry(PruningMetric.REGIONS_PROBED, (long) REGIONS)
        .containsEntry(PruningMetric.REGIONS_ANSWERED_BY_PROBE, 2L)
        .containsEntry(PruningMetric.REGIONS_SKIPPED_BY_PROBE, REGIONS - 2L)
        .containsEntry(PruningMetric.PROBE_FAILED, 0L)
        .containsEntry(PruningMetric.PROBE_SERVER_BACKOFF, 0L)
        .containsEntry(PruningMetric.PROBE_INDEX_BACKOFF, 0L);
  }

  private static long warned() {
    return Fallbacks.GLOBAL.byCause().entrySet().stream()
        .filter(cause -> cause.getKey().endsWith("a server probe for BLAMED_V"))
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  @Test
  public void aDenialConcernsOneRequest() throws Exception {
    try (Connection connection = connectWith("60000", "500")) {
      assertIsAsked(connection, 1);
      for (boolean atOpen : new boolean[] {true, false}) {
        Guard.deniesOpen = atOpen;
        Guard.deniesNext = !atOpen;
        String denied = "denied at " + (atOpen ? "open" : "next");
        long before = warned();
        // After this many probes that save nothing, the index would back off.
        for (int i = 0; i < 5; i++) {
          assertThat(counts(connection, ASKED))
              .as("%s, probe %s", denied, i)
              .containsEntry(PruningMetric.PROBES_SENT, 1L)
              .containsEntry(PruningMetric.PROBE_FAILED, (long) REGIONS)
              .containsEntry(PruningMetric.PROBE_SERVER_BACKOFF, 0L);
        }
        assertThat(warned() - before).as("%s, counted by cause", denied).isEqualTo(5);
        Guard.deniesOpen = false;
        Guard.deniesNext = false;
        assertIsAsked(connection, 1, "after it was " + denied);
      }
      assertThat(Fallbacks.GLOBAL.byCause().keySet())
          .as("one WARN")
          .filteredOn(cause -> cause.endsWith("a server probe for BLAMED_V"))
          .containsExactly(
              AccessDeniedException.class.getName() + " in a server probe for BLAMED_V");
    }
  }

  @Test
  public void aRequestWithoutAThreadStartsNoBackoff() throws Exception {
    try (Connection connection = connectWith("100", "500");
        Connection patient = connectWith("60000", "500")) {
      try (OccupiedThreads threads = new OccupiedThreads(pool(connection), THREADS)) {
        assertThat(counts(connection, ASKED))
            .containsEntry(PruningMetric.PROBES_SENT, 0L)
            .containsEntry(PruningMetric.REGIONS_PROBED, 0L)
            .containsEntry(PruningMetric.PROBE_NOT_SENT, (long) REGIONS)
            .containsEntry(PruningMetric.PROBE_DEADLINE, 0L);
      }
      assertIsAsked(patient, 1);
    }
  }

  /**
   * Tests a request that has to wait, because requests of another statement use the maximum number
   * in flight.
   */
  @Test
  public void aRequestThatWaitsForItsTurnStartsNoBackoff() throws Exception {
    try (Connection connection = connectWith("100", "500");
        Connection patient = connectWith("60000", "5")) {
      Guard.GATE.shut();
      Future<Map<PruningMetric, Long>> busy = users.submit(() -> counts(patient, HELD));
      try {
        Guard.GATE.await(MAX_IN_FLIGHT);
        for (int i = 0; i < 5; i++) {
          assertThat(counts(connection, ASKED))
              .as("request %s", i)
              .containsEntry(PruningMetric.PROBES_SENT, 0L)
              .containsEntry(PruningMetric.PROBE_NOT_SENT, (long) REGIONS)
              .containsEntry(PruningMetric.PROBE_SERVER_BACKOFF, 0L);
        }
      } finally {
        Guard.GATE.open();
      }
      assertThat(busy.get()).containsEntry(PruningMetric.PROBES_SENT, 4L);
      assertIsAsked(patient, 4);
    }
  }
}
