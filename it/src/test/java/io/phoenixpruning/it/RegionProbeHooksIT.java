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

import io.phoenixpruning.it.RowHooks.Behaviour;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.exceptions.ScannerResetException;
import org.apache.hadoop.hbase.metrics.Counter;
import org.apache.hadoop.hbase.metrics.MetricRegistries;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.coprocessor.ScanRegionObserver;
import org.apache.phoenix.coprocessorclient.BaseScannerRegionObserverConstants;
import org.apache.phoenix.filter.PagingFilter;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.pruning.protocol.ProbeAnswer;
import org.apache.phoenix.pruning.protocol.ProbeAnswer.Finding;
import org.apache.phoenix.pruning.protocol.ProbeRequest;
import org.apache.phoenix.pruning.protocol.ProbedRange;
import org.awaitility.Awaitility;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/**
 * Checks that a probe reads a region as a scan does: through the hooks of the region's
 * coprocessors. Unlike a scan, a probe does not wait for a region.
 */
public class RegionProbeHooksIT extends ClusterTest {

  private static final int REGIONS = 4;
  private static final int DEADLINE_MS = 50_000;
  private static final int ROW_BYTES = 100_000;
  private static final byte[] INDEX_FAMILY = Bytes.toBytes("L#0");

  private String table;
  private String query;
  private Connection connection;
  private Connection off;
  private ForgedScans client;
  private List<RegionInfo> regions;
  private List<Scan> scans;

  private static boolean isHidden(int row) {
    return row < 3 || (row >= 10 && row < 20);
  }

  /**
   * Creates four regions with 10 rows each. 3 rows of the first region and all 10 rows of the
   * second region are hidden.
   */
  @Before
  public void createTable() throws Exception {
    table = generateUniqueName();
    connection = connect(PruningMode.EXACT);
    off = Probing.connect(Map.of(), "phoenix.pruning.probe.enabled", "false");
    execute(
        connection,
        "CREATE TABLE " + table + " (K INTEGER PRIMARY KEY, V VARCHAR) SPLIT ON (10, 20, 30)",
        "CREATE LOCAL INDEX I_" + table + " ON " + table + " (V)");
    upsertRows(
        connection,
        table,
        REGIONS * 10,
        k -> List.of(k, k >= 30 ? "unasked" : isHidden(k) ? "hidden" : "seen"));
    query =
        "SELECT /*+ INDEX(%1$s I_%1$s) */ K, V FROM %1$s WHERE V IN ('hidden', 'seen')"
            .formatted(table);
    modify(descriptor -> descriptor.setCoprocessor(RowHooks.class.getName()));
    client = new ForgedScans();
    regions = regions(table);
    scans = ForgedScans.planned(connection, query);
    assertThat(scans).hasSize(REGIONS);
  }

  private interface Change {
    void apply(TableDescriptorBuilder descriptor) throws IOException;
  }

  private void modify(Change change) throws Exception {
    Admin admin = getUtility().getAdmin();
    TableDescriptorBuilder descriptor =
        TableDescriptorBuilder.newBuilder(admin.getDescriptor(TableName.valueOf(table)));
    change.apply(descriptor);
    admin.modifyTable(descriptor.build());
  }

  @After
  public void close() throws Exception {
    RowHooks.setBehaviour(Behaviour.NOTHING);
    RowHooks.setHoldAction(region -> {});
    client.close();
    off.close();
    connection.close();
  }

  private HRegion region(int index) {
    return getUtility().getHBaseCluster().getRegions(TableName.valueOf(table)).stream()
        .filter(region -> region.getRegionInfo().equals(regions.get(index)))
        .findFirst()
        .orElseThrow();
  }

  private ProbedRange range(int index) {
    Scan scan = scans.get(0);
    return new ProbedRange(
        regions.get(index).getEncodedName(),
        scan.getAttribute(BaseScannerRegionObserverConstants.SCAN_START_ROW_SUFFIX),
        scan.getAttribute(BaseScannerRegionObserverConstants.SCAN_STOP_ROW_SUFFIX));
  }

  /** Probes the regions {@code regionIndexes} through the region {@code carrier}. */
  private ProbeAnswer probe(int deadlineMillis, int carrier, int... regionIndexes)
      throws IOException {
    List<ProbedRange> ranges = new ArrayList<>();
    for (int index : regionIndexes) {
      ranges.add(range(index));
    }
    ProbeRequest request = ProbeRequest.of(deadlineMillis, ROW_BYTES, scans.get(0), ranges);
    byte[] start = regions.get(carrier).getStartKey();
    Scan scan =
        new Scan()
            .addFamily(INDEX_FAMILY)
            .withStartRow(start)
            .withStopRow(start, true)
            .setOneRowLimit()
            .setAttribute(ProbeRequest.ATTRIBUTE, request.toBytes());
    List<Result> results = client.scan(regions.get(carrier), scan);
    assertThat(results).hasSize(1);
    return ProbeAnswer.read(results.get(0)).orElseThrow();
  }

  private void assertFindsWhatScansFind(Behaviour behaviour, int rows) throws Exception {
    RowHooks.setBehaviour(behaviour);
    List<List<Object>> scanned = rows(off, query);
    assertThat(scanned).as("%s", behaviour).hasSize(rows);
    for (String kilobytes : List.of("512", "1", "0")) {
      try (Connection probing =
          Probing.connect(Map.of(), "phoenix.pruning.probe.rows.kb", kilobytes)) {
        long before = scanRpcs(table).rpcs();
        assertThat(rows(probing, query)).as("%s, %s KB", behaviour, kilobytes).isEqualTo(scanned);
        if (kilobytes.equals("512")) {
          assertThat(scanRpcs(table).rpcs() - before)
              .as("%s: the answer has all rows", behaviour)
              .isEqualTo(1);
        }
      }
    }
  }

  @Test
  public void leavesOutTheRowsThatHooksRemove() throws Exception {
    assertFindsWhatScansFind(Behaviour.NOTHING, 30);
    assertFindsWhatScansFind(Behaviour.REMOVE_IN_POST_SCANNER_NEXT, 17);
    assertFindsWhatScansFind(Behaviour.REMOVE_IN_SCANNER, 17);
  }

  @Test
  public void bypassesRegionsThatHooksBypass() throws Exception {
    assertFindsWhatScansFind(Behaviour.BYPASS_IN_PRE_SCANNER_NEXT, 0);
    assertFindsWhatScansFind(Behaviour.READ_IN_PRE_SCANNER_NEXT, 17);
  }

  /** Tests added rows, also in a region that has no row in the range of the scan. */
  @Test
  public void findsTheRowsThatHooksAdd() throws Exception {
    RowHooks.setAddedRow(client.scan(regions.get(0), scans.get(0)).get(0));
    assertFindsWhatScansFind(Behaviour.ADD_IN_POST_SCANNER_NEXT, 31);
  }

  @Test
  public void runsTheHooksOfAScan() throws Exception {
    RowHooks.setBehaviour(Behaviour.NOTHING);
    client.scan(
        regions.get(0), scans.get(0), request -> request.toBuilder().setCloseScanner(true).build());
    List<String> ofScan = RowHooks.calls();
    assertThat(ofScan)
        .containsExactly(
            "preScannerOpen",
            "postScannerOpen",
            "preScannerNext",
            "postScannerNext",
            "preScannerClose",
            "postScannerClose");
    RowHooks.setBehaviour(Behaviour.NOTHING);
    assertThat(probe(DEADLINE_MS, 3, 0).finding(0)).isEqualTo(Finding.ROWS);
    assertThat(RowHooks.calls()).isEqualTo(ofScan);
  }

  private int openScanners(int index) throws Exception {
    Field field = HRegion.class.getDeclaredField("scannerReadPoints");
    field.setAccessible(true);
    return ((Map<?, ?>) field.get(region(index))).size();
  }

  @Test
  public void releasesTheScannerWhenHooksFail() throws Exception {
    for (Behaviour behaviour :
        List.of(Behaviour.FAIL_IN_PRE_SCANNER_CLOSE, Behaviour.FAIL_IN_POST_SCANNER_OPEN)) {
      RowHooks.setBehaviour(behaviour);
      long failures = failures();
      assertThat(probe(DEADLINE_MS, 3, 0).finding(0))
          .as("%s", behaviour)
          .isEqualTo(Finding.MAY_MATCH);
      assertThat(openScanners(0)).as("%s", behaviour).isZero();
      assertThat(failures()).as("%s", behaviour).isEqualTo(failures + 1);
      assertThat(RowHooks.calls()).as("%s", behaviour).doesNotContain("postScannerClose");
    }
  }

  private RegionCoprocessorEnvironment environment(int index) {
    return (RegionCoprocessorEnvironment)
        region(index)
            .getCoprocessorHost()
            .findCoprocessorEnvironment(ScanRegionObserver.class.getName());
  }

  /**
   * Returns the number of failures. The server counts them with the first of Phoenix's observers
   * that sees the scan.
   */
  private static long failures() {
    return MetricRegistries.global().getMetricRegistries().stream()
        .map(registry -> registry.getMetrics().get("pruningRegionsFailed"))
        .filter(Counter.class::isInstance)
        .mapToLong(counter -> ((Counter) counter).getCount())
        .sum();
  }

  /**
   * Tests the page of a probe. Phoenix's paging filter reads only for 0.3 of a page, so the page is
   * long enough to read for the whole time.
   */
  @Test
  public void readsForTheConfiguredPageTime() throws Exception {
    RowHooks.setBehaviour(Behaviour.NOTHING);
    assertThat(probe(DEADLINE_MS, 3, 0).finding(0)).isEqualTo(Finding.ROWS);
    assertThat(RowHooks.filters()).hasSize(1);
    Field page = PagingFilter.class.getDeclaredField("pageSizeMs");
    page.setAccessible(true);
    assertThat((long) page.get(RowHooks.filters().get(0)))
        .as("the page of the servers of these tests is longer than the deadline")
        .isBetween(DEADLINE_MS * 9L / 10, DEADLINE_MS + 1L);
  }

  /** Tests a region that is locked as it is by a bulk load. */
  @Test
  public void answersWhileARegionIsLocked() throws Exception {
    Field field = HRegion.class.getDeclaredField("lock");
    field.setAccessible(true);
    ReentrantReadWriteLock lock = (ReentrantReadWriteLock) field.get(region(1));
    lock.writeLock().lock();
    try {
      ProbeAnswer answer = probe(DEADLINE_MS, 3, 0, 1, 2, 3);
      assertThat(lock.writeLock().isHeldByCurrentThread()).isTrue();
      assertThat(List.of(answer.finding(0), answer.finding(1), answer.finding(2)))
          .containsExactly(Finding.ROWS, Finding.MAY_MATCH, Finding.ROWS);
      assertThat(answer.finding(3)).isEqualTo(Finding.NO_ROW);
    } finally {
      lock.writeLock().unlock();
    }
    assertThat(probe(DEADLINE_MS, 3, 1).finding(0)).isEqualTo(Finding.ROWS);
  }

  /** Closes the region that carries the probe while the probe is held in another region. */
  @Test
  public void letsTheCarryingRegionClose() throws Exception {
    CountDownLatch arrived = new CountDownLatch(1);
    CountDownLatch released = new CountDownLatch(1);
    RowHooks.setBehaviour(Behaviour.HOLD_IN_POST_SCANNER_NEXT);
    RowHooks.setHoldAction(
        region -> {
          arrived.countDown();
          await(released);
        });
    ExecutorService executor = Executors.newFixedThreadPool(2);
    HRegion carrier = region(3);
    try {
      CompletableFuture<ProbeAnswer> answer =
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  return probe(DEADLINE_MS, 3, 0, 1, 2);
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              },
              executor);
      assertThat(arrived.await(1, TimeUnit.MINUTES)).isTrue();
      CompletableFuture.runAsync(this::closeCarrier, executor);
      Awaitility.await().atMost(Duration.ofSeconds(30)).until(carrier::isClosed);
      assertThat(answer).isNotDone();
    } finally {
      released.countDown();
      executor.shutdown();
      assertThat(executor.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
      RowHooks.setBehaviour(Behaviour.NOTHING);
      getUtility().getAdmin().assign(regions.get(3).getRegionName());
      getUtility().waitUntilNoRegionsInTransition(60_000);
    }
    assertThat(rows(connection, query)).hasSize(30);
  }

  private void closeCarrier() {
    try {
      getUtility().getAdmin().unassign(regions.get(3).getRegionName());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void await(CountDownLatch latch) throws IOException {
    try {
      if (!latch.await(1, TimeUnit.MINUTES)) {
        throw new IOException("the test did not go on");
      }
    } catch (InterruptedException e) {
      throw (InterruptedIOException) new InterruptedIOException().initCause(e);
    }
  }

  @Test
  public void stopsWhenItsHandlerIsInterrupted() throws Exception {
    assertStopsAfterTheSecondRegion(() -> Thread.currentThread().interrupt());
    // HBase throws this exception if it notices the interrupt itself.
    assertStopsAfterTheSecondRegion(
        () -> {
          throw new InterruptedIOException();
        });
  }

  private interface Interrupt {
    void run() throws IOException;
  }

  private void assertStopsAfterTheSecondRegion(Interrupt interrupt) throws Exception {
    List<RegionInfo> read = new CopyOnWriteArrayList<>();
    RowHooks.setBehaviour(Behaviour.HOLD_IN_POST_SCANNER_NEXT);
    RowHooks.setHoldAction(
        region -> {
          read.add(region);
          if (region.equals(regions.get(1))) {
            interrupt.run();
          }
        });
    // HBase fails the request, because its handler was interrupted.
    assertThatThrownBy(() -> probe(DEADLINE_MS, 3, 0, 1, 2))
        .isInstanceOf(ScannerResetException.class);
    assertThat(read).containsExactly(regions.get(0), regions.get(1));
    RowHooks.setBehaviour(Behaviour.NOTHING);
    assertThat(probe(DEADLINE_MS, 3, 2).finding(0)).isEqualTo(Finding.ROWS);
  }

  /** Checks that the first probe of a server reads how many handlers may answer. */
  @Test
  public void readsTheShareOfHandlersFromTheServersConfiguration() throws Exception {
    String share = "phoenix.pruning.probe.handlers.share";
    modify(descriptor -> descriptor.setValue(share, "0"));
    environment(3).getSharedData().remove(share);
    ProbeAnswer answer = probe(DEADLINE_MS, 3, 0);
    assertThat(answer.isRejected()).isFalse();
    assertThat(answer.finding(0)).isEqualTo(Finding.ROWS);
  }
}
