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
import io.phoenixpruning.perf.choice.QueryRuns.Runs;
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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.jdbc.PhoenixPreparedStatement;
import org.apache.phoenix.jdbc.PhoenixResultSet;
import org.apache.phoenix.pruning.config.PruningOptions;

/**
 * Runs each query with every plan that can answer it, and with the plans that modes exact and stock
 * choose, on a cluster in this JVM. All plans take turns.
 */
public final class PlanChoiceBenchmark {

  private static final String QUICK = "--quick";
  private static final int WARM_UPS = 4;
  private static final int ROUNDS = 9;
  private static final Pattern CANDIDATE = Pattern.compile("CANDIDATE (\\S+):");

  private final EmbeddedCluster cluster;
  private final boolean quick;

  PlanChoiceBenchmark(EmbeddedCluster cluster, boolean quick) {
    this.cluster = cluster;
    this.quick = quick;
  }

  public static void main(String[] arguments) throws Exception {
    boolean quick = List.of(arguments).contains(QUICK);
    List<String> names = Stream.of(arguments).filter(name -> !name.equals(QUICK)).toList();
    List<String> known = Workload.all(quick).stream().map(Workload::name).toList();
    if (!known.containsAll(names)) {
      System.err.println(
          "The arguments are %s. Expected %s or any of %s".formatted(names, QUICK, known));
      System.exit(2);
    }
    Path folder = Files.createTempDirectory("plan-choice-");
    // Also deletes the folder at Ctrl-C.
    Runtime.getRuntime().addShutdownHook(new Thread(() -> FileUtil.fullyDelete(folder.toFile())));
    EmbeddedCluster cluster = new EmbeddedCluster(folder);
    try {
      cluster.start();
      System.out.println(QueryRuns.report(new PlanChoiceBenchmark(cluster, quick).run(names)));
    } finally {
      cluster.abort();
    }
    // Threads of Phoenix are still running.
    System.exit(0);
  }

  /** Runs the workloads in {@code names}, or all workloads if it is empty. */
  List<QueryRuns> run(List<String> names) throws SQLException, IOException {
    List<QueryRuns> all = new ArrayList<>();
    for (Workload workload : Workload.all(quick)) {
      if (names.isEmpty() || names.contains(workload.name())) {
        System.err.println(workload.name());
        Dataset dataset = new Dataset(cluster, workload);
        dataset.create();
        all.addAll(run(workload, workload.name()));
        if (workload.statistics()) {
          dataset.collectStatistics();
          all.addAll(run(workload, workload.name() + ", statistics"));
        }
        dataset.drop();
      }
    }
    return all;
  }

  private List<QueryRuns> run(Workload workload, String title) throws SQLException {
    // The number of rows in a probe's answer depends on how busy the server is. A quick run does
    // not warm up, so it runs without probes. Its RPCs are then the same each time.
    try (Connection exact =
            cluster.connect(
                Map.of(
                    PruningOptions.EXPLAIN_CANDIDATES,
                    "true",
                    PruningOptions.PROBE,
                    String.valueOf(!quick)));
        Connection stock = cluster.connect(Map.of(PruningOptions.MODE, "stock"))) {
      List<QueryRuns> all = new ArrayList<>();
      for (String query : workload.queries()) {
        all.add(run(exact, stock, workload, title, query));
      }
      return all;
    }
  }

  private QueryRuns run(
      Connection exact, Connection stock, Workload workload, String title, String query)
      throws SQLException {
    String select = "SELECT " + query;
    Map<String, Runs> candidates = new LinkedHashMap<>();
    for (String candidate : candidates(exact, select)) {
      candidates.put(candidate, new Runs());
    }
    QueryRuns runs =
        new QueryRuns(
            title,
            query,
            candidates,
            scanned(exact, select),
            new Runs(),
            scanned(stock, select),
            new Runs());
    int warmUps = quick ? 0 : WARM_UPS;
    int rounds = warmUps + (quick ? 1 : ROUNDS);
    for (int round = 0; round < rounds; round++) {
      boolean counts = round >= warmUps;
      ResultRows right = null;
      for (Map.Entry<String, Runs> candidate : candidates.entrySet()) {
        Run run =
            runCompiled(exact, hinted(workload, candidate.getKey(), query), candidates.keySet());
        right = right == null ? run.rows() : right;
        check(run.rows(), right, query, candidate.getKey());
        candidate.getValue().add(run, counts);
      }
      Run chosen = run(exact, select, candidates.keySet());
      check(chosen.rows(), right, query, "the chosen plan");
      runs.exact().add(chosen, counts);
      try {
        Run ofStock = run(stock, select, candidates.keySet());
        runs.stock().add(ofStock, counts);
        if (!ofStock.rows().sameRows(right)) {
          runs.stock().fail("wrong rows");
        }
      } catch (SQLException | RuntimeException e) {
        // Stock is known to fail some queries. A failure is a result.
        runs.stock().fail(e.getClass().getSimpleName());
      }
    }
    return runs;
  }

  private static void check(ResultRows rows, ResultRows right, String query, String plan) {
    if (!rows.sameRows(right)) {
      throw new IllegalStateException(query + " returned wrong rows with " + plan);
    }
  }

  private static String hinted(Workload workload, String candidate, String query) {
    return candidate.equals(workload.name())
        ? "SELECT /*+ NO_INDEX */ " + query
        : "SELECT /*+ INDEX(%s %s) */ ".formatted(workload.name(), candidate) + query;
  }

  /** A run: its rows, its time, and the number of its scan RPCs. */
  record Run(ResultRows rows, double millis, long rpcs) {}

  /** Measures from compiling the SQL to reading the last row. */
  private Run run(Connection connection, String sql, Iterable<String> scanned) throws SQLException {
    long before = rpcs(scanned);
    long start = System.nanoTime();
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      ResultRows rows = ResultRows.read(result);
      return new Run(rows, (System.nanoTime() - start) / 1e6, rpcs(scanned) - before);
    }
  }

  /**
   * Measures from the compiled plan to reading the last row. Compiling is left out, because Phoenix
   * compiles other plans with a hint than without, where it compiles all candidates.
   */
  private Run runCompiled(Connection connection, String sql, Iterable<String> scanned)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      QueryPlan plan = statement.unwrap(PhoenixPreparedStatement.class).optimizeQuery();
      long before = rpcs(scanned);
      long start = System.nanoTime();
      try (ResultSet result =
          new PhoenixResultSet(plan.iterator(), plan.getProjector(), plan.getContext())) {
        ResultRows rows = ResultRows.read(result);
        return new Run(rows, (System.nanoTime() - start) / 1e6, rpcs(scanned) - before);
      }
    }
  }

  /**
   * Returns the number of scan RPCs of the tables. Scans of a local index count for its data table,
   * because the index has no separate table.
   */
  private long rpcs(Iterable<String> tables) {
    long rpcs = 0;
    for (String table : tables) {
      rpcs += cluster.scanRpcs().counts(TableName.valueOf(table)).rpcs();
    }
    return rpcs;
  }

  private static List<String> candidates(Connection connection, String select) throws SQLException {
    List<String> names = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet steps = statement.executeQuery("EXPLAIN " + select)) {
      while (steps.next()) {
        Matcher candidate = CANDIDATE.matcher(steps.getString(1));
        if (candidate.find()) {
          names.add(candidate.group(1));
        }
      }
    }
    return names;
  }

  private static String scanned(Connection connection, String select) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(select)) {
      return statement
          .unwrap(PhoenixPreparedStatement.class)
          .optimizeQuery()
          .getTableRef()
          .getTable()
          .getName()
          .getString();
    }
  }
}
