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
package io.phoenixpruning.perf.fanout;

import io.phoenixpruning.cli.cluster.EmbeddedCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.pruning.plan.PruningOptions;
import org.apache.phoenix.query.QueryServices;
import org.apache.phoenix.query.QueryServicesOptions;

/**
 * Runs statements of each kind on tables of many regions, with as many threads and as long a queue
 * as a client has by default, and says how long each took, or how it failed, in mode {@code exact}
 * and, where it only reads, in mode {@code stock}. To be run by hand, with the number of regions.
 */
public final class ManyRegionsRun {

  private final EmbeddedCluster cluster;
  private final int regions;

  private ManyRegionsRun(EmbeddedCluster cluster, int regions) {
    this.cluster = cluster;
    this.regions = regions;
  }

  public static void main(String[] arguments) throws Exception {
    int regions = Integer.parseInt(arguments[0]);
    Path folder = Files.createTempDirectory("many-regions-");
    // At Ctrl-C, too.
    Runtime.getRuntime().addShutdownHook(new Thread(() -> FileUtil.fullyDelete(folder.toFile())));
    EmbeddedCluster cluster = new EmbeddedCluster(folder);
    try {
      cluster.start();
      new ManyRegionsRun(cluster, regions).run();
    } finally {
      cluster.abort();
    }
    // Threads of Phoenix go on.
    System.exit(0);
  }

  private Connection connect(String mode) throws SQLException {
    Connection connection =
        cluster.connect(
            Map.of(
                PruningOptions.MODE,
                mode,
                QueryServices.QUEUE_SIZE_ATTRIB,
                Integer.toString(QueryServicesOptions.DEFAULT_QUEUE_SIZE)));
    connection.setAutoCommit(true);
    return connection;
  }

  private void run() throws SQLException, IOException {
    try (Connection exact = connect("exact");
        Connection stock = connect("stock")) {
      time(exact, "CREATE TABLE INDEXED (K INTEGER PRIMARY KEY, V INTEGER, W INTEGER)");
      time(exact, "CREATE LOCAL INDEX INDEXED_V ON INDEXED (V)");
      split(exact, TableName.valueOf("INDEXED"));
      fill(exact, "INDEXED");
      String[] queries = {
        "SELECT COUNT(*) FROM INDEXED",
        "SELECT /*+ INDEX(INDEXED INDEXED_V) */ COUNT(*) FROM INDEXED WHERE V = 1",
        "SELECT /*+ INDEX(INDEXED INDEXED_V) */ K FROM INDEXED WHERE V = 1",
        "SELECT * FROM INDEXED",
        "SELECT * FROM INDEXED WHERE W >= 0 LIMIT 10",
        "SELECT * FROM INDEXED ORDER BY W DESC",
        "SELECT V, COUNT(*) FROM INDEXED GROUP BY V"
      };
      for (String query : queries) {
        time(exact, query);
        time(stock, query);
      }
      time(exact, "UPDATE STATISTICS INDEXED");
      time(exact, "DELETE FROM INDEXED WHERE V = 1");
      time(exact, "UPSERT INTO INDEXED SELECT K, V + 1, W FROM INDEXED");
      time(exact, "CREATE INDEX INDEXED_W ON INDEXED (W)");
      time(exact, "DROP TABLE INDEXED");
      time(
          exact,
          "CREATE TABLE SPLIT_ON (K INTEGER PRIMARY KEY, V INTEGER) SPLIT ON (" + splits() + ")");
    }
  }

  private String splits() {
    return IntStream.range(1, regions).mapToObj(Integer::toString).collect(Collectors.joining(","));
  }

  /** Makes an empty table again, with more regions: to split it would take longer. */
  private void split(Connection connection, TableName table) throws SQLException, IOException {
    long start = System.nanoTime();
    byte[][] splits =
        IntStream.range(1, regions)
            .mapToObj(k -> Bytes.toBytes(k ^ Integer.MIN_VALUE))
            .toArray(byte[][]::new);
    PhoenixConnection phoenix = connection.unwrap(PhoenixConnection.class);
    try (Admin admin = phoenix.getQueryServices().getAdmin()) {
      TableDescriptor descriptor = admin.getDescriptor(table);
      admin.disableTable(table);
      admin.deleteTable(table);
      admin.createTable(descriptor, splits);
    }
    phoenix.getQueryServices().clearTableRegionCache(table);
    report("exact", regions + " regions", start, "opened");
  }

  /** A row in each region. */
  private void fill(Connection connection, String table) throws SQLException {
    long start = System.nanoTime();
    connection.setAutoCommit(false);
    try (PreparedStatement upsert =
        connection.prepareStatement("UPSERT INTO " + table + " VALUES (?, ?, ?)")) {
      for (int k = 0; k < regions; k++) {
        upsert.setInt(1, k);
        upsert.setInt(2, k % 100);
        upsert.setInt(3, k * 7 % 1_001);
        upsert.execute();
        if (k % 1_000 == 999) {
          connection.commit();
        }
      }
    }
    connection.commit();
    connection.setAutoCommit(true);
    report("exact", "a row in each region", start, "written");
  }

  private static void time(Connection connection, String sql) throws SQLException {
    long start = System.nanoTime();
    String result;
    try (Statement statement = connection.createStatement()) {
      if (statement.execute(sql)) {
        int rows = 0;
        try (ResultSet found = statement.getResultSet()) {
          while (found.next()) {
            rows++;
          }
        }
        result = rows + " rows";
      } else {
        result = "done";
      }
    } catch (SQLException e) {
      result = e.toString();
    }
    String mode = PruningOptions.of(connection.unwrap(PhoenixConnection.class)).mode().toString();
    report(mode, sql, start, result);
  }

  private static void report(String mode, String what, long start, String result) {
    System.out.printf(
        Locale.ROOT,
        "| %s | %.80s | %.1f s | %.120s |%n",
        mode.toLowerCase(Locale.ROOT),
        what,
        (System.nanoTime() - start) / 1e9,
        result);
  }
}
