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
package io.phoenixpruning.perf.bench;

import io.phoenixpruning.perf.harness.OwnTable;
import io.phoenixpruning.perf.harness.RegionsTable;
import io.phoenixpruning.perf.harness.Result;
import io.phoenixpruning.perf.harness.StockJars;
import io.phoenixpruning.perf.harness.Summary;
import io.phoenixpruning.perf.harness.UrlBenchmark;
import io.phoenixpruning.perf.harness.View;
import io.phoenixpruning.perf.harness.Way;
import io.phoenixpruning.perf.harness.cluster.MeasuredCluster;
import io.phoenixpruning.perf.harness.cluster.QueryClientMXBean;
import io.phoenixpruning.perf.harness.cluster.QueryRun;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.openjdk.jmh.util.ListStatistics;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Implements {@code pruning bench loosescan}. */
@Command(
    name = "loosescan",
    description = {
      "Measures queries with a condition on V, but none on K1, along a local index on (K1, V). The"
          + " table has one region. The number of values of K1 ranges from one to the number of rows."
          + " Compares four plans: stock Phoenix's choice with its own jars, our choice, a scan of the table, and a"
          + " range scan of the index. All of them take turns."
    },
    mixinStandardHelpOptions = true)
final class LooseScanBench extends UrlBenchmark {

  private static final String PREFIXES = "prefixes";
  private static final String QUERY = "query";
  private static final String PLAN = "plan";

  /** Number of values of V. */
  private static final int VALUES = 1_000;

  private static final int ROWS_OF_COMMIT = 2_000;

  /** Estimated bytes of a row on disk, with its index and its write-ahead log. */
  private static final long ROW_BYTES = 1_000;

  /** Queries, without SELECT and the hint. */
  static final List<String> QUERIES =
      List.of(
          "COUNT(*) FROM %s WHERE V = 5",
          "COUNT(*) FROM %s WHERE V IN (5, 500)",
          "COUNT(*) FROM %s WHERE V BETWEEN 5 AND 9",
          "MAX(X) FROM %s WHERE V = 5");

  /** A plan. A hint makes Phoenix compile only this plan. */
  enum Plan {
    STOCK(Way.STOCK, "stock", ""),
    EXACT(Way.EXACT, "exact", ""),
    TABLE(Way.EXACT, "table", "/*+ NO_INDEX */ "),
    RANGE_SCAN(Way.EXACT, "index, range scan", "/*+ INDEX(%1$s %1$s_I) RANGE_SCAN */ ");

    private final Way way;
    private final String title;
    private final String hint;

    Plan(Way way, String title, String hint) {
      this.way = way;
      this.title = title;
      this.hint = hint;
    }

    String sql(String table, String query) {
      return "SELECT " + hint.formatted(table) + query.formatted(table);
    }
  }

  @Option(
      names = "--rows",
      paramLabel = "N",
      defaultValue = "100000",
      description = "Rows of each table, 1,000 to 100,000,000. Default: ${DEFAULT-VALUE}.")
  private int rows;

  @Option(
      names = "--warmups",
      paramLabel = "N",
      defaultValue = "6",
      description = "Warm-up runs of each query, 0 to 1,000. Default: ${DEFAULT-VALUE}.")
  private int warmups;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "15",
      description = "Measured runs of each query, 1 to 1,000. Default: ${DEFAULT-VALUE}.")
  private int rounds;

  @Override
  public List<String> dimensions() {
    return List.of(PREFIXES, QUERY, PLAN);
  }

  @Override
  public List<View> views() {
    return List.of(
        View.of("Time of a query", "time", PLAN, QUERY, PREFIXES)
            .comparedWith(Plan.STOCK.title)
            .linesBy(PREFIXES));
  }

  @Override
  protected void check() throws IOException {
    requireRange("--rows", rows, 1_000, 100_000_000);
    requireRange("--warmups", warmups, 0, 1_000);
    requireRange("--rounds", rounds, 1, 1_000);
    super.check();
    StockJars.classPath();
  }

  @Override
  protected int servers() {
    return 1;
  }

  @Override
  protected long regions() {
    return prefixes().size();
  }

  @Override
  protected int clients() {
    return 2;
  }

  @Override
  protected long diskBytes() {
    return ROW_BYTES * rows() * prefixes().size();
  }

  private int rows() {
    return isQuick() ? 1_000 : rows;
  }

  private List<Integer> prefixes() {
    List<Integer> all = new ArrayList<>();
    for (long number = 1; number <= rows(); number *= isQuick() ? 1_000 : 10) {
      all.add((int) number);
    }
    return all;
  }

  private static Map<String, String> at(int prefixes) {
    Map<String, String> at = new LinkedHashMap<>();
    at.put(PREFIXES, Integer.toString(prefixes));
    return at;
  }

  @Override
  protected void measure(Run run) throws Exception {
    List<Integer> missing =
        prefixes().stream().filter(number -> !run.results().has(at(number))).toList();
    if (missing.isEmpty()) {
      return;
    }
    MeasuredCluster cluster = cluster(run);
    Map<Way, QueryClientMXBean> clients = startClients(cluster, Way.STOCK, Way.EXACT);
    for (int number : missing) {
      String name = tableName("LOOSE_" + number);
      OwnTable table = table(run, cluster, name);
      run.progress()
          .perform(
              "Load %,d prefixes".formatted(number),
              -1,
              done -> {
                table.create(() -> create(cluster, name));
                load(cluster, name, number);
              });
      List<Result> results = new ArrayList<>();
      run.progress()
          .perform(
              "Query %,d prefixes".formatted(number),
              QUERIES.size(),
              done -> {
                for (int i = 0; i < QUERIES.size(); i++) {
                  results.addAll(results(clients, number, name, QUERIES.get(i)));
                  done.accept(i + 1L);
                }
              });
      run.results().add(results);
    }
  }

  private List<Result> results(
      Map<Way, QueryClientMXBean> clients, int prefixes, String table, String query)
      throws IOException {
    List<Result> results = new ArrayList<>();
    times(clients, table, query)
        .forEach(
            (plan, millis) -> {
              Map<String, String> at = at(prefixes);
              at.put(QUERY, query.formatted("T"));
              at.put(PLAN, plan.title);
              results.add(new Result(at, "time", "ms", Summary.of(millis)));
            });
    return results;
  }

  /** Runs a query with all plans in turn. All of them must return the same rows. */
  private Map<Plan, ListStatistics> times(
      Map<Way, QueryClientMXBean> clients, String table, String query) throws IOException {
    Map<Plan, ListStatistics> millis = new EnumMap<>(Plan.class);
    int unmeasured = isQuick() ? 0 : warmups;
    int all = unmeasured + (isQuick() ? 1 : rounds);
    for (int round = 0; round < all; round++) {
      QueryRun first = null;
      for (Plan plan : Plan.values()) {
        String sql = plan.sql(table, query);
        QueryClientMXBean client = Objects.requireNonNull(clients.get(plan.way));
        QueryRun run = client.query(plan.way.name(), sql);
        first = first == null ? run : first;
        if (run.getRows() != first.getRows() || run.getSum() != first.getSum()) {
          throw new IllegalStateException(
              "%s and %s returned different rows: %s".formatted(Plan.STOCK.title, plan.title, sql));
        }
        if (round >= unmeasured) {
          millis.computeIfAbsent(plan, added -> new ListStatistics()).addValue(run.getMillis());
        }
      }
    }
    return millis;
  }

  private static void create(MeasuredCluster cluster, String table) throws SQLException {
    try (Connection connection = cluster.connect(Map.of());
        Statement statement = connection.createStatement()) {
      for (String ddl : ddl(table)) {
        statement.execute(ddl);
      }
    }
  }

  /** Returns CREATE TABLE and CREATE INDEX for {@code table}. */
  static List<String> ddl(String table) {
    return List.of(
        "CREATE TABLE %s (K1 INTEGER NOT NULL, K2 INTEGER NOT NULL, V INTEGER, X VARCHAR"
                .formatted(table)
            + " CONSTRAINT PK PRIMARY KEY (K1, K2)) UPDATE_CACHE_FREQUENCY = 60000",
        "CREATE LOCAL INDEX %1$s_I ON %1$s (K1, V)".formatted(table));
  }

  private void load(MeasuredCluster cluster, String table, int prefixes)
      throws SQLException, IOException {
    SplittableRandom random = new SplittableRandom(seed());
    String text = "x".repeat(100);
    try (Connection connection = cluster.connect(Map.of());
        Admin admin = RegionsTable.admin(connection);
        PreparedStatement upsert =
            connection.prepareStatement("UPSERT INTO %s VALUES (?, ?, ?, ?)".formatted(table))) {
      for (int row = 0; row < rows(); row++) {
        upsert.setInt(1, row % prefixes);
        upsert.setInt(2, row / prefixes);
        upsert.setInt(3, random.nextInt(VALUES));
        upsert.setString(4, text);
        upsert.executeUpdate();
        if ((row + 1) % ROWS_OF_COMMIT == 0) {
          connection.commit();
        }
      }
      connection.commit();
      admin.flush(TableName.valueOf(table));
    }
  }
}
