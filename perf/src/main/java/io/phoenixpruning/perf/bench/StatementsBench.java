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

import io.phoenixpruning.cli.console.Terminal;
import io.phoenixpruning.perf.harness.RegionsTable;
import io.phoenixpruning.perf.harness.Result;
import io.phoenixpruning.perf.harness.ServersBenchmark;
import io.phoenixpruning.perf.harness.StockJars;
import io.phoenixpruning.perf.harness.Summary;
import io.phoenixpruning.perf.harness.View;
import io.phoenixpruning.perf.harness.cluster.MeasuredCluster;
import io.phoenixpruning.perf.harness.cluster.QueryClientMXBean;
import java.io.IOException;
import java.rmi.RemoteException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.phoenix.util.PhoenixRuntime;
import org.openjdk.jmh.util.ListStatistics;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Implements {@code pruning bench statements}. */
@Command(
    name = "statements",
    description = {
      "Measures statements of each kind on tables of many regions: queries, statements that write,"
          + " UPDATE STATISTICS, and DDL. One client has our jars, and another has stock Phoenix's"
          + " jars. Both have Phoenix's default number of threads and queue size, and a table each."
          + " Servers that the benchmark starts have our jars. An interrupted run starts again from"
          + " the beginning."
    },
    mixinStandardHelpOptions = true)
final class StatementsBench extends ServersBenchmark {

  private static final String STATEMENT = "statement";
  private static final String CLIENT = "client";
  private static final String STOCK = "stock";
  private static final String OURS = "ours";
  private static final String CONNECTION = "";

  /** Estimated bytes of a region on disk, with its write-ahead log. */
  private static final long REGION_BYTES = 32 << 10;

  /** Queries, with {@code %1$s} for the table and {@code %2$s} for its local index. */
  static final List<String> QUERIES =
      List.of(
          "SELECT COUNT(*) FROM %1$s",
          "SELECT /*+ INDEX(%1$s %2$s) */ COUNT(*) FROM %1$s WHERE v2 = 1",
          "SELECT /*+ INDEX(%1$s %2$s) */ pk1 FROM %1$s WHERE v2 = 1",
          "SELECT * FROM %1$s",
          "SELECT * FROM %1$s WHERE v1 >= 0 LIMIT 10",
          "SELECT * FROM %1$s ORDER BY v1 DESC",
          "SELECT v2, COUNT(*) FROM %1$s GROUP BY v2");

  /** Other statements, which run once, in this order. */
  static final List<String> UPDATES =
      List.of(
          "UPDATE STATISTICS %1$s",
          "DELETE FROM %1$s WHERE v2 = 1",
          "UPSERT INTO %1$s SELECT pk1, pk2, v1, v2 + 1 FROM %1$s",
          "CREATE INDEX %1$s_V1 ON %1$s (v1)",
          "DROP TABLE %1$s");

  @Option(
      names = "--regions",
      paramLabel = "N",
      defaultValue = "2000",
      description = "Number of regions of each table, 100 to 100,000. Default: ${DEFAULT-VALUE}.")
  private int regions;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "5",
      description =
          "Measured runs of each query, 1 to 1,000. Other statements run once. Default:"
              + " ${DEFAULT-VALUE}.")
  private int rounds;

  @Override
  public List<String> dimensions() {
    return List.of(STATEMENT, CLIENT);
  }

  @Override
  public List<View> views() {
    return List.of(
        View.of("Time of a statement", "time", CLIENT, STATEMENT).comparedWith(STOCK),
        View.of("Failed statements", "failures", CLIENT, STATEMENT));
  }

  @Override
  protected void check() throws IOException {
    requireRange("--regions", regions, 100, 100_000);
    requireRange("--rounds", rounds, 1, 1_000);
    super.check();
    StockJars.classPath();
  }

  /** Returns the regions of two tables of each client. */
  @Override
  protected long regions() {
    return 4L * regionsOfTable();
  }

  @Override
  protected int clients() {
    return 2;
  }

  @Override
  protected long diskBytes() {
    return regions() * REGION_BYTES;
  }

  private int regionsOfTable() {
    return isQuick() ? 10 : regions;
  }

  private int rounds() {
    return isQuick() ? 1 : rounds;
  }

  /** A client and its table. */
  private record Side(String jars, QueryClientMXBean client, RegionsTable table) {

    String sql(String statement) {
      return statement.formatted(table.name(), index(table));
    }

    double query(String statement) throws IOException {
      return client.query(CONNECTION, sql(statement)).getMillis();
    }

    double update(String statement) throws IOException {
      return client.update(CONNECTION, sql(statement));
    }
  }

  private static String index(RegionsTable table) {
    return table.name() + "_V2";
  }

  private static String title(String statement) {
    return statement.formatted("T", "T_V2");
  }

  /** A run of a statement, which returns milliseconds. */
  private interface Timed {
    double run() throws IOException;
  }

  /** The times of one statement of one client. */
  private static final class Times {

    private final ListStatistics seconds = new ListStatistics();
    private int failures;

    /** Runs a statement. With stock's jars, a failure is a result. */
    void add(Side side, Timed statement, boolean counts) throws IOException {
      try {
        double millis = statement.run();
        if (counts) {
          seconds.addValue(millis / 1e3);
        }
      } catch (IOException e) {
        if (!side.jars.equals(STOCK) || e instanceof RemoteException) {
          throw e;
        }
        Terminal.ERR.println(side.jars + " failed: " + e.getMessage());
        failures += counts ? 1 : 0;
      }
    }

    List<Result> results(String statement, String jars) {
      Map<String, String> at = new LinkedHashMap<>();
      at.put(STATEMENT, statement);
      at.put(CLIENT, jars);
      List<Result> results = new ArrayList<>();
      if (seconds.getN() > 0) {
        results.add(new Result(at, "time", "s", Summary.of(seconds)));
      }
      results.add(new Result(at, "failures", "statements", Summary.of(failures)));
      return results;
    }
  }

  /** Measures everything as one case, because later statements change the tables. */
  @Override
  protected void measure(Run run) throws Exception {
    if (!run.results().all().isEmpty()) {
      return;
    }
    MeasuredCluster cluster = cluster(run);
    List<Side> sides =
        List.of(
            side(run, cluster, STOCK, startStockClient(cluster)),
            side(run, cluster, OURS, startOurClient(cluster, OURS)));
    for (Side side : sides) {
      run.progress()
          .perform(
              "Create %,d regions for %s".formatted(regionsOfTable(), side.jars),
              -1,
              done -> {
                side.table.create(
                    List.of(
                        "CREATE LOCAL INDEX %2$s ON %1$s (v2)"
                            .formatted(side.table.name(), index(side.table))));
                side.table.load(1, seed());
              });
    }
    List<Result> results = new ArrayList<>();
    for (String query : QUERIES) {
      run.progress().perform(title(query), -1, done -> results.addAll(queries(sides, query)));
    }
    for (String update : UPDATES) {
      run.progress()
          .perform(
              title(update),
              -1,
              done -> results.addAll(once(sides, title(update), side -> side.update(update))));
    }
    String title = "CREATE TABLE ... SPLIT ON (%,d keys)".formatted(regionsOfTable() - 1);
    run.progress()
        .perform(
            title,
            -1,
            done -> results.addAll(once(sides, title, side -> createSplit(run, cluster, side))));
    run.results().add(results);
  }

  private Side side(Run run, MeasuredCluster cluster, String jars, QueryClientMXBean client)
      throws IOException {
    client.connect(CONNECTION, Map.of(PhoenixRuntime.AUTO_COMMIT_ATTRIB, "true"));
    String name = "STATEMENTS_" + jars.toUpperCase(Locale.ROOT);
    return new Side(jars, client, table(run, cluster, name, regionsOfTable()));
  }

  /** Runs a query with both clients in turn. The client that starts alternates. */
  private List<Result> queries(List<Side> sides, String query) throws IOException {
    List<Times> times = sides.stream().map(side -> new Times()).toList();
    // The first round only warms up.
    for (int round = 0; round <= rounds(); round++) {
      for (int turn = 0; turn < sides.size(); turn++) {
        int i = (turn + round) % sides.size();
        Side side = sides.get(i);
        times.get(i).add(side, () -> side.query(query), round > 0);
      }
    }
    List<Result> results = new ArrayList<>();
    for (int i = 0; i < sides.size(); i++) {
      results.addAll(times.get(i).results(title(query), sides.get(i).jars));
    }
    return results;
  }

  /** Runs a statement, which returns milliseconds. */
  private interface Statement {
    double run(Side side) throws IOException;
  }

  private static List<Result> once(List<Side> sides, String title, Statement statement)
      throws IOException {
    List<Result> results = new ArrayList<>();
    for (Side side : sides) {
      Times times = new Times();
      times.add(side, () -> statement.run(side), true);
      results.addAll(times.results(title, side.jars));
    }
    return results;
  }

  private double createSplit(Run run, MeasuredCluster cluster, Side side) throws IOException {
    String name = tableName("STATEMENTS_SPLIT_" + side.jars.toUpperCase(Locale.ROOT));
    String splits =
        IntStream.range(1, regionsOfTable())
            .mapToObj(Integer::toString)
            .collect(Collectors.joining(", "));
    double[] millis = new double[1];
    try {
      table(run, cluster, name)
          .create(
              () ->
                  millis[0] =
                      side.client.update(
                          CONNECTION,
                          "CREATE TABLE %s (K INTEGER PRIMARY KEY, V INTEGER) SPLIT ON (%s)"
                              .formatted(name, splits)));
    } catch (SQLException e) {
      throw new IOException(e);
    }
    return millis[0];
  }
}
