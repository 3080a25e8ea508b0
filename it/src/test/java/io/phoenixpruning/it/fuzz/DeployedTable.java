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
import io.phoenixpruning.it.fuzz.RandomTable.Relation;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.apache.calcite.avatica.util.ByteString;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.jdbc.PhoenixStatement;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.pruning.config.PruningOptions;
import org.apache.phoenix.pruning.protocol.PlannedRegion;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A random table on a cluster. */
final class DeployedTable extends PlannedTable implements AutoCloseable {

  private static final Logger LOGGER = LoggerFactory.getLogger(DeployedTable.class);

  private static final int TIMEOUT_SECONDS = 60;
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
    times.timed(
        "write rows",
        () -> {
          fill();
          return null;
        });
  }

  private void fill() throws SQLException {
    upsertRows(table.rows());
    Relation partners = table.partnerRelation();
    upsert(partners, partners.rows());
    if (table.statistics()) {
      execute(connection(PruningMode.EXACT, false), List.of("UPDATE STATISTICS $T"));
    }
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

  /**
   * Writes rows. Rows of a view are written through the view, because Phoenix maintains the view's
   * index only then.
   */
  private void upsertRows(List<List<Object>> rows) throws SQLException {
    for (Relation relation : table.relations()) {
      // A tenant's view lacks the first column.
      int from = table.columns().size() - relation.columns().size();
      upsert(
          relation,
          rows.stream()
              .filter(row -> table.writtenThrough(row).equals(relation.name()))
              .map(row -> row.subList(from, row.size()))
              .toList());
    }
  }

  private void upsert(Relation relation, List<List<Object>> rows) throws SQLException {
    if (rows.isEmpty()) {
      return;
    }
    Connection connection = connection(PruningMode.EXACT, relation.ofTenant());
    List<Column> columns = relation.columns();
    String names = columns.stream().map(Column::name).collect(Collectors.joining(", "));
    String holes = columns.stream().map(column -> "?").collect(Collectors.joining(", "));
    try (PreparedStatement upsert =
        connection.prepareStatement(
            name("UPSERT INTO " + relation.name() + " (" + names + ") VALUES (" + holes + ")"))) {
      for (List<Object> row : rows) {
        for (int i = 0; i < row.size(); i++) {
          upsert.setObject(i + 1, columns.get(i).type().toJdbc(row.get(i)));
        }
        upsert.execute();
      }
      connection.commit();
    }
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
    return new Connections.Key(mode, ofTenant, verified && mode == PruningMode.EXACT);
  }

  /** Returns the rows of a query in {@code mode}, or the error. */
  Answer execute(PruningMode mode, RandomQuery query, String hint) throws InterruptedException {
    return limited(
        mode,
        query,
        () -> {
          try (PreparedStatement statement = prepare(mode, query, hint)) {
            statement.setQueryTimeout(TIMEOUT_SECONDS);
            try (ResultSet result = statement.executeQuery()) {
              List<List<Object>> rows = rows(result);
              QueryPlan plan = statement.unwrap(PhoenixStatement.class).getQueryPlan();
              return new Answer(
                  rows, null, mode == PruningMode.EXACT ? plannedRegions(plan) : null);
            }
          }
        });
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
    List<List<Object>> content = content();
    restore(content);
    return answer.error() == null ? new Answer(content, null) : answer;
  }

  /** Restores the rows of the table, which now has the rows {@code content}. */
  private void restore(List<List<Object>> content) throws SQLException {
    List<List<Object>> lost = new ArrayList<>(table.rows());
    lost.removeAll(content);
    if (content.size() + lost.size() > table.rows().size()) {
      // Some rows have other keys or other values. Rows with other keys have to be deleted, so all
      // rows are deleted.
      Connection connection = connection(PruningMode.NONE, false);
      execute(connection, List.of("DELETE /*+ NO_INDEX */ FROM $T"));
      connection.commit();
      lost = table.rows();
    }
    nextMillisecond();
    upsertRows(lost);
  }

  /**
   * Waits for the next millisecond, because a row cannot be written in the millisecond in which it
   * was deleted.
   */
  private static void nextMillisecond() {
    long now = System.currentTimeMillis();
    while (System.currentTimeMillis() == now) {
      Thread.onSpinWait();
    }
  }

  /** Returns the rows of the table, without any index. */
  private List<List<Object>> content() throws SQLException {
    String names = table.columns().stream().map(Column::name).collect(Collectors.joining(", "));
    try (Statement statement = connection(PruningMode.NONE, false).createStatement();
        ResultSet result =
            statement.executeQuery(name("SELECT /*+ NO_INDEX */ " + names + " FROM $T"))) {
      return rows(result);
    }
  }

  private static List<List<Object>> rows(ResultSet result) throws SQLException {
    List<List<Object>> rows = new ArrayList<>();
    int columns = result.getMetaData().getColumnCount();
    while (result.next()) {
      List<Object> row = new ArrayList<>();
      for (int i = 1; i <= columns; i++) {
        row.add(ValueType.fromJdbc(result.getObject(i)));
      }
      rows.add(row);
    }
    return rows;
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
      LOGGER.warn("{} does not end, and is left behind", name(sql));
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
