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

import io.phoenixpruning.perf.planning.Condition;
import io.phoenixpruning.perf.planning.PlannedTable;
import io.phoenixpruning.perf.planning.PlanningBenchmark;
import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.jdbc.PhoenixPreparedStatement;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.util.ListStatistics;
import org.openjdk.jmh.util.MultisetStatistics;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Implements {@code pruning bench planning}. */
@Command(
    name = "planning",
    description = {
      "Measures planning without a cluster, with JMH: time and allocated bytes from a compiled"
          + " statement to its scans, for tables of up to 100,000 regions. The planner 'stock' is"
          + " stock Phoenix's jars, in JVMs that take turns with ours."
    },
    mixinStandardHelpOptions = true)
final class PlanningBench extends Benchmark {

  private static final String REGIONS = "regions";
  private static final String CONDITION = "condition";
  private static final String PLANNER = "planner";
  private static final String EXACT = "exact";
  private static final String STOCK = "stock";
  private static final String ALLOCATION = "gc.alloc.rate.norm";

  @Option(
      names = "--regions",
      paramLabel = "N",
      split = ",",
      defaultValue = "100,1000,10000,100000",
      description =
          "Numbers of regions of the tables, each 100 to 100,000. Default: ${DEFAULT-VALUE}.")
  private List<Integer> regions;

  @Option(
      names = "--forks",
      paramLabel = "N",
      defaultValue = "2",
      description = "JVMs for each case and planner, 1 to 100. Default: ${DEFAULT-VALUE}.")
  private int forks;

  @Override
  List<String> dimensions() {
    return List.of(CONDITION, REGIONS, PLANNER);
  }

  @Override
  List<View> views() {
    return List.of(
        View.of("Planning time", "time", PLANNER, CONDITION, REGIONS)
            .comparedWith(STOCK)
            .linesBy(REGIONS),
        View.of(
                "Allocation, including compilation of the statement",
                "allocation",
                PLANNER,
                CONDITION,
                REGIONS)
            .comparedWith(STOCK)
            .linesBy(REGIONS),
        View.of(
                "Planned regions (stock: our jars in mode stock)",
                "planned",
                PLANNER,
                CONDITION,
                REGIONS)
            .linesBy(REGIONS));
  }

  @Override
  void check() {
    regions.forEach(number -> inRange("--regions", number, 100, 100_000));
    inRange("--forks", forks, 1, 100);
    StockJars.classPath();
  }

  @Override
  void measure(Run run) throws Exception {
    for (int size : isQuick() ? List.of(100) : List.copyOf(new TreeSet<>(regions))) {
      for (Condition condition :
          isQuick() ? List.of(Condition.POINT) : List.of(Condition.values())) {
        Map<String, String> of = at(size, condition);
        if (!run.results().has(of)) {
          run.progress()
              .run(
                  "%,d regions, %s".formatted(size, condition.title()),
                  -1,
                  done -> {
                    run.results().add(compare(run.folder(), size, condition));
                    return null;
                  });
        }
      }
    }
  }

  private static Map<String, String> at(int size, Condition condition) {
    Map<String, String> at = new LinkedHashMap<>();
    at.put(CONDITION, condition.title());
    at.put(REGIONS, Integer.toString(size));
    return at;
  }

  private List<Result> compare(Path folder, int size, Condition condition)
      throws RunnerException, SQLException {
    Map<String, MultisetStatistics> times = new LinkedHashMap<>();
    Map<String, ListStatistics> allocations = new LinkedHashMap<>();
    for (int fork = 0; fork < (isQuick() ? 1 : forks); fork++) {
      for (String planner : List.of(STOCK, EXACT)) {
        RunResult run = fork(folder, size, condition, planner);
        MultisetStatistics all = times.computeIfAbsent(planner, added -> new MultisetStatistics());
        run.getPrimaryResult()
            .getStatistics()
            .getRawData()
            .forEachRemaining(time -> all.addValue(time.getKey(), time.getValue()));
        allocations
            .computeIfAbsent(planner, added -> new ListStatistics())
            .addValue(run.getSecondaryResults().get(ALLOCATION).getScore() / 1024);
      }
    }
    List<Result> results = new ArrayList<>();
    for (String planner : times.keySet()) {
      Map<String, String> at = at(size, condition);
      at.put(PLANNER, planner);
      results.add(new Result(at, "time", "µs", Summary.of(times.get(planner))));
      results.add(new Result(at, "allocation", "KiB", Summary.of(allocations.get(planner))));
      results.add(
          new Result(at, "planned", "regions", Summary.of(planned(size, condition, planner))));
    }
    return results;
  }

  /** Counts the planned regions. Stock's are counted in this JVM, in mode stock. */
  private static int planned(int size, Condition condition, String mode) throws SQLException {
    try (PlannedTable table =
            new PlannedTable(
                "P_%d_%s_%s".formatted(size, condition, mode),
                size,
                mode,
                "LOCAL INDEX i_%s ON %s (v2)");
        PreparedStatement query = table.query("/*+ INDEX(%s i_%s) */", condition)) {
      QueryPlan plan = query.unwrap(PhoenixPreparedStatement.class).optimizeQuery();
      plan.iterator();
      return plan.getScans().size();
    }
  }

  private RunResult fork(Path folder, int size, Condition condition, String planner)
      throws RunnerException {
    ChainedOptionsBuilder options =
        new OptionsBuilder()
            .include(PlanningBenchmark.class.getName() + "\\.")
            .param(REGIONS, Integer.toString(size))
            .param(CONDITION, condition.name())
            .param("mode", planner)
            .addProfiler(GCProfiler.class)
            .shouldFailOnError(true)
            .forks(1)
            .output(folder.resolve("jmh.log").toString());
    if (isQuick()) {
      options
          .warmupIterations(1)
          .warmupTime(TimeValue.milliseconds(100))
          .measurementIterations(1)
          .measurementTime(TimeValue.milliseconds(200));
    }
    String own = System.getProperty("java.class.path");
    try {
      // JMH passes this JVM's class path to the JVMs that it starts.
      System.setProperty("java.class.path", planner.equals(STOCK) ? StockJars.classPath() : own);
      return new Runner(options.build()).runSingle();
    } finally {
      System.setProperty("java.class.path", own);
    }
  }
}
