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
import java.util.function.IntSupplier;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.coprocessorclient.HashJoinCacheNotFoundException;
import org.apache.phoenix.exception.SQLExceptionCode;
import org.apache.phoenix.exception.SQLExceptionInfo;
import org.apache.phoenix.execute.AggregatePlan;
import org.apache.phoenix.iterate.PeekingResultIterator;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.pruning.config.PruningOptions;
import org.apache.phoenix.query.ConnectionQueryServices;
import org.apache.phoenix.query.QueryServices;
import org.apache.phoenix.query.QueryServicesOptions;
import org.apache.phoenix.schema.ColumnFamilyNotFoundException;
import org.apache.phoenix.schema.StaleRegionBoundaryCacheException;
import org.apache.phoenix.util.ClientUtil;
import org.apache.phoenix.util.SQLCloseables;
import org.apache.phoenix.util.ScanUtil;
import org.jspecify.annotations.Nullable;

/** Decides how many scans of a statement run at a time, and whether they run in waves. */
public final class ScanConcurrency {

  /** Number of waves to open ahead for rows. While one wave is read, the next wave is opened. */
  private static final int ROWS_AHEAD = 1;

  /**
   * Number of waves to open ahead for aggregates. Each scan returns one row, which is read at once.
   * A slow region should not delay later regions.
   */
  private static final int AGGREGATES_AHEAD = 15;

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
        new Limit(
            connection,
            ShortQueryTracker.of(services),
            maxTasks(services.getExecutor(), options),
            regions),
        isRecoverable,
        resultCloser);
  }

  /**
   * Limits how many tasks of a statement run at a time. The limit is lower while other connections
   * run short statements.
   */
  private static final class Limit implements IntSupplier {

    private final PhoenixConnection connection;
    private final ShortQueryTracker shortQueries;
    private final int fullLimit;
    private final @Nullable List<HRegionLocation> regions;

    /** Limit while short statements run; 0 until computed. */
    private int reducedLimit;

    /**
     * Creates the limit of one statement.
     *
     * @param regions the regions of the scans, or null if short statements do not change the limit
     */
    Limit(
        PhoenixConnection connection,
        ShortQueryTracker shortQueries,
        int fullLimit,
        @Nullable List<HRegionLocation> regions) {
      this.connection = connection;
      this.shortQueries = shortQueries;
      this.fullLimit = fullLimit;
      this.regions = regions;
    }

    @Override
    public int getAsInt() {
      return regions != null && shortQueries.hasRecentOfOthers(connection)
          ? Math.min(fullLimit, reducedLimit(regions))
          : fullLimit;
    }

    /**
     * Returns the limit while short statements run: one scan for every second region server, but at
     * least 2.
     */
    private int reducedLimit(List<HRegionLocation> regions) {
      if (reducedLimit == 0) {
        long servers = regions.stream().map(HRegionLocation::getServerName).distinct().count();
        reducedLimit = (int) Math.max(2, servers / 2);
      }
      return reducedLimit;
    }
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

  private static int count(List<List<Scan>> scans) {
    int count = 0;
    for (int i = 0; i < scans.size(); i++) {
      count += scans.get(i).size();
    }
    return count;
  }

  /**
   * Returns waves for scans that are read one after the other. Returns null if all scans are opened
   * before the first row is read, as in stock Phoenix.
   *
   * <p>A scan that is opened later reads the rows that exist at that time. So waves are used only
   * in these cases:
   *
   * <ul>
   *   <li>An aggregate without groups, because the only row of each scan is read at once.
   *   <li>A LIMIT, because most scans need not be opened.
   *   <li>More scans than stock Phoenix can open.
   * </ul>
   *
   * <p>A join has no waves, because after a while, servers discard the rows that were sent for the
   * join. A statement that writes has no waves except for an aggregate, because the statement
   * should not read its own rows.
   *
   * @param scan the scan of {@code plan}
   * @param scans the parts of {@code scan}, in key order
   * @param joins true if servers hold rows to join
   * @param writes true if the current statement writes
   * @throws SQLException if an option has an invalid value
   */
  public static @Nullable ScanWaves waves(
      ScanWaves.Opener opener,
      QueryPlan plan,
      Scan scan,
      List<List<Scan>> scans,
      boolean joins,
      boolean writes)
      throws SQLException {
    int count = count(scans);
    if (joins || count < 2) {
      return null;
    }
    PhoenixConnection connection = plan.getContext().getConnection();
    PruningOptions options = PruningOptions.of(connection);
    boolean isUngroupedAggregate = plan instanceof AggregatePlan && isUngrouped(plan);
    ConnectionQueryServices services = connection.getQueryServices();
    int waveSize = maxTasks(services.getExecutor(), options);
    int maxWithoutWaves =
        isUngroupedAggregate || plan.getLimit() != null ? waveSize : stockCapacity(services);
    if (options.mode() == PruningMode.STOCK
        || writes && !isUngroupedAggregate
        || count <= maxWithoutWaves) {
      return null;
    }
    int ahead = isUngroupedAggregate ? AGGREGATES_AHEAD : plan.getLimit() == null ? ROWS_AHEAD : 0;
    return ScanWaves.of(
        opener,
        scans,
        waveSize,
        ScanUtil.isReversed(scan),
        ahead,
        plan.getContext().getStatement().getQueryTimeoutInMillis());
  }

  /** Returns the maximum number of scans that stock Phoenix can have submitted at a time. */
  private static int stockCapacity(ConnectionQueryServices services) {
    return services.getExecutor().getMaximumPoolSize()
        + services
            .getProps()
            .getInt(QueryServices.QUEUE_SIZE_ATTRIB, QueryServicesOptions.DEFAULT_QUEUE_SIZE);
  }

  private static boolean isUngrouped(QueryPlan plan) {
    return plan.getGroupBy().isEmpty() || plan.getGroupBy().isUngroupedAggregate();
  }

  /**
   * Returns the maximum number of tasks at a time: at most half of the pool, so that other
   * statements have the other half.
   */
  private static int maxTasks(ThreadPoolExecutor pool, PruningOptions options) {
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
