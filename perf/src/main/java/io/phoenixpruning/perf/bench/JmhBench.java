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

import io.phoenixpruning.perf.harness.Benchmark;
import io.phoenixpruning.perf.harness.Result;
import io.phoenixpruning.perf.harness.StockJars;
import io.phoenixpruning.perf.harness.Summary;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.util.ListStatistics;
import org.openjdk.jmh.util.MultisetStatistics;
import picocli.CommandLine.Option;

/**
 * A benchmark of the client alone, with JMH and without a cluster. Phoenix's own jars and our jars
 * run in separate JVMs, which take turns.
 */
abstract class JmhBench extends Benchmark {

  /** Dimension of the number of regions. */
  protected static final String REGIONS = "regions";

  /** Dimension of the condition of the query. */
  protected static final String CONDITION = "condition";

  /** Dimension of the jars: {@link #STOCK} or exact. */
  protected static final String PLANNER = "planner";

  /** Value of {@link #PLANNER} for Phoenix's own jars. */
  protected static final String STOCK = "stock";

  private static final String EXACT = "exact";
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

  private final Class<?> measured;

  /**
   * Creates the command.
   *
   * @param measured JMH benchmark with one method, and with the parameters {@code regions}, {@code
   *     condition} and {@code mode}
   */
  JmhBench(Class<?> measured) {
    this.measured = measured;
  }

  @Override
  public List<String> dimensions() {
    return List.of(CONDITION, REGIONS, PLANNER);
  }

  @Override
  protected void check() {
    regions.forEach(number -> requireRange("--regions", number, 100, 100_000));
    requireRange("--forks", forks, 1, 100);
    StockJars.classPath();
  }

  /** Returns results of a case in addition to its time and allocation. */
  protected List<Result> otherResults(
      Map<String, String> at, int size, LeadingColumnCondition condition) throws SQLException {
    return List.of();
  }

  @Override
  protected void measure(Run run) throws Exception {
    for (int size : isQuick() ? List.of(100) : List.copyOf(new TreeSet<>(regions))) {
      for (LeadingColumnCondition condition :
          isQuick()
              ? List.of(LeadingColumnCondition.POINT)
              : List.of(LeadingColumnCondition.values())) {
        Map<String, String> of = at(size, condition);
        if (!run.results().has(of)) {
          run.progress()
              .perform(
                  "%,d regions, %s".formatted(size, condition.title()),
                  -1,
                  done -> run.results().add(compare(run.folder(), size, condition)));
        }
      }
    }
  }

  private static Map<String, String> at(int size, LeadingColumnCondition condition) {
    Map<String, String> at = new LinkedHashMap<>();
    at.put(CONDITION, condition.title());
    at.put(REGIONS, Integer.toString(size));
    return at;
  }

  /** The times and the allocated bytes of one planner, over all forks. */
  private record Measured(MultisetStatistics times, ListStatistics allocations) {}

  private List<Result> compare(Path folder, int size, LeadingColumnCondition condition)
      throws RunnerException, SQLException {
    Map<String, Measured> byPlanner = new LinkedHashMap<>();
    for (int fork = 0; fork < (isQuick() ? 1 : forks); fork++) {
      for (String planner : List.of(STOCK, EXACT)) {
        RunResult run = fork(folder, size, condition, planner);
        Measured all =
            byPlanner.computeIfAbsent(
                planner, added -> new Measured(new MultisetStatistics(), new ListStatistics()));
        run.getPrimaryResult()
            .getStatistics()
            .getRawData()
            .forEachRemaining(time -> all.times.addValue(time.getKey(), time.getValue()));
        all.allocations.addValue(
            Objects.requireNonNull(run.getSecondaryResults().get(ALLOCATION), ALLOCATION).getScore()
                / 1024);
      }
    }
    List<Result> results = new ArrayList<>();
    for (Map.Entry<String, Measured> planner : byPlanner.entrySet()) {
      Map<String, String> at = at(size, condition);
      at.put(PLANNER, planner.getKey());
      Measured all = planner.getValue();
      results.add(new Result(at, "time", "µs", Summary.of(all.times)));
      results.add(new Result(at, "allocation", "KiB", Summary.of(all.allocations)));
      results.addAll(otherResults(at, size, condition));
    }
    return results;
  }

  private RunResult fork(Path folder, int size, LeadingColumnCondition condition, String planner)
      throws RunnerException {
    ChainedOptionsBuilder options =
        new OptionsBuilder()
            .include(measured.getName() + "\\.")
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
