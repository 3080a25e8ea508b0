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

import java.sql.SQLException;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.phoenix.coprocessorclient.HashJoinCacheNotFoundException;
import org.apache.phoenix.exception.SQLExceptionCode;
import org.apache.phoenix.exception.SQLExceptionInfo;
import org.apache.phoenix.iterate.PeekingResultIterator;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.pruning.config.PruningOptions;
import org.apache.phoenix.query.ConnectionQueryServices;
import org.apache.phoenix.schema.ColumnFamilyNotFoundException;
import org.apache.phoenix.schema.StaleRegionBoundaryCacheException;
import org.apache.phoenix.util.ClientUtil;
import org.apache.phoenix.util.SQLCloseables;
import org.jspecify.annotations.Nullable;

/** Decides how many scans or other tasks of a statement run at a time. */
public final class ScanConcurrency {

  private ScanConcurrency() {}

  /**
   * Returns the limiter for the scans of one statement, or null if stock Phoenix runs the scans.
   *
   * @param regions the regions of the scans, or null if there are none
   * @param writes true if each task writes the rows that its scan returns. Closing such a result
   *     adds the rows to the user's connection. That must not happen after the statement has
   *     failed. So the result of a cancelled task stays open until the connection closes, as in
   *     stock Phoenix
   * @throws SQLException if an option has an invalid value
   */
  public static @Nullable ScanConcurrencyLimiter<PeekingResultIterator> limiterForScans(
      PhoenixConnection connection, @Nullable List<HRegionLocation> regions, boolean writes)
      throws SQLException {
    return newLimiter(
        connection,
        regions == null ? Collections.emptyList() : regions,
        ScanConcurrency::canBePlannedAgain,
        writes
            ? iterator -> {}
            : iterator -> SQLCloseables.closeAllQuietly(Collections.singletonList(iterator)));
  }

  /**
   * Returns a limiter for tasks that must all succeed and whose results need not be closed. Returns
   * null if stock Phoenix runs the tasks.
   *
   * @throws SQLException if an option has an invalid value
   */
  public static <T> @Nullable ScanConcurrencyLimiter<T> limiterForTasks(
      PhoenixConnection connection) throws SQLException {
    return newLimiter(connection, null, failure -> false, result -> {});
  }

  /**
   * Does the same as {@link #limiterForTasks}, for Phoenix code that expects no SQLException.
   *
   * @throws IllegalArgumentException if an option has an invalid value
   */
  public static <T> @Nullable ScanConcurrencyLimiter<T> limiterForTask(
      PhoenixConnection connection) {
    try {
      return limiterForTasks(connection);
    } catch (SQLException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  private static <T> @Nullable ScanConcurrencyLimiter<T> newLimiter(
      PhoenixConnection connection,
      @Nullable List<HRegionLocation> regions,
      Predicate<Throwable> isRecoverable,
      Consumer<T> resultCloser)
      throws SQLException {
    PruningOptions options = PruningOptions.of(connection);
    if (options.mode() == PruningMode.STOCK) {
      return null;
    }
    ConnectionQueryServices services = connection.getQueryServices();
    return new ScanConcurrencyLimiter<>(
        services.getExecutor(),
        new TaskLimit(
            connection,
            ShortQueryTracker.of(services),
            maxTasks(services.getExecutor(), options),
            regions),
        isRecoverable,
        resultCloser);
  }

  /** Returns the exception for a statement whose scan of {@code table} was cancelled. */
  public static SQLException cancelled(String table, CancellationException cause) {
    return new SQLExceptionInfo.Builder(SQLExceptionCode.INTERRUPTED_EXCEPTION)
        .setMessage(
            "A scan of "
                + table
                + " was cancelled while its statement ran, so rows would be missing."
                + " Do not close a statement or its result while another thread reads it")
        .setRootCause(cause)
        .build()
        .buildException();
  }

  /** Records that a statement is about to submit {@code scans}. */
  public static void recordStart(PhoenixConnection connection, List<List<Scan>> scans) {
    ShortQueryTracker.of(connection.getQueryServices()).recordStart(connection, count(scans));
  }

  static int count(List<List<Scan>> scans) {
    int count = 0;
    for (int i = 0; i < scans.size(); i++) {
      count += scans.get(i).size();
    }
    return count;
  }

  /**
   * Returns the maximum number of tasks at a time: at most half of the pool, so that other
   * statements have the other half.
   */
  static int maxTasks(ThreadPoolExecutor pool, PruningOptions options) {
    return Math.min(options.scanConcurrency(), Math.max(1, pool.getMaximumPoolSize() / 2));
  }

  /**
   * Returns whether stock Phoenix recovers from {@code failure} by running only the failed scan
   * again.
   */
  private static boolean canBePlannedAgain(Throwable failure) {
    SQLException parsed = ClientUtil.parseServerException(failure);
    return parsed instanceof StaleRegionBoundaryCacheException
        || parsed instanceof HashJoinCacheNotFoundException
        || parsed instanceof ColumnFamilyNotFoundException;
  }
}
