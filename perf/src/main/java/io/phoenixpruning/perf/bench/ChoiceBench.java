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

import io.phoenixpruning.cli.console.RefusedException;
import io.phoenixpruning.cli.console.Terminal;
import io.phoenixpruning.perf.harness.OwnTable;
import io.phoenixpruning.perf.harness.Result;
import io.phoenixpruning.perf.harness.StockJars;
import io.phoenixpruning.perf.harness.Summary;
import io.phoenixpruning.perf.harness.UrlBenchmark;
import io.phoenixpruning.perf.harness.View;
import io.phoenixpruning.perf.harness.cluster.MeasuredCluster;
import io.phoenixpruning.perf.harness.cluster.QueryClientMXBean;
import io.phoenixpruning.perf.harness.cluster.QueryRun;
import java.io.IOException;
import java.rmi.RemoteException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.TableName;
import org.apache.phoenix.pruning.config.PruningOptions;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.util.ListStatistics;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Implements {@code pruning bench choice}. */
@Command(
    name = "choice",
    description = {
      "Compares the plans that our jars and stock Phoenix's jars choose with the fastest plan. Runs"
          + " each query with every plan that can answer it, and as each client chooses. All of"
          + " these take turns. The ratio of a choice is the time or the RPCs of the chosen plan,"
          + " divided by those of the fastest plan, whichever is greater. Plans with a hint are"
          + " compiled before the time starts."
    },
    mixinStandardHelpOptions = true)
final class ChoiceBench extends UrlBenchmark {

  private static final String WORKLOAD = "workload";
  private static final String QUERY = "query";
  private static final String PLAN = "plan";

  /** Value of {@link #PLAN} for the candidate with the lowest median time. */
  private static final String BEST = "best";

  private static final String EXACT = "exact";
  private static final String STOCK = "stock";
  private static final String CONNECTION = "choice";

  /** Maximum ratio of a good choice. */
  private static final double GOOD = 1.3;

  /** Estimated bytes of a row on disk, with its indexes and its write-ahead log. */
  private static final long ROW_BYTES = 2_000;

  /** Line of EXPLAIN about a plan that can answer the query. */
  static final Pattern CANDIDATE = Pattern.compile("CANDIDATE (\\S+):");

  @Option(
      names = "--workloads",
      paramLabel = "NAME",
      split = ",",
      description =
          "Tables to measure: any of BOTH_LAYOUTS, LOCAL_AND_GLOBAL, COVERED, FEW_REGIONS,"
              + " MANY_REGIONS, SALTED, TEXT_KEYS. Default: all.")
  private @Nullable List<String> workloads;

  @Option(
      names = "--warmups",
      paramLabel = "N",
      defaultValue = "4",
      description = "Warm-up runs of each plan, 0 to 1,000. Default: ${DEFAULT-VALUE}.")
  private int warmups;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "9",
      description = "Measured runs of each plan, 1 to 1,000. Default: ${DEFAULT-VALUE}.")
  private int rounds;

  @Override
  public List<String> dimensions() {
    return List.of(WORKLOAD, QUERY, PLAN);
  }

  @Override
  public List<View> views() {
    return List.of(
        View.of("Queries with a ratio of at most 1.3", "good", PLAN, WORKLOAD),
        View.of("Ratio of the chosen plan to the best", "ratio", PLAN, WORKLOAD, QUERY),
        View.of("Time of a query", "time", PLAN, WORKLOAD, QUERY).comparedWith(BEST),
        View.of("Scan RPCs of a query", "rpcs", PLAN, WORKLOAD, QUERY),
        View.of("Failures and wrong rows", "failures", PLAN, WORKLOAD, QUERY));
  }

  @Override
  protected void check() throws IOException {
    requireRange("--warmups", warmups, 0, 1_000);
    requireRange("--rounds", rounds, 1, 1_000);
    List<String> known = ChoiceWorkload.all(false).stream().map(ChoiceWorkload::name).toList();
    if (workloads != null && !known.containsAll(workloads)) {
      throw new RefusedException(
          "--workloads is %s. Expected any of %s".formatted(workloads, known));
    }
    super.check();
    StockJars.classPath();
  }

  @Override
  protected int servers() {
    return 1;
  }

  /** Returns the regions of the largest table and its global index. */
  @Override
  protected long regions() {
    return workloads().stream().mapToInt(ChoiceWorkload::regions).max().orElseThrow() + 16L;
  }

  @Override
  protected int clients() {
    return 2;
  }

  @Override
  protected long diskBytes() {
    return workloads().stream()
        .mapToLong(workload -> ROW_BYTES * workload.rows() * (workload.statistics() ? 2 : 1))
        .sum();
  }

  private List<ChoiceWorkload> workloads() {
    return ChoiceWorkload.all(isQuick()).stream()
        .filter(workload -> workloads == null || workloads.contains(workload.name()))
        .toList();
  }

  /** A workload on a table with or without statistics. */
  private record Case(ChoiceWorkload workload, boolean statistics) {

    String title() {
      return workload.name() + (statistics ? ", statistics" : "");
    }

    String table() {
      return tableName("CHOICE_" + workload.name() + (statistics ? "_STATISTICS" : ""));
    }
  }

  private List<Case> cases() {
    List<Case> cases = new ArrayList<>();
    for (ChoiceWorkload workload : workloads()) {
      cases.add(new Case(workload, false));
      if (workload.statistics()) {
        cases.add(new Case(workload, true));
      }
    }
    return cases;
  }

  private static Map<String, String> at(Case of) {
    Map<String, String> at = new LinkedHashMap<>();
    at.put(WORKLOAD, of.title());
    return at;
  }

  private static Map<String, String> at(Case of, String query, String plan) {
    Map<String, String> at = at(of);
    at.put(QUERY, query);
    at.put(PLAN, plan);
    return at;
  }

  @Override
  protected void measure(Run run) throws Exception {
    List<Case> missing = cases().stream().filter(of -> !run.results().has(at(of))).toList();
    if (missing.isEmpty()) {
      return;
    }
    MeasuredCluster cluster = cluster(run);
    QueryClientMXBean stock = startStockClient(cluster);
    QueryClientMXBean exact = startOurClient(cluster, EXACT);
    stock.connect(CONNECTION, Map.of());
    // The number of rows in a probe's answer depends on how busy the server is. A quick run does
    // not warm up, so it runs without probes. Its RPCs are then the same each time.
    exact.connect(
        CONNECTION,
        Map.of(
            PruningOptions.EXPLAIN_CANDIDATES,
            "true",
            PruningOptions.PROBE,
            Boolean.toString(!isQuick())));
    for (Case of : missing) {
      ChoiceTable table = new ChoiceTable(cluster, of.workload, of.table());
      OwnTable own = table(run, cluster, of.table());
      run.progress()
          .perform(
              "Load " + of.title(),
              -1,
              done -> {
                own.create(table::create);
                table.load(seed());
                if (of.statistics) {
                  table.collectStatistics();
                }
              });
      List<Choice> choices = new ArrayList<>();
      List<String> queries = of.workload.queries();
      run.progress()
          .perform(
              "Query " + of.title(),
              queries.size(),
              done -> {
                for (String query : queries) {
                  choices.add(new Choice(cluster, exact, stock, of, query));
                  choices.get(choices.size() - 1).run(unmeasured(), rounds());
                  done.accept(choices.size());
                }
              });
      run.results().add(results(of, choices));
      own.drop();
    }
  }

  private int unmeasured() {
    return isQuick() ? 0 : warmups;
  }

  private int rounds() {
    return isQuick() ? 1 : rounds;
  }

  private static List<Result> results(Case of, List<Choice> choices) {
    List<Result> results = new ArrayList<>();
    for (Choice choice : choices) {
      results.addAll(choice.results());
    }
    for (String plan : List.of(STOCK, EXACT)) {
      double good = choices.stream().filter(choice -> choice.isGood(plan)).count();
      results.add(
          new Result(
              at(of, "", plan),
              "good",
              "% of the queries",
              Summary.of(100 * good / choices.size())));
    }
    return results;
  }

  /** The runs of one plan. */
  private static final class Runs {

    private final ListStatistics millis = new ListStatistics();
    private long rpcs;
    private int failures;

    double median() {
      return millis.getPercentile(50);
    }
  }

  /** Runs a query on a client. */
  private interface Execution {
    QueryRun run() throws IOException;
  }

  /** A query, which is run with each candidate plan and with the plans that are chosen. */
  private static final class Choice {

    private final MeasuredCluster cluster;
    private final QueryClientMXBean exact;
    private final QueryClientMXBean stock;
    private final Case of;
    private final String query;
    private final Map<String, Runs> candidates = new LinkedHashMap<>();
    private final Map<String, String> scanned = new LinkedHashMap<>();
    private final Map<String, Runs> chosen = new LinkedHashMap<>();

    Choice(
        MeasuredCluster cluster,
        QueryClientMXBean exact,
        QueryClientMXBean stock,
        Case of,
        String query)
        throws IOException {
      this.cluster = cluster;
      this.exact = exact;
      this.stock = stock;
      this.of = of;
      this.query = query;
      for (String line : exact.explain(CONNECTION, select(""))) {
        Matcher candidate = CANDIDATE.matcher(line);
        if (candidate.find()) {
          candidates.put(candidate.group(1), new Runs());
        }
      }
      scanned.put(EXACT, exact.scannedTable(CONNECTION, select("")));
      scanned.put(STOCK, stock.scannedTable(CONNECTION, select("")));
      if (!candidates.keySet().containsAll(scanned.values())) {
        throw new IllegalStateException(
            "The candidates of %s are %s. Expected %s among them"
                .formatted(query, candidates.keySet(), scanned));
      }
      chosen.put(EXACT, new Runs());
      chosen.put(STOCK, new Runs());
    }

    private String select(String hint) {
      return "SELECT " + hint + query.formatted(of.table());
    }

    private String hinted(String candidate) {
      return select(
          candidate.equals(of.table())
              ? "/*+ NO_INDEX */ "
              : "/*+ INDEX(%s %s) */ ".formatted(of.table(), candidate));
    }

    /** Runs all plans in turn. All candidates must return the same rows. */
    void run(int unmeasured, int rounds) throws IOException {
      for (int round = 0; round < unmeasured + rounds; round++) {
        boolean counts = round >= unmeasured;
        List<QueryRun> runs = new ArrayList<>();
        for (Map.Entry<String, Runs> candidate : candidates.entrySet()) {
          String sql = hinted(candidate.getKey());
          QueryRun run =
              run(candidate.getValue(), counts, () -> exact.queryCompiled(CONNECTION, sql));
          runs.add(run);
          check(run, runs.get(0), candidate.getKey());
        }
        QueryRun expected = runs.get(0);
        check(
            run(chosen(EXACT), counts, () -> exact.query(CONNECTION, select(""))),
            expected,
            "the chosen plan");
        runStock(counts, expected);
      }
    }

    /** Runs the query with stock's jars, where failures and wrong rows are results. */
    private void runStock(boolean counts, QueryRun expected) throws IOException {
      Runs runs = chosen(STOCK);
      try {
        QueryRun run = run(runs, counts, () -> stock.query(CONNECTION, select("")));
        runs.failures += isSame(run, expected) ? 0 : 1;
      } catch (IOException e) {
        if (e instanceof RemoteException) {
          throw e;
        }
        Terminal.ERR.println(STOCK + " failed: " + e.getMessage());
        runs.failures++;
      }
    }

    private QueryRun run(Runs runs, boolean counts, Execution execution) throws IOException {
      long before = rpcs();
      QueryRun run = execution.run();
      if (counts) {
        runs.millis.addValue(run.getMillis());
        runs.rpcs = rpcs() - before;
      }
      return run;
    }

    /**
     * Returns the number of scan RPCs so far. Scans of a local index count for its data table,
     * because the index has no separate table.
     */
    private long rpcs() throws IOException {
      long rpcs = 0;
      for (String candidate : candidates.keySet()) {
        rpcs += cluster.scanRpcs(TableName.valueOf(candidate));
      }
      return rpcs;
    }

    private static boolean isSame(QueryRun run, QueryRun expected) {
      return run.getRows() == expected.getRows() && run.getSum() == expected.getSum();
    }

    private void check(QueryRun run, QueryRun expected, String plan) {
      if (!isSame(run, expected)) {
        throw new IllegalStateException(
            "%s returned wrong rows with %s".formatted(select(""), plan));
      }
    }

    private Runs chosen(String plan) {
      return Objects.requireNonNull(chosen.get(plan));
    }

    private Runs best() {
      return candidates.values().stream()
          .min(Comparator.comparingDouble(Runs::median))
          .orElseThrow();
    }

    /** Returns the ratio of a choice to the best candidate, with both plans compiled. */
    private double ratio(String plan) {
      Runs best = best();
      Runs runs = Objects.requireNonNull(candidates.get(scanned.get(plan)));
      return Math.max(runs.median() / best.median(), (double) runs.rpcs / Math.max(1, best.rpcs));
    }

    boolean isGood(String plan) {
      return chosen(plan).failures == 0 && ratio(plan) <= GOOD;
    }

    List<Result> results() {
      Map<String, Runs> all = new LinkedHashMap<>();
      all.put(BEST, best());
      all.putAll(chosen);
      String title = query.formatted("T");
      List<Result> results = new ArrayList<>();
      all.forEach(
          (plan, runs) -> {
            Map<String, String> at = at(of, title, plan);
            if (runs.millis.getN() > 0) {
              results.add(new Result(at, "time", "ms", Summary.of(runs.millis)));
              results.add(new Result(at, "rpcs", "RPCs", Summary.of(runs.rpcs)));
            }
            if (runs.failures > 0) {
              results.add(new Result(at, "failures", "runs", Summary.of(runs.failures)));
            }
          });
      for (String plan : chosen.keySet()) {
        results.add(new Result(at(of, title, plan), "ratio", "", Summary.of(ratio(plan))));
      }
      return results;
    }
  }
}
