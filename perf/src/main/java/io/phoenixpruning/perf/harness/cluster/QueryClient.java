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
package io.phoenixpruning.perf.harness.cluster;

import com.codahale.metrics.Timer;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.SplittableRandom;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ClusterConnection;
import org.apache.hadoop.hbase.client.MetricsConnection;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.jdbc.PhoenixPreparedStatement;
import org.apache.phoenix.jdbc.PhoenixResultSet;

/** Runs statements for the process that measures them. It must not use any class of ours. */
final class QueryClient implements QueryClientMXBean {

  /** Prefix of the names of HBase's timers, which count the RPCs for each table. */
  private static final String SCANS_OF_TABLE = "rpcCallDurationMs_ClientService_Scan_";

  private final String url;
  private final Map<String, String> commonProperties;
  private final Map<String, Connection> connections = new HashMap<>();
  private final MeasuredTurns turns = new MeasuredTurns();

  QueryClient(String url, Map<String, String> commonProperties) {
    this.url = url;
    this.commonProperties = commonProperties;
  }

  @Override
  public synchronized void connect(String name, Map<String, String> properties) throws IOException {
    Properties all = new Properties();
    all.putAll(commonProperties);
    all.putAll(properties);
    try {
      Connection old = connections.put(name, DriverManager.getConnection(url, all));
      if (old != null) {
        old.close();
      }
    } catch (SQLException e) {
      throw failure(e);
    }
  }

  private synchronized Connection connection(String name) throws IOException {
    Connection connection = connections.get(name);
    if (connection == null) {
      throw new IOException("No connection " + name + " in " + connections.keySet());
    }
    return connection;
  }

  /**
   * Returns an exception with the first line of the message of {@code e}. The calling process may
   * lack the classes of {@code e}.
   */
  private static IOException failure(SQLException e) {
    return new IOException(e.toString().lines().findFirst().orElseThrow());
  }

  @Override
  public void forgetLocations(String name, String table) throws IOException {
    try {
      connection(name)
          .unwrap(PhoenixConnection.class)
          .getQueryServices()
          .clearTableRegionCache(TableName.valueOf(table));
    } catch (SQLException e) {
      throw failure(e);
    }
  }

  @Override
  public synchronized long scanRpcs(String table) throws IOException {
    Set<MetricsConnection> counted = Collections.newSetFromMap(new IdentityHashMap<>());
    for (Connection connection : connections.values()) {
      try (Admin admin = connection.unwrap(PhoenixConnection.class).getQueryServices().getAdmin()) {
        counted.add(((ClusterConnection) admin.getConnection()).getConnectionMetrics());
      } catch (SQLException e) {
        throw failure(e);
      }
    }
    long scans = 0;
    for (MetricsConnection metrics : counted) {
      Timer timer = metrics.getRpcTimers().get(SCANS_OF_TABLE + table);
      scans += timer == null ? 0 : timer.getCount();
    }
    return scans;
  }

  @Override
  public QueryRun query(String name, String sql) throws IOException {
    Connection connection = connection(name);
    long start = System.nanoTime();
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      return read(result, start);
    } catch (SQLException e) {
      throw failure(e);
    }
  }

  @Override
  public QueryRun queryCompiled(String name, String sql) throws IOException {
    try (PreparedStatement statement = connection(name).prepareStatement(sql)) {
      QueryPlan plan = statement.unwrap(PhoenixPreparedStatement.class).optimizeQuery();
      long start = System.nanoTime();
      try (ResultSet result =
          new PhoenixResultSet(plan.iterator(), plan.getProjector(), plan.getContext())) {
        return read(result, start);
      }
    } catch (SQLException e) {
      throw failure(e);
    }
  }

  /** Reads all rows. The time counts from {@code start}. */
  static QueryRun read(ResultSet result, long start) throws SQLException {
    long rows = 0;
    long sum = 0;
    int columns = result.getMetaData().getColumnCount();
    while (result.next()) {
      rows++;
      int hash = 0;
      for (int i = 1; i <= columns; i++) {
        hash = 31 * hash + Objects.hashCode(result.getObject(i));
      }
      sum += hash;
    }
    return new QueryRun((System.nanoTime() - start) / 1e6, rows, sum);
  }

  @Override
  public String[] explain(String name, String sql) throws IOException {
    List<String> lines = new ArrayList<>();
    try (Statement statement = connection(name).createStatement();
        ResultSet steps = statement.executeQuery("EXPLAIN " + sql)) {
      while (steps.next()) {
        lines.add(steps.getString(1));
      }
    } catch (SQLException e) {
      throw failure(e);
    }
    return lines.toArray(new String[0]);
  }

  @Override
  public String scannedTable(String name, String sql) throws IOException {
    try (PreparedStatement statement = connection(name).prepareStatement(sql)) {
      return statement
          .unwrap(PhoenixPreparedStatement.class)
          .optimizeQuery()
          .getTableRef()
          .getTable()
          .getName()
          .getString();
    } catch (SQLException e) {
      throw failure(e);
    }
  }

  @Override
  public double[] queryLatencies(String name, String sql, int[] binds, long rows)
      throws IOException {
    long found = 0;
    double[] millis = new double[binds.length];
    try (PreparedStatement query = connection(name).prepareStatement(sql)) {
      for (int i = 0; i < binds.length; i++) {
        long start = System.nanoTime();
        query.setInt(1, binds[i]);
        try (ResultSet result = query.executeQuery()) {
          while (result.next()) {
            result.getObject(1);
            found++;
          }
        }
        millis[i] = (System.nanoTime() - start) / 1e6;
      }
    } catch (SQLException e) {
      throw failure(e);
    }
    if (found != rows) {
      throw new IOException(
          "%d runs of %s returned %d rows. Expected %d".formatted(binds.length, sql, found, rows));
    }
    return millis;
  }

  @Override
  public double[] offerLoad(String[] names, String sql, int[] binds, double rate)
      throws IOException {
    List<Connection> all = new ArrayList<>();
    for (String name : names) {
      all.add(connection(name));
    }
    return new OpenLoop(all, sql).run(binds, rate);
  }

  @Override
  public double update(String name, String sql) throws IOException {
    Connection connection = connection(name);
    long start = System.nanoTime();
    try (Statement statement = connection.createStatement()) {
      statement.executeUpdate(sql);
      connection.commit();
    } catch (SQLException e) {
      throw failure(e);
    }
    return (System.nanoTime() - start) / 1e6;
  }

  @Override
  public double write(
      String name, String upsert, int first, int rows, int rowsOfCommit, int bound, long seed)
      throws IOException {
    Connection connection = connection(name);
    SplittableRandom random = new SplittableRandom(seed + first);
    long start = System.nanoTime();
    try (PreparedStatement statement = connection.prepareStatement(upsert)) {
      int parameters = statement.getParameterMetaData().getParameterCount();
      for (int row = 1; row <= rows; row++) {
        statement.setInt(1, first + row - 1);
        for (int i = 2; i <= parameters; i++) {
          statement.setInt(i, random.nextInt(bound));
        }
        statement.executeUpdate();
        if (row % rowsOfCommit == 0 || row == rows) {
          connection.commit();
        }
      }
    } catch (SQLException e) {
      throw failure(e);
    }
    return (System.nanoTime() - start) / 1e6;
  }

  @Override
  public Turn turn(
      String name,
      Turn.Kind kind,
      String sql,
      int executions,
      int[] bounds,
      int first,
      int executionsOfCommit,
      long seed)
      throws IOException {
    BoundParameters parameters = new BoundParameters(bounds, first, new SplittableRandom(seed));
    return turns.run(connection(name), kind, sql, executions, parameters, executionsOfCommit);
  }
}
