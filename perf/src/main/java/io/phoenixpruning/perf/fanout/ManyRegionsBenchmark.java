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
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.pruning.config.PruningOptions;
import org.apache.phoenix.query.QueryServices;
import org.apache.phoenix.query.QueryServicesOptions;
import org.openjdk.jmh.util.ListStatistics;

/**
 * Runs statements of each kind on tables of many regions. The client has the default number of
 * threads and the default queue size. Reports how long each statement took, or why it failed.
 * Queries run in modes {@code exact} and {@code stock} in turn; statements that write run only in
 * mode {@code exact}.
 */
public final class ManyRegionsBenchmark {

  private static final String QUICK = "--quick";
  private static final int REGIONS = 10_000;
  private static final int ROUNDS = 5;

  private final EmbeddedCluster cluster;
  private final int regions;
  private final int rounds;
  private final StringBuilder report =
      new StringBuilder("| statement | exact | stock |\n|---|---:|---:|\n");

  /**
   * Creates the benchmark on a cluster. If {@code quick}, the run is small and measures nothing.
   */
  public ManyRegionsBenchmark(EmbeddedCluster cluster, boolean quick) {
    this.cluster = cluster;
    this.regions = quick ? 20 : REGIONS;
    this.rounds = quick ? 1 : ROUNDS;
  }

  public static void main(String[] arguments) throws Exception {
    boolean quick = List.of(arguments).contains(QUICK);
    Path folder = Files.createTempDirectory("many-regions-");
    // Also deletes the folder at Ctrl-C.
    Runtime.getRuntime().addShutdownHook(new Thread(() -> FileUtil.fullyDelete(folder.toFile())));
    EmbeddedCluster cluster = new EmbeddedCluster(folder);
    try {
      cluster.start();
      System.out.println(new ManyRegionsBenchmark(cluster, quick).run());
    } finally {
      cluster.abort();
    }
    // Threads of Phoenix are still running.
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

  /** Runs the benchmark and returns a Markdown table of seconds. */
  public String run() throws SQLException, IOException {
    try (Connection exact = connect("exact");
        Connection stock = connect("stock")) {
      time(exact, "CREATE TABLE INDEXED (K INTEGER PRIMARY KEY, V INTEGER, W INTEGER)");
      time(exact, "CREATE LOCAL INDEX INDEXED_V ON INDEXED (V)");
      split(exact, TableName.valueOf("INDEXED"));
      fill(exact, "INDEXED");
      for (String query :
          new String[] {
            "SELECT COUNT(*) FROM INDEXED",
            "SELECT /*+ INDEX(INDEXED INDEXED_V) */ COUNT(*) FROM INDEXED WHERE V = 1",
            "SELECT /*+ INDEX(INDEXED INDEXED_V) */ K FROM INDEXED WHERE V = 1",
            "SELECT * FROM INDEXED",
            "SELECT * FROM INDEXED WHERE W >= 0 LIMIT 10",
            "SELECT * FROM INDEXED ORDER BY W DESC",
            "SELECT V, COUNT(*) FROM INDEXED GROUP BY V"
          }) {
        compare(exact, stock, query);
      }
      for (String statement :
          new String[] {
            "UPDATE STATISTICS INDEXED",
            "DELETE FROM INDEXED WHERE V = 1",
            "UPSERT INTO INDEXED SELECT K, V + 1, W FROM INDEXED",
            "CREATE INDEX INDEXED_W ON INDEXED (W)",
            "DROP TABLE INDEXED"
          }) {
        report(statement, spread(time(exact, statement)), "");
      }
      String create = "CREATE TABLE SPLIT_ON (K INTEGER PRIMARY KEY, V INTEGER) SPLIT ON (%s)";
      double seconds = time(exact, create.formatted(splits()));
      report(create.formatted(regions - 1 + " keys"), spread(seconds), "");
    }
    return report.toString();
  }

  /** Runs a query in both modes in turn. The mode that starts alternates from round to round. */
  private void compare(Connection exact, Connection stock, String query) throws SQLException {
    ListStatistics ofExact = new ListStatistics();
    ListStatistics ofStock = new ListStatistics();
    String refusal = null;
    // The first round only warms up.
    for (int round = 0; round <= rounds; round++) {
      for (boolean first : new boolean[] {true, false}) {
        if (first == (round % 2 == 0)) {
          double seconds = time(exact, query);
          if (round > 0) {
            ofExact.addValue(seconds);
          }
        } else if (refusal == null) {
          try {
            double seconds = time(stock, query);
            if (round > 0) {
              ofStock.addValue(seconds);
            }
          } catch (SQLException e) {
            refusal = FanOutQueries.reason(e).replace("|", "/");
          }
        }
      }
    }
    report(query, spread(ofExact), refusal == null ? spread(ofStock) : refusal);
  }

  private String splits() {
    return IntStream.range(1, regions).mapToObj(Integer::toString).collect(Collectors.joining(","));
  }

  /** Recreates an empty table with more regions, which is faster than splitting it. */
  private void split(Connection connection, TableName table) throws SQLException, IOException {
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
  }

  /** Writes one row to each region. */
  private void fill(Connection connection, String table) throws SQLException {
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
  }

  /** Returns the seconds until the last row has been read, or until all rows have been written. */
  private static double time(Connection connection, String sql) throws SQLException {
    System.err.printf("%.80s%n", sql);
    long start = System.nanoTime();
    try (Statement statement = connection.createStatement()) {
      if (statement.execute(sql)) {
        try (ResultSet found = statement.getResultSet()) {
          while (found.next()) {}
        }
      }
    }
    return (System.nanoTime() - start) / 1e9;
  }

  private void report(String statement, String exact, String stock) {
    report.append("| `%s` | %s | %s |%n".formatted(statement, exact, stock));
  }

  private static String spread(double seconds) {
    return "%.1f".formatted(seconds);
  }

  private static String spread(ListStatistics seconds) {
    return "%.1f (%.1f to %.1f)"
        .formatted(seconds.getPercentile(50), seconds.getMin(), seconds.getMax());
  }
}
