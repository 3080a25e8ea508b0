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
package org.apache.phoenix.pruning.fanout;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.jdbc.PhoenixPreparedStatement;
import org.apache.phoenix.job.JobManager;
import org.apache.phoenix.log.LogLevel;
import org.apache.phoenix.monitoring.OverAllQueryMetrics;
import org.apache.phoenix.pruning.metrics.PruningCounts;
import org.apache.phoenix.pruning.metrics.PruningMetric;
import org.apache.phoenix.pruning.prune.Connectionless;
import org.junit.Test;

/** Counts the bytes that the thread of a statement without a local index allocates. */
public class StatementCostTest {

  private static final int WARM_UP = 20_000;
  private static final int ROUNDS = 10_000;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /** Code that may allocate memory. */
  private interface Step {
    Object run() throws Exception;
  }

  /** Keeps the compiler from removing an unused object. */
  private static volatile Object sink;

  /** Returns the average number of bytes that one run of {@code step} allocates. */
  private static double bytes(Step step) throws Exception {
    for (int i = 0; i < WARM_UP; i++) {
      sink = step.run();
    }
    long thread = Thread.currentThread().getId();
    long before = THREADS.getThreadAllocatedBytes(thread);
    for (int i = 0; i < ROUNDS; i++) {
      sink = step.run();
    }
    return (THREADS.getThreadAllocatedBytes(thread) - before) / (double) ROUNDS;
  }

  private static PruningCounts counts(OverAllQueryMetrics metrics) throws Exception {
    Field field =
        Arrays.stream(OverAllQueryMetrics.class.getDeclaredFields())
            .filter(each -> each.getType() == PruningCounts.class)
            .findAny()
            .orElseThrow();
    field.setAccessible(true);
    return (PruningCounts) field.get(metrics);
  }

  private static QueryPlan plan(Connectionless database, String sql) throws Exception {
    return database
        .connection()
        .prepareStatement(sql)
        .unwrap(PhoenixPreparedStatement.class)
        .optimizeQuery();
  }

  @Test
  public void aPlainTableHasNoCounts() throws Exception {
    try (Connectionless database = new Connectionless()) {
      database.execute("CREATE TABLE PLAIN (K INTEGER PRIMARY KEY, V INTEGER) SPLIT ON (10, 20)");
      QueryPlan plan = plan(database, "SELECT V FROM PLAIN WHERE K = 15");
      plan.iterator();
      OverAllQueryMetrics metrics = plan.getContext().getOverallQueryMetrics();
      metrics.combine(new OverAllQueryMetrics(true, LogLevel.OFF));
      metrics.reset();
      assertThat(counts(metrics)).isNull();
    }
  }

  @Test
  public void countsAreMadeWhenSomethingIsCounted() throws Exception {
    OverAllQueryMetrics metrics = new OverAllQueryMetrics(true, LogLevel.OFF);
    OverAllQueryMetrics others = new OverAllQueryMetrics(true, LogLevel.OFF);
    ((PruningCounts.Holder) (Object) others)
        .getPruningCounts()
        .add(PruningMetric.REGIONS_PLANNED, 3);
    metrics.combine(others);
    assertThat(counts(metrics).value(PruningMetric.REGIONS_PLANNED)).isEqualTo(3);
    metrics.reset();
    assertThat(counts(metrics).value(PruningMetric.REGIONS_PLANNED)).isZero();
    double without = bytes(() -> new OverAllQueryMetrics(true, LogLevel.OFF));
    double with =
        bytes(
            () -> {
              OverAllQueryMetrics each = new OverAllQueryMetrics(true, LogLevel.OFF);
              ((PruningCounts.Holder) (Object) each).getPruningCounts();
              return each;
            });
    assertThat(with - without)
        .as("one number for each metric")
        .isBetween(8.0 * PruningMetric.values().length, 12.0 * PruningMetric.values().length);
  }

  @Test
  public void oneScanHasNoWaves() throws Exception {
    try (Connectionless database = new Connectionless()) {
      database.execute("CREATE TABLE SINGLE (K INTEGER PRIMARY KEY, V INTEGER)");
      QueryPlan plan = plan(database, "SELECT V FROM SINGLE WHERE K = 15");
      Scan scan = new Scan();
      List<List<Scan>> scans = Collections.singletonList(Collections.singletonList(scan));
      PhoenixConnection connection = database.connection().unwrap(PhoenixConnection.class);
      assertThat(
              bytes(
                  () -> {
                    ScanConcurrency.recordStart(connection, scans);
                    return ScanWavePlanner.plan(null, plan, scan, scans, false, false);
                  }))
          .isLessThan(1);
    }
  }

  @Test
  public void oneTaskCostsNotMuchMoreThanInThePoolAlone() throws Exception {
    ThreadPoolExecutor pool = JobManager.createThreadPoolExec(60_000, 4, 100, true);
    try {
      double alone = bytes(() -> end(pool.submit(() -> "result")));
      double with =
          bytes(
              () ->
                  end(
                      new ScanConcurrencyLimiter<String>(
                              pool, () -> 2, failure -> false, result -> {})
                          .submit(() -> "result")));
      assertThat(with - alone).isLessThan(600);
    } finally {
      pool.shutdownNow();
      assertThat(pool.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
    }
  }

  private static Object end(Future<String> task) throws Exception {
    return task.get();
  }
}
