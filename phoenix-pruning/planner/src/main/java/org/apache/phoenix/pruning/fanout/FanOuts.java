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
import org.apache.phoenix.pruning.plan.PruningMode;
import org.apache.phoenix.pruning.plan.PruningOptions;
import org.apache.phoenix.query.ConnectionQueryServices;
import org.apache.phoenix.query.QueryServices;
import org.apache.phoenix.query.QueryServicesOptions;
import org.apache.phoenix.schema.ColumnFamilyNotFoundException;
import org.apache.phoenix.schema.StaleRegionBoundaryCacheException;
import org.apache.phoenix.util.ClientUtil;
import org.apache.phoenix.util.SQLCloseables;
import org.apache.phoenix.util.ScanUtil;

/** How the scans of a statement fan out: how many at a time, and whether in waves. */
public final class FanOuts {

  /** Of rows: while one wave is read, the next one is opened. */
  private static final int ROWS_AHEAD = 1;

  /**
   * Of aggregates: a wave is a row a scan, read at once, so a slow region should not hold up those
   * behind it.
   */
  private static final int AGGREGATES_AHEAD = 15;

  private FanOuts() {}

  /**
   * For the scans of one statement; null if stock runs them.
   *
   * @param regions where they are; null if there is none
   * @param write whether each task writes what its scan returns. Closing its result then adds the
   *     rows to the user's connection. That must not happen after the statement has failed, so the
   *     result of a cancelled task stays open until the connection closes, as in stock
   * @throws SQLException if an option has a value that does not exist
   */
  public static FanOut<PeekingResultIterator> ofScans(
      PhoenixConnection connection, List<HRegionLocation> regions, boolean write)
      throws SQLException {
    return fanOut(
        connection,
        regions == null ? Collections.emptyList() : regions,
        FanOuts::canBePlannedAgain,
        write
            ? iterator -> {}
            : iterator -> SQLCloseables.closeAllQuietly(Collections.singletonList(iterator)));
  }

  /**
   * For tasks that all have to succeed, and return nothing that has to be closed; null if stock
   * runs them.
   *
   * @throws SQLException if an option has a value that does not exist
   */
  public static <T> FanOut<T> ofTasks(PhoenixConnection connection) throws SQLException {
    return fanOut(connection, null, failure -> false, result -> {});
  }

  /**
   * As {@link #ofTasks}, where Phoenix's code expects no SQLException.
   *
   * @throws IllegalArgumentException if an option has a value that does not exist
   */
  public static <T> FanOut<T> ofTask(PhoenixConnection connection) {
    try {
      return ofTasks(connection);
    } catch (SQLException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  private static <T> FanOut<T> fanOut(
      PhoenixConnection connection,
      List<HRegionLocation> regions,
      Predicate<Throwable> canBeMended,
      Consumer<T> unwanted)
      throws SQLException {
    PruningOptions options = PruningOptions.of(connection);
    if (options.mode() == PruningMode.STOCK) {
      return null;
    }
    ConnectionQueryServices services = connection.getQueryServices();
    return new FanOut<>(
        services.getExecutor(),
        new Limit(
            connection,
            ShortStatements.of(services),
            tasks(services.getExecutor(), options),
            regions),
        canBeMended,
        unwanted);
  }

  /** Limits the tasks of a statement that run at a time, alone or next to short statements. */
  private static final class Limit implements IntSupplier {

    private final PhoenixConnection connection;
    private final ShortStatements shorts;
    private final int alone;
    private final List<HRegionLocation> regions;

    /** 0 until it is needed. */
    private int beside;

    /**
     * Makes the limit of one statement.
     *
     * @param regions those of its scans; null if it has the same limit beside short statements
     */
    Limit(
        PhoenixConnection connection,
        ShortStatements shorts,
        int alone,
        List<HRegionLocation> regions) {
      this.connection = connection;
      this.shorts = shorts;
      this.alone = alone;
      this.regions = regions;
    }

    @Override
    public int getAsInt() {
      return regions != null && shorts.areBeside(connection) ? Math.min(alone, beside()) : alone;
    }

    /** Beside short statements, one scan runs on every other server. */
    private int beside() {
      if (beside == 0) {
        long servers = regions.stream().map(HRegionLocation::getServerName).distinct().count();
        beside = (int) Math.max(2, servers / 2);
      }
      return beside;
    }
  }

  /** Returns the failure of a statement of which a scan of {@code table} was cancelled. */
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

  /** A statement is about to submit {@code scans}. */
  public static void begins(PhoenixConnection connection, List<List<Scan>> scans) {
    ShortStatements.of(connection.getQueryServices()).begins(connection, count(scans));
  }

  private static int count(List<List<Scan>> scans) {
    int count = 0;
    for (int i = 0; i < scans.size(); i++) {
      count += scans.get(i).size();
    }
    return count;
  }

  /**
   * The waves in which scans are opened that are read one after the other; null if they are all
   * opened before the first row is read, as stock does.
   *
   * <p>What is opened later is read as it is then. So waves are for what is read at once, as the
   * only row of an aggregate; for a LIMIT, most of whose scans need not be opened; and for more
   * scans than stock can open. They are not for a join, which has sent rows to servers that forget
   * them after a while, nor for a statement that writes, which should not read its own rows.
   *
   * @param scan of {@code plan}
   * @param scans what it is divided into, in key order
   * @param joins whether servers hold rows to join
   * @param writes whether a statement runs that writes
   * @throws SQLException if an option has a value that does not exist
   */
  public static ScanWaves waves(
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
    boolean aggregates = plan instanceof AggregatePlan && isUngrouped(plan);
    ConnectionQueryServices services = connection.getQueryServices();
    int size = tasks(services.getExecutor(), options);
    int atOnce = aggregates || plan.getLimit() != null ? size : room(services);
    if (options.mode() == PruningMode.STOCK || writes && !aggregates || count <= atOnce) {
      return null;
    }
    int ahead = aggregates ? AGGREGATES_AHEAD : plan.getLimit() == null ? ROWS_AHEAD : 0;
    return ScanWaves.of(
        opener,
        scans,
        size,
        ScanUtil.isReversed(scan),
        ahead,
        plan.getContext().getStatement().getQueryTimeoutInMillis());
  }

  /** How many scans stock can have submitted. */
  private static int room(ConnectionQueryServices services) {
    return services.getExecutor().getMaximumPoolSize()
        + services
            .getProps()
            .getInt(QueryServices.QUEUE_SIZE_ATTRIB, QueryServicesOptions.DEFAULT_QUEUE_SIZE);
  }

  private static boolean isUngrouped(QueryPlan plan) {
    return plan.getGroupBy().isEmpty() || plan.getGroupBy().isUngroupedAggregate();
  }

  /** At most half of the pool: the other half is for other statements. */
  private static int tasks(ThreadPoolExecutor pool, PruningOptions options) {
    return Math.min(options.fanOutTasks(), Math.max(1, pool.getMaximumPoolSize() / 2));
  }

  /** What stock mends by running again the scan that failed, and only that. */
  private static boolean canBePlannedAgain(Throwable failure) {
    SQLException parsed = ClientUtil.parseServerException(failure);
    return parsed instanceof StaleRegionBoundaryCacheException
        || parsed instanceof HashJoinCacheNotFoundException
        || parsed instanceof ColumnFamilyNotFoundException;
  }
}
