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
package io.phoenixpruning.perf.choice;

import io.phoenixpruning.cli.cluster.EmbeddedCluster;
import io.phoenixpruning.cli.demo.ResultRows;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.pruning.config.PruningOptions;
import org.openjdk.jmh.util.ListStatistics;

/**
 * Measures queries with a condition on {@code V} but none on {@code K1}, along a local index on
 * {@code (K1, V)}. The table has one region of 100,000 rows with 1 to 100,000 values of {@code K1}.
 * All ways take turns.
 */
public final class LooseIndexScanBenchmark {

  private static final String QUICK = "--quick";
  private static final int ROWS = 100_000;
  private static final int VALUES = 1_000;
  private static final int WARM_UPS = 6;
  private static final int ROUNDS = 15;
  private static final long SEED = 11;

  /** The queries, without SELECT and the hint. */
  private static final List<String> QUERIES =
      List.of(
          "COUNT(*) FROM %s WHERE V = 5",
          "COUNT(*) FROM %s WHERE V IN (5, 500)",
          "COUNT(*) FROM %s WHERE V BETWEEN 5 AND 9",
          "MAX(X) FROM %s WHERE V = 5");

  /** A way to run a query: with a hint, in a mode. */
  private record Way(String name, String mode, String hint) {}

  /** The ways to compare. With a hint, Phoenix compiles only the plan of the index. */
  private static final List<Way> WAYS =
      List.of(
          new Way("exact", "exact", ""),
          new Way("stock", "stock", ""),
          new Way("table", "exact", "/*+ NO_INDEX */ "),
          new Way("index, range scan", "exact", "/*+ INDEX(%1$s I_%1$s) RANGE_SCAN */ "));

  private final EmbeddedCluster cluster;
  private final int rows;
  private final int warmUps;
  private final int rounds;

  LooseIndexScanBenchmark(EmbeddedCluster cluster, boolean quick) {
    this.cluster = cluster;
    this.rows = quick ? ROWS / 100 : ROWS;
    this.warmUps = quick ? 0 : WARM_UPS;
    this.rounds = quick ? 1 : ROUNDS;
  }

  public static void main(String[] arguments) throws Exception {
    boolean quick = List.of(arguments).contains(QUICK);
    Path folder = Files.createTempDirectory("loose-index-scan-");
    // Also deletes the folder at Ctrl-C.
    Runtime.getRuntime().addShutdownHook(new Thread(() -> FileUtil.fullyDelete(folder.toFile())));
    EmbeddedCluster cluster = new EmbeddedCluster(folder);
    try {
      cluster.start();
      System.out.println(new LooseIndexScanBenchmark(cluster, quick).run());
    } finally {
      cluster.abort();
    }
    // Threads of Phoenix are still running.
    System.exit(0);
  }

  /** Runs the benchmark and returns a Markdown table of milliseconds. */
  String run() throws SQLException, IOException {
    StringBuilder report = new StringBuilder("| prefixes | query |");
    WAYS.forEach(way -> report.append(" ").append(way.name()).append(" |"));
    report.append("\n|---:|---|").append("---|".repeat(WAYS.size())).append('\n');
    for (int prefixes = 1; prefixes <= rows; prefixes *= 10) {
      String table = "P" + prefixes;
      System.err.println(table);
      create(table, prefixes);
      for (String query : QUERIES) {
        report.append("| %,d | `%s` |".formatted(prefixes, query.formatted("T")));
        run(table, query)
            .values()
            .forEach(
                millis ->
                    report.append(
                        " %.2f (%.2f to %.2f) |"
                            .formatted(
                                millis.getPercentile(50),
                                millis.getPercentile(10),
                                millis.getPercentile(90))));
        report.append('\n');
      }
    }
    return report.toString();
  }

  private Map<Way, ListStatistics> run(String table, String query) throws SQLException {
    Map<Way, ListStatistics> millis = new LinkedHashMap<>();
    try (Connection exact = cluster.connect(Map.of());
        Connection stock = cluster.connect(Map.of(PruningOptions.MODE, "stock"))) {
      for (int round = -warmUps; round < rounds; round++) {
        List<ResultRows> results = new ArrayList<>();
        for (Way way : WAYS) {
          Connection connection = way.mode().equals("stock") ? stock : exact;
          String sql = "SELECT " + way.hint().formatted(table) + query.formatted(table);
          long start = System.nanoTime();
          try (Statement statement = connection.createStatement();
              ResultSet result = statement.executeQuery(sql)) {
            results.add(ResultRows.read(result));
          }
          double elapsed = (System.nanoTime() - start) / 1e6;
          ListStatistics ofWay = millis.computeIfAbsent(way, w -> new ListStatistics());
          if (round >= 0) {
            ofWay.addValue(elapsed);
          }
        }
        if (!results.stream().allMatch(rows -> rows.sameRows(results.get(0)))) {
          throw new IllegalStateException(query + " returned different rows: " + results);
        }
      }
    }
    return millis;
  }

  private void create(String table, int prefixes) throws SQLException, IOException {
    SplittableRandom random = new SplittableRandom(SEED);
    try (Connection connection = cluster.connect(Map.of());
        Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE "
              + table
              + " (K1 INTEGER NOT NULL, K2 INTEGER NOT NULL, V INTEGER, X VARCHAR"
              + " CONSTRAINT PK PRIMARY KEY (K1, K2)) UPDATE_CACHE_FREQUENCY = 60000");
      statement.execute("CREATE LOCAL INDEX I_%s ON %s (K1, V)".formatted(table, table));
      try (PreparedStatement upsert =
          connection.prepareStatement("UPSERT INTO " + table + " VALUES (?, ?, ?, ?)")) {
        for (int i = 0; i < rows; i++) {
          upsert.setInt(1, i % prefixes);
          upsert.setInt(2, i / prefixes);
          upsert.setInt(3, random.nextInt(VALUES));
          upsert.setString(4, "x".repeat(100));
          upsert.executeUpdate();
          if (i % 2_000 == 0) {
            connection.commit();
          }
        }
      }
      connection.commit();
      try (Admin admin = connection.unwrap(PhoenixConnection.class).getQueryServices().getAdmin()) {
        admin.flush(TableName.valueOf(table));
      }
    }
  }
}
