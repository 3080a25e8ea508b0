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
import io.phoenixpruning.perf.harness.Way;
import io.phoenixpruning.perf.harness.cluster.MeasuredCluster;
import io.phoenixpruning.perf.harness.cluster.QueryClientMXBean;
import io.phoenixpruning.perf.harness.cluster.QueryRun;
import java.io.IOException;
import java.rmi.RemoteException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.hbase.TableName;
import org.openjdk.jmh.util.ListStatistics;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Implements {@code pruning bench fanout}. */
@Command(
    name = "fanout",
    description = {
      "Measures queries along a local index of tables with many regions: scan RPCs, region lookups"
          + " and latency. Compares four ways: no pruning, a client with stock Phoenix's jars,"
          + " exact pruning, and exact pruning with server probes. Each way has its own client"
          + " process. Servers that the benchmark starts have our jars."
    },
    mixinStandardHelpOptions = true)
final class FanOutBench extends ServersBenchmark {

  private static final String REGIONS = "regions";
  private static final String LAYOUT = "layout";
  private static final String CONDITION = "condition";
  private static final String LOCATIONS = "locations";
  private static final String WAY = "way";
  private static final String NOT_APPLICABLE = "-";

  /** Estimated bytes of a region of the table on disk, with its write-ahead log. */
  private static final long REGION_BYTES = 32 << 10;

  /** Number of regions of the table of a quick run. */
  static final int QUICK_REGIONS = 10;

  /** Warm-up time of each client, before its first measured query. */
  private static final Duration WARM_UP = Duration.ofSeconds(15);

  /** Layout of the index: the columns of its key after the index ID. */
  private enum Layout {
    NATURAL("v2"),
    REARRANGED("pk1, v2");

    private final String columns;

    Layout(String columns) {
      this.columns = columns;
    }

    String title() {
      return name().toLowerCase(Locale.ROOT);
    }

    String index(RegionsTable table) {
      return table.name() + "_" + name();
    }

    String ddl(RegionsTable table) {
      return "CREATE LOCAL INDEX %s ON %s (%s)".formatted(index(table), table.name(), columns);
    }
  }

  @Option(
      names = "--regions",
      paramLabel = "N",
      split = ",",
      defaultValue = "100,500,2000,5000,10000",
      description =
          "Numbers of regions of the tables, each 100 to 100,000. Default: ${DEFAULT-VALUE}.")
  private List<Integer> regions;

  @Option(
      names = "--conditions",
      paramLabel = "CONDITION",
      split = ",",
      defaultValue = "POINT,IN_OF_4,ONE_PERCENT,OR,ARITHMETIC,NONE",
      description =
          "Conditions on the primary key, in addition to the condition on the indexed column. Any"
              + " of ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
  private List<LeadingColumnCondition> conditions;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "7",
      description = "Runs of each query in each way, 1 to 1,000. Default: ${DEFAULT-VALUE}.")
  private int rounds;

  @Option(
      names = "--rows",
      paramLabel = "N",
      defaultValue = "4",
      description = "Rows of each region, 1 to 1,000. Default: ${DEFAULT-VALUE}.")
  private int rows;

  @Override
  public List<String> dimensions() {
    return List.of(LAYOUT, CONDITION, LOCATIONS, REGIONS, WAY);
  }

  @Override
  public List<View> views() {
    String[] at = {LAYOUT, CONDITION, LOCATIONS, REGIONS};
    return List.of(
        View.of("Latency of a query", "latency", WAY, at)
            .comparedWith(Way.STOCK.title())
            .linesBy(REGIONS),
        View.of("Scan RPCs of a query", "rpcs", WAY, at).linesBy(REGIONS),
        View.of("RPCs to hbase:meta of a query", "lookups", WAY, at).linesBy(REGIONS),
        View.of("Rows that stock loses or duplicates, at least", "wrong rows", WAY, at)
            .linesBy(REGIONS),
        View.of("Failed queries", "failures", WAY, at).linesBy(REGIONS),
        View.of("Creation of the table", "creation", WAY, REGIONS).linesBy(REGIONS));
  }

  @Override
  protected void check() throws IOException {
    regions.forEach(number -> requireRange("--regions", number, 100, 100_000));
    requireRange("--rounds", rounds, 1, 1_000);
    requireRange("--rows", rows, 1, 1_000);
    super.check();
    StockJars.classPath();
  }

  @Override
  protected long diskBytes() {
    return sizes().stream().mapToLong(size -> size * REGION_BYTES * (1 + rows / 10)).sum();
  }

  @Override
  protected long regions() {
    return Collections.max(sizes());
  }

  @Override
  protected int clients() {
    return Way.values().length;
  }

  private List<Integer> sizes() {
    return isQuick() ? List.of(QUICK_REGIONS) : List.copyOf(new TreeSet<>(regions));
  }

  private List<LeadingColumnCondition> conditions() {
    return isQuick()
        ? List.of(LeadingColumnCondition.POINT, LeadingColumnCondition.NONE)
        : conditions;
  }

  @Override
  protected void measure(Run run) throws Exception {
    List<Integer> missing = sizes().stream().filter(size -> isMissing(run, size)).toList();
    if (missing.isEmpty()) {
      return;
    }
    MeasuredCluster cluster = cluster(run);
    Map<Way, QueryClientMXBean> clients = startClients(cluster, Way.values());
    boolean isWarm = isQuick();
    for (int size : missing) {
      measure(run, cluster, clients, size, isWarm);
      isWarm = true;
    }
  }

  private boolean isMissing(Run run, int size) {
    return cases(size).stream().anyMatch(at -> !run.results().has(at));
  }

  /** Returns the dimensions of all cases of a table, without the way. */
  private List<Map<String, String>> cases(int size) {
    List<Map<String, String>> cases = new ArrayList<>();
    for (Layout layout : Layout.values()) {
      for (LeadingColumnCondition condition : conditions()) {
        for (boolean cold : new boolean[] {false, true}) {
          cases.add(at(layout.title(), condition.title(), cold ? "cold" : "warm", size));
        }
      }
    }
    return cases;
  }

  private static Map<String, String> at(
      String layout, String condition, String locations, int size) {
    Map<String, String> at = new LinkedHashMap<>();
    at.put(LAYOUT, layout);
    at.put(CONDITION, condition);
    at.put(LOCATIONS, locations);
    at.put(REGIONS, Integer.toString(size));
    return at;
  }

  private static Result result(
      Map<String, String> of, String way, String measure, String unit, Summary summary) {
    Map<String, String> at = new LinkedHashMap<>(of);
    at.put(WAY, way);
    return new Result(at, measure, unit, summary);
  }

  private void measure(
      Run run,
      MeasuredCluster cluster,
      Map<Way, QueryClientMXBean> clients,
      int size,
      boolean isWarm)
      throws Exception {
    RegionsTable table = table(run, cluster, "FANOUT_" + size, size);
    String title = "%,d regions".formatted(size);
    long start = System.nanoTime();
    run.progress()
        .perform(
            "Create " + title,
            -1,
            done -> {
              List<String> indexes = new ArrayList<>();
              for (Layout layout : Layout.values()) {
                indexes.add(layout.ddl(table));
              }
              table.create(indexes);
            });
    double seconds = (System.nanoTime() - start) / 1e9;
    Map<String, String> creation = at(NOT_APPLICABLE, NOT_APPLICABLE, NOT_APPLICABLE, size);
    if (!run.results().has(creation)) {
      run.results()
          .add(List.of(result(creation, NOT_APPLICABLE, "creation", "s", Summary.of(seconds))));
    }
    run.progress().perform("Load " + title, -1, done -> table.load(rows, seed()));
    if (!isWarm) {
      String query = query(table, size, Layout.NATURAL, LeadingColumnCondition.NONE);
      run.progress()
          .run(
              "Warm up",
              -1,
              done -> new Case(cluster, clients, table, query, false, false, WARM_UP).runWarm());
    }
    run.progress()
        .perform(
            "Query " + title,
            cases(size).size(),
            done -> {
              int ended = 0;
              for (Layout layout : Layout.values()) {
                for (LeadingColumnCondition condition : conditions()) {
                  for (boolean cold : new boolean[] {false, true}) {
                    Map<String, String> at =
                        at(layout.title(), condition.title(), cold ? "cold" : "warm", size);
                    if (!run.results().has(at)) {
                      String query = query(table, size, layout, condition);
                      run.results()
                          .add(
                              new Case(
                                      cluster, clients, table, query, cold, isQuick(), warmUp(cold))
                                  .measure(at, rounds(), seed()));
                    }
                    done.accept(++ended);
                  }
                }
              }
            });
    run.progress()
        .perform(
            "Delete " + title,
            -1,
            done -> {
              if (cluster.isExternal()) {
                table.drop();
              } else {
                table.delete();
              }
            });
  }

  private static String query(
      RegionsTable table, int size, Layout layout, LeadingColumnCondition condition) {
    return "SELECT /*+ INDEX(%s %s) */ pk1, pk2 FROM %s %s"
        .formatted(
            table.name(), layout.index(table), table.name(), condition.where("v2 = 5", size));
  }

  private int rounds() {
    return isQuick() ? 1 : rounds;
  }

  private Duration warmUp(boolean cold) {
    return isQuick() || cold ? Duration.ZERO : Duration.ofSeconds(2);
  }

  /** A query that is run in all ways. */
  private record Case(
      MeasuredCluster cluster,
      Map<Way, QueryClientMXBean> clients,
      RegionsTable table,
      String query,
      boolean cold,
      boolean isQuick,
      Duration warmUp) {

    /** Minimum number of runs to warm up. */
    private static final int WARM_UPS = 2;

    private static final int QUICK_WARM_UPS = 1;

    private static final class Runs {
      private final ListStatistics millis = new ListStatistics();
      private final ListStatistics rpcs = new ListStatistics();
      private final ListStatistics lookups = new ListStatistics();
      private final ListStatistics wrongRows = new ListStatistics();
      private int failures;
    }

    /** Runs the query in all ways. Each round has a different random order of the ways. */
    List<Result> measure(Map<String, String> at, int rounds, long seed) throws IOException {
      Map<Way, Runs> all = new EnumMap<>(Way.class);
      for (Way way : Way.values()) {
        all.put(way, new Runs());
      }
      QueryRun expected = runWarm();
      if (expected.getRows() == 0) {
        throw new IllegalStateException("No row to compare with: " + query);
      }
      List<Map.Entry<Way, Runs>> order = new ArrayList<>(all.entrySet());
      Random random = new Random(seed);
      for (int round = 0; round < rounds; round++) {
        Collections.shuffle(order, random);
        for (Map.Entry<Way, Runs> runs : order) {
          Way way = runs.getKey();
          Optional<QueryRun> run = run(way, runs.getValue());
          if (run.isPresent()) {
            runs.getValue().wrongRows.addValue(wrongRows(way, run.get(), expected));
          }
        }
      }
      List<Result> results = new ArrayList<>();
      all.forEach((way, runs) -> add(results, at, way.title(), runs, rounds));
      return results;
    }

    private int warmUps() {
      return isQuick ? QUICK_WARM_UPS : WARM_UPS;
    }

    /**
     * Runs the query in all ways to warm up. Otherwise, a client that has run fewer scans would be
     * slower. Returns the result without pruning.
     */
    QueryRun runWarm() throws IOException {
      Optional<QueryRun> expected = Optional.empty();
      for (Way way : Way.values()) {
        long start = System.nanoTime();
        for (int i = 0; i < warmUps() || System.nanoTime() - start < warmUp.toNanos(); i++) {
          Optional<QueryRun> run = run(way, new Runs());
          if (way == Way.NONE) {
            expected = run;
          }
        }
      }
      return expected.orElseThrow();
    }

    /** Runs the query once. Returns empty if it failed with stock, which is a result. */
    private Optional<QueryRun> run(Way way, Runs runs) throws IOException {
      QueryClientMXBean client = Objects.requireNonNull(clients.get(way));
      if (cold) {
        client.forgetLocations(way.name(), table.name());
      }
      long rpcs = cluster.scanRpcs(table.hbaseName());
      long lookups = cluster.scanRpcs(TableName.META_TABLE_NAME);
      try {
        QueryRun run = client.query(way.name(), query);
        runs.millis.addValue(run.getMillis());
        runs.rpcs.addValue(cluster.scanRpcs(table.hbaseName()) - rpcs);
        runs.lookups.addValue(cluster.scanRpcs(TableName.META_TABLE_NAME) - lookups);
        return Optional.of(run);
      } catch (IOException e) {
        if (way != Way.STOCK || e instanceof RemoteException) {
          throw e;
        }
        Terminal.ERR.println(way.title() + " failed: " + e.getMessage());
        runs.failures++;
        awaitOpenScans();
        return Optional.empty();
      }
    }

    /**
     * Waits for the scans that a failed query of stock has left running. Otherwise they would be
     * counted for the next query.
     */
    private void awaitOpenScans() throws IOException {
      long before = -1;
      for (long now = 0; now != before; now = cluster.scanRpcs(table.hbaseName())) {
        before = now;
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200));
      }
    }

    private long wrongRows(Way way, QueryRun run, QueryRun expected) {
      if (run.getRows() == expected.getRows() && run.getSum() == expected.getSum()) {
        return 0;
      }
      if (way != Way.STOCK) {
        throw new IllegalStateException(
            "%s returned wrong rows. Count: %d. Expected %d. Query: %s"
                .formatted(way.title(), run.getRows(), expected.getRows(), query));
      }
      return Math.max(1, Math.abs(run.getRows() - expected.getRows()));
    }

    private static void add(
        List<Result> results, Map<String, String> at, String way, Runs runs, int rounds) {
      if (runs.millis.getN() > 0) {
        results.add(result(at, way, "latency", "ms", Summary.of(runs.millis)));
        results.add(result(at, way, "rpcs", "RPCs", Summary.of(runs.rpcs)));
        results.add(result(at, way, "lookups", "RPCs", Summary.of(runs.lookups)));
      }
      if (runs.wrongRows.getSum() > 0) {
        results.add(result(at, way, "wrong rows", "rows", Summary.of(runs.wrongRows)));
      }
      if (runs.failures > 0) {
        results.add(result(at, way, "failures", "of " + rounds, Summary.of(runs.failures)));
      }
    }
  }
}
