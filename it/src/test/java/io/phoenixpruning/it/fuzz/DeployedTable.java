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
package io.phoenixpruning.it.fuzz;

import com.google.common.util.concurrent.ExecutionError;
import com.google.common.util.concurrent.SimpleTimeLimiter;
import com.google.common.util.concurrent.ThreadFactoryBuilder;
import com.google.common.util.concurrent.TimeLimiter;
import com.google.common.util.concurrent.UncheckedExecutionException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.calcite.avatica.util.ByteString;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.jdbc.PhoenixStatement;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.pruning.config.PruningOptions;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.pruning.protocol.PlannedRegion;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A random table on a cluster. */
final class DeployedTable extends QueriedTable implements AutoCloseable {

  private static final Logger LOGGER = LoggerFactory.getLogger(DeployedTable.class);

  private static final int TIMEOUT_SECONDS = 60;

  /**
   * Timeout in mode stock, and with patches left out. Servers refuse each scan of a local index
   * that Phoenix's client has reversed, and the client repeats the scan until the timeout, or until
   * the stack overflows.
   */
  private static final int STOCK_TIMEOUT_SECONDS = 5;

  private static final int DROP_SECONDS = 120;

  /** Time limit of a statement. Phoenix checks its own timeout only while it waits for servers. */
  private static final Duration TIME_LIMIT = Duration.ofMinutes(3);

  private static final TimeLimiter TIME_LIMITER =
      SimpleTimeLimiter.create(
          Executors.newCachedThreadPool(
              new ThreadFactoryBuilder().setDaemon(true).setNameFormat("statement-%d").build()));

  private final Connections connections;
  private final Admin admin;
  private final boolean verified;
  private final RandomTable table;
  private final TableRows rows;
  private Set<Patch> leftOut = Set.of();

  /** Creates the table. If it has no boundaries yet, {@code generator} chooses them. */
  DeployedTable(
      Connections connections,
      Admin admin,
      String prefix,
      RandomTable wanted,
      TableGenerator generator,
      PhaseTimes times)
      throws Exception {
    super(prefix);
    this.connections = connections;
    this.admin = admin;
    this.verified = wanted.verified();
    times.timed(
        "create tables",
        () -> {
          createTables(wanted, wanted.createTable());
          return null;
        });
    this.table =
        wanted.splits() == null
            ? wanted.withSplits(generator.splits(wanted, rowKeys(wanted)))
            : wanted;
    times.timed(
        "create regions",
        () -> {
          split();
          return null;
        });
    this.rows = new TableRows(this, table);
    times.timed(
        "write rows",
        () -> {
          rows.write();
          return null;
        });
  }

  @Override
  RandomTable table() {
    return table;
  }

  /**
   * Recreates the HBase table with the boundaries. SPLIT ON would pad the boundaries, and splitting
   * takes long.
   */
  private void split() throws Exception {
    if (table.splits().isEmpty()) {
      return;
    }
    TableName name = TableName.valueOf(name("$T"));
    TableDescriptor descriptor = admin.getDescriptor(name);
    admin.disableTable(name);
    admin.deleteTable(name);
    admin.createTable(
        descriptor, table.splits().stream().map(ByteString::getBytes).toArray(byte[][]::new));
    connection(PruningMode.EXACT, false)
        .unwrap(PhoenixConnection.class)
        .getQueryServices()
        .clearTableRegionCache(name);
  }

  /** Returns connections to the cluster, which one thread can use. */
  static Connections connections(String url) {
    return new Connections(
        properties -> DriverManager.getConnection(url, properties),
        Map.of(
            // Tables with a few regions represent tables with thousands of regions here.
            PruningOptions.PROBE_MIN_REGIONS, "2", PruningOptions.SCAN_CONCURRENCY, "2"));
  }

  @Override
  Connection connection(PruningMode mode, boolean ofTenant) throws SQLException {
    return connections.get(key(mode, ofTenant));
  }

  private Connections.Key key(PruningMode mode, boolean ofTenant) {
    return new Connections.Key(mode, ofTenant, verified && mode == PruningMode.EXACT, leftOut);
  }

  /** Leaves patches of the scope connection out of the following statements. */
  void leaveOut(Set<Patch> patches) {
    leftOut = Set.copyOf(patches);
  }

  /** Returns the rows of a query in {@code mode}, or the error. */
  Answer execute(PruningMode mode, RandomQuery query, String hint) throws InterruptedException {
    return limited(
        mode,
        query,
        () -> {
          try (PreparedStatement statement = prepare(mode, query, hint)) {
            boolean isStock = mode == PruningMode.STOCK || !leftOut.isEmpty();
            statement.setQueryTimeout(isStock ? STOCK_TIMEOUT_SECONDS : TIMEOUT_SECONDS);
            if (mode == PruningMode.EXACT && isRunTwice(query)) {
              runWithOtherValues(statement, query.sql().binds());
            }
            try (ResultSet result = statement.executeQuery()) {
              List<List<Object>> answered = TableRows.read(result);
              boolean compared = mode == PruningMode.EXACT && PlannedRegionCheck.appliesTo(query);
              return new Answer(
                  answered,
                  null,
                  compared
                      ? plannedRegions(statement.unwrap(PhoenixStatement.class).getQueryPlan())
                      : null);
            }
          }
        });
  }

  /** Returns whether a prepared query runs with other values first. A quarter of them do. */
  private static boolean isRunTwice(RandomQuery query) {
    return !query.sql().binds().isEmpty() && query.sql().phoenix().hashCode() % 4 == 0;
  }

  /**
   * Runs a prepared query with other values, and sets its own values again. Each parameter gets the
   * value of another one, or null. Errors are ignored, because the values need not fit.
   */
  private static void runWithOtherValues(PreparedStatement statement, List<Object> values)
      throws SQLException {
    for (int i = 0; i < values.size(); i++) {
      Object value = values.get(i);
      Object other = values.get((i + 1) % values.size());
      boolean fits = value != null && other != value && value.getClass().isInstance(other);
      statement.setObject(i + 1, fits ? other : null);
    }
    try (ResultSet result = statement.executeQuery()) {
      TableRows.read(result);
    } catch (SQLException | RuntimeException e) {
      LOGGER.debug("Cannot run {} with other values", statement, e);
    }
    for (int i = 0; i < values.size(); i++) {
      statement.setObject(i + 1, values.get(i));
    }
  }

  /**
   * Runs a statement with {@link #TIME_LIMIT}. If the limit is exceeded, the thread keeps running
   * and its connection is abandoned. If servers keep refusing a scan, Phoenix plans the scan again
   * until the stack overflows.
   */
  private Answer limited(PruningMode mode, RandomQuery query, Callable<Answer> statement)
      throws InterruptedException {
    try {
      return TIME_LIMITER.callWithTimeout(statement, TIME_LIMIT);
    } catch (TimeoutException e) {
      connections.abandon(key(mode, query.ofTenant()));
      return new Answer(
          List.of(),
          new TimeoutException("Still running after " + TIME_LIMIT + ": " + query.sql().phoenix()));
    } catch (ExecutionException | UncheckedExecutionException | ExecutionError e) {
      return new Answer(List.of(), e.getCause());
    }
  }

  /**
   * Runs a DELETE or UPSERT, and returns all rows of the table afterwards. Then the table's rows
   * are restored.
   */
  Answer change(PruningMode mode, RandomQuery query, String hint)
      throws SQLException, InterruptedException {
    Answer answer =
        limited(
            mode,
            query,
            () -> {
              try (PreparedStatement statement = prepare(mode, query, hint)) {
                statement.execute();
                return new Answer(List.of(), null);
              }
            });
    Connection connection = connection(mode, query.ofTenant());
    try {
      if (answer.error() == null) {
        connection.commit();
      }
    } catch (SQLException | RuntimeException e) {
      answer = new Answer(List.of(), e);
    }
    connection.rollback();
    List<List<Object>> content = rows.all();
    rows.restore(content);
    return answer.error() == null ? new Answer(content, null) : answer;
  }

  @Override
  List<RegionInfo> regions() throws Exception {
    List<RegionInfo> regions = admin.getRegions(TableName.valueOf(name("$T")));
    Collections.sort(regions, RegionInfo.COMPARATOR);
    return regions;
  }

  /** Drops the tables. */
  @Override
  public void close() throws SQLException {
    Connection connection = connection(PruningMode.EXACT, false);
    boolean ended = drop(connection, "DROP TABLE $T CASCADE");
    if (!drop(connection, "DROP TABLE $D") || !ended) {
      connections.abandon(key(PruningMode.EXACT, false));
    }
  }

  /**
   * Drops a table. Returns false if that takes too long. DROP TABLE sometimes waits forever for an
   * entry of Phoenix's statistics cache, which these tests refresh each millisecond. It is unknown
   * why no thread loads that entry. By then, the table is no longer in the catalog.
   */
  private boolean drop(Connection connection, String sql) throws SQLException {
    ExecutorService executor =
        Executors.newSingleThreadExecutor(
            task -> {
              Thread thread = new Thread(task, "drop");
              thread.setDaemon(true);
              return thread;
            });
    try {
      executor
          .submit(
              () -> {
                execute(connection, List.of(sql));
                return null;
              })
          .get(DROP_SECONDS, TimeUnit.SECONDS);
      return true;
    } catch (TimeoutException e) {
      LOGGER.warn("{} has not ended in time. Its thread keeps running", name(sql));
      return false;
    } catch (ExecutionException e) {
      throw new SQLException("Cannot run " + name(sql), e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SQLException("Interrupted", e);
    } finally {
      executor.shutdownNow();
    }
  }

  /**
   * Answer to a statement.
   *
   * @param error exception of the statement; null if it returned rows
   * @param planned regions that were planned along a local index in mode exact; null for other
   *     statements
   */
  record Answer(List<List<Object>> rows, Throwable error, List<PlannedRegion> planned) {

    Answer(List<List<Object>> rows, Throwable error) {
      this(rows, error, null);
    }
  }
}
