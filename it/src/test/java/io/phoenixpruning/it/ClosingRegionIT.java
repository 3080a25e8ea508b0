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

import io.phoenixpruning.it.differential.PatchSwitch;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.phoenix.coprocessor.UngroupedAggregateRegionObserver;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.pruning.patch.Patch;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/** Tests aggregates that read a region while a server closes it. */
public class ClosingRegionIT extends ClusterTest {

  private static final int ROWS = 10;

  /** Row at which the first scan is held. */
  private static final int HELD_ROW = 4;

  private static final String RESULT = "[[1E+1, 1, 55]]";

  private static volatile CountDownLatch held;
  private static volatile CountDownLatch released;

  /** Holds the first scan of a region in the middle, until the test releases it. */
  public static final class Hold extends RegionHook {

    @Override
    public RegionScanner postScannerOpen(
        ObserverContext<RegionCoprocessorEnvironment> context, Scan scan, RegionScanner scanner) {
      AtomicInteger row = new AtomicInteger();
      // Phoenix would take its own DelegateRegionScanner for a scanner that it has wrapped already.
      return (RegionScanner)
          Proxy.newProxyInstance(
              RegionScanner.class.getClassLoader(),
              new Class<?>[] {RegionScanner.class},
              (proxy, method, arguments) -> {
                if (method.getName().equals("nextRaw") && row.incrementAndGet() == HELD_ROW) {
                  hold();
                }
                try {
                  return method.invoke(scanner, arguments);
                } catch (InvocationTargetException e) {
                  throw e.getCause();
                }
              });
    }

    private static void hold() throws InterruptedException {
      if (held.getCount() > 0) {
        held.countDown();
        assertThat(released.await(1, TimeUnit.MINUTES)).isTrue();
      }
    }
  }

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private Connection connection;
  private String table;

  /** Name of the region that was closed last. */
  private byte[] name;

  @Before
  public void createTable() throws Exception {
    connection = connect(PruningMode.EXACT);
    table = generateUniqueName();
    held = new CountDownLatch(0);
    released = new CountDownLatch(0);
    execute(
        connection,
        "CREATE TABLE " + table + " (K INTEGER PRIMARY KEY, V INTEGER, W INTEGER)",
        "CREATE LOCAL INDEX I_" + table + " ON " + table + " (V)");
    for (int row = 1; row <= ROWS; row++) {
      execute(connection, "UPSERT INTO %s VALUES (%d, %d, 1)".formatted(table, row, row));
    }
    connection.commit();
    addObserver(table, Hold.class);
  }

  @After
  public void close() throws Exception {
    PatchSwitch.switchPatchesOfJvm(patch -> !patch.isOptIn());
    threads.shutdownNow();
    connection.close();
  }

  /** Closes the only region of the table in another thread, and waits until Phoenix knows. */
  private Future<Void> beginToClose() {
    HRegion region = getUtility().getHBaseCluster().getRegions(TableName.valueOf(table)).get(0);
    name = region.getRegionInfo().getRegionName();
    Future<Void> closed =
        threads.submit(
            () -> {
              getUtility().getAdmin().unassign(name, false);
              return null;
            });
    Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> isClosing(region));
    return closed;
  }

  /** Returns whether Phoenix has noticed that a region closes. */
  private static boolean isClosing(HRegion region) throws ReflectiveOperationException {
    Object observer =
        region
            .getCoprocessorHost()
            .findCoprocessor(UngroupedAggregateRegionObserver.class.getName());
    Field lock = UngroupedAggregateRegionObserver.class.getDeclaredField("lock");
    Field isClosing =
        UngroupedAggregateRegionObserver.class.getDeclaredField("isRegionClosingOrSplitting");
    lock.setAccessible(true);
    isClosing.setAccessible(true);
    synchronized (lock.get(observer)) {
      return isClosing.getBoolean(observer);
    }
  }

  /** Starts a statement, and waits until it is held in the middle of the region. */
  private <T> Future<T> startAndHold(Callable<T> statement) throws InterruptedException {
    held = new CountDownLatch(1);
    released = new CountDownLatch(1);
    Future<T> running = threads.submit(statement);
    assertThat(held.await(1, TimeUnit.MINUTES)).isTrue();
    return running;
  }

  /** Makes the region wait for a DELETE before it closes, and reads meanwhile. */
  private void whileTheRegionWaits(ThrowingCallable reading) throws Throwable {
    Future<Integer> delete =
        startAndHold(
            () -> {
              try (Connection writer = connect(PruningMode.EXACT);
                  Statement statement = writer.createStatement()) {
                writer.setAutoCommit(true);
                return statement.executeUpdate("DELETE FROM " + table + " WHERE W = 1");
              }
            });
    Future<Void> closed = beginToClose();
    try {
      reading.call();
    } finally {
      released.countDown();
      closed.get(1, TimeUnit.MINUTES);
      getUtility().getAdmin().assign(name);
    }
    assertThat(delete.get(1, TimeUnit.MINUTES)).isEqualTo(ROWS);
  }

  private List<String> queries() {
    return Stream.of("NO_INDEX", "INDEX(%1$s I_%1$s)")
        .map(hint -> "SELECT /*+ " + hint + " */ COUNT(*), MIN(V), SUM(V) FROM %1$s WHERE V > 0")
        .map(sql -> sql.formatted(table))
        .toList();
  }

  @Test
  public void readsARegionThatWaitsForADelete() throws Throwable {
    whileTheRegionWaits(
        () -> {
          for (String sql : queries()) {
            assertThat(rows(connection, sql)).as(sql).hasToString(RESULT);
          }
        });
    assertThat(rows(connection, "SELECT K FROM " + table)).isEmpty();
  }

  @Test
  public void failsWithoutThePatch() throws Throwable {
    PatchSwitch.switchPatchesOfJvm(patch -> !patch.isOptIn() && patch != Patch.CLOSING_REGION);
    whileTheRegionWaits(
        () -> {
          for (String sql : queries()) {
            assertThatThrownBy(() -> rows(connection, sql))
                .as(sql)
                .isInstanceOf(SQLException.class)
                .hasStackTraceContaining("Region is getting closed");
          }
        });
  }

  /** Tests a scan that is reading when the region closes. It must not delay the region. */
  @Test
  public void continuesWhereTheRegionOpens() throws Exception {
    for (String sql : queries()) {
      Future<List<List<Object>>> rows = startAndHold(() -> rows(connection, sql));
      Future<Void> closed = beginToClose();
      released.countDown();
      closed.get(1, TimeUnit.MINUTES);
      getUtility().getAdmin().assign(name);
      assertThat(rows.get(1, TimeUnit.MINUTES)).as(sql).hasToString(RESULT);
    }
  }
}
