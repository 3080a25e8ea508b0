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
package io.phoenixpruning.perf.cluster;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.SplittableRandom;
import org.apache.hadoop.hbase.TableName;
import org.apache.phoenix.jdbc.PhoenixConnection;

/**
 * A client in this process, with the jars on its class path: ours or stock's. So it uses nothing of
 * ours. Argument: the JDBC URL.
 */
final class QueryClientMain {

  private QueryClientMain() {}

  public static void main(String[] arguments) throws Exception {
    ManagementFactory.getPlatformMBeanServer()
        .registerMBean(new Client(arguments[0]), QueryClientMXBean.NAME);
    ServerMain.ready("client");
  }

  private static final class Client implements QueryClientMXBean {

    private final String url;
    private final Map<String, Connection> connections = new HashMap<>();

    Client(String url) {
      this.url = url;
    }

    @Override
    public synchronized void connect(String name, Map<String, String> properties)
        throws IOException {
      Properties all = new Properties();
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
        throw new IOException("no connection " + name + ", but " + connections.keySet());
      }
      return connection;
    }

    /** Its own classes may be missing on the other side. */
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
    public QueryRun query(String name, String sql) throws IOException {
      Connection connection = connection(name);
      long rows = 0;
      long sum = 0;
      long start = System.nanoTime();
      try (Statement statement = connection.createStatement();
          ResultSet result = statement.executeQuery(sql)) {
        int columns = result.getMetaData().getColumnCount();
        while (result.next()) {
          rows++;
          int hash = 0;
          for (int i = 1; i <= columns; i++) {
            hash = 31 * hash + Objects.hashCode(result.getObject(i));
          }
          sum += hash;
        }
      } catch (SQLException e) {
        throw failure(e);
      }
      return new QueryRun((System.nanoTime() - start) / 1e6, rows, sum);
    }

    @Override
    public double[] queries(String name, String sql, int[] binds) throws IOException {
      double[] millis = new double[binds.length];
      try (PreparedStatement query = connection(name).prepareStatement(sql)) {
        for (int i = 0; i < binds.length; i++) {
          long start = System.nanoTime();
          query.setInt(1, binds[i]);
          try (ResultSet result = query.executeQuery()) {
            while (result.next()) {
              result.getObject(1);
            }
          }
          millis[i] = (System.nanoTime() - start) / 1e6;
        }
      } catch (SQLException e) {
        throw failure(e);
      }
      return millis;
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
  }
}
