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
import io.phoenixpruning.perf.planning.PlanChoiceCostBenchmark;
import io.phoenixpruning.perf.planning.PlanningBenchmark;
import io.phoenixpruning.perf.planning.RegionWalkBenchmark;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.util.Statistics;

/**
 * Runs the planning benchmarks and prints their medians as Markdown tables. {@code --quick} only
 * checks that they run: it takes seconds and measures nothing worth quoting. Other arguments are
 * regular expressions that select benchmarks by name. Without one, all benchmarks run.
 */
public final class Benchmarks {

  private static final String QUICK = "--quick";
  private static final String MODE = "mode";
  private static final String CLASS_PATH = "java.class.path";

  private Benchmarks() {}

  public static void main(String[] arguments) throws RunnerException {
    List<String> names = Stream.of(arguments).filter(name -> !name.equals(QUICK)).toList();
    print(run(names, names.size() < arguments.length), System.out);
  }

  /**
   * Runs the benchmarks whose names match {@code names}. Unless {@code quick}, mode stock is
   * measured in JVMs with Phoenix's own jars.
   *
   * @param names regular expressions; if empty, all benchmarks run
   * @param quick whether to run in this JVM, once, with few regions
   */
  static Collection<RunResult> run(List<String> names, boolean quick) throws RunnerException {
    List<Class<?>> planners =
        matching(names, PlanningBenchmark.class, PlanChoiceCostBenchmark.class);
    List<Class<?>> walks = matching(names, RegionWalkBenchmark.class);
    if (quick) {
      return run(
          Stream.concat(planners.stream(), walks.stream()).toList(),
          new OptionsBuilder()
              .forks(0)
              .warmupIterations(0)
              .measurementIterations(1)
              .measurementTime(TimeValue.milliseconds(20))
              .param("regions", "100", "1000"));
    }
    List<RunResult> results = new ArrayList<>(run(walks, new OptionsBuilder()));
    results.addAll(run(planners, new OptionsBuilder().param(MODE, "exact")));
    String own = System.getProperty(CLASS_PATH);
    try {
      // JMH passes this JVM's class path to the JVMs that it forks.
      System.setProperty(CLASS_PATH, StockJars.classPath());
      results.addAll(run(planners, new OptionsBuilder().param(MODE, "stock")));
    } finally {
      System.setProperty(CLASS_PATH, own);
    }
    return results;
  }

  private static List<Class<?>> matching(List<String> names, Class<?>... benchmarks) {
    return Stream.of(benchmarks)
        .filter(
            benchmark ->
                names.isEmpty()
                    || names.stream()
                        .anyMatch(
                            name ->
                                Pattern.compile(name).matcher(benchmark.getSimpleName()).find()))
        .collect(Collectors.toList());
  }

  private static Collection<RunResult> run(List<Class<?>> benchmarks, ChainedOptionsBuilder options)
      throws RunnerException {
    if (benchmarks.isEmpty()) {
      // Without a name, JMH runs every benchmark.
      return List.of();
    }
    benchmarks.forEach(benchmark -> options.include(benchmark.getName() + "\\."));
    return new Runner(options.shouldFailOnError(true).build()).run();
  }

  /** Prints one table for each benchmark: a line per condition and mode, a column per size. */
  static void print(Collection<RunResult> results, PrintStream out) {
    Map<String, Map<Row, Map<Integer, RunResult>>> tables = new TreeMap<>();
    for (RunResult result : results) {
      BenchmarkParams params = result.getParams();
      tables
          .computeIfAbsent(simpleName(params), name -> new TreeMap<>())
          .computeIfAbsent(Row.of(params), row -> new TreeMap<>())
          .put(Integer.valueOf(params.getParam("regions")), result);
    }
    tables.forEach((name, table) -> print(name, table, out));
  }

  private static void print(String name, Map<Row, Map<Integer, RunResult>> table, PrintStream out) {
    out.printf("%n%s, microseconds: median (tenth to ninetieth percentile)%n%n", name);
    Map<Integer, RunResult> first = table.values().iterator().next();
    out.println(line("", first.keySet().stream().map("%,d regions"::formatted)));
    out.println(line("---", first.keySet().stream().map(regions -> "---:")));
    table.forEach(
        (row, results) ->
            out.println(line(row.title(), results.values().stream().map(Benchmarks::summary))));
  }

  private static String line(String title, Stream<String> cells) {
    return cells.collect(Collectors.joining(" | ", "| " + title + " | ", " |"));
  }

  private static String simpleName(BenchmarkParams params) {
    String method = params.getBenchmark();
    String type = method.substring(0, method.lastIndexOf('.'));
    return type.substring(type.lastIndexOf('.') + 1);
  }

  private static String summary(RunResult result) {
    Statistics times = result.getPrimaryResult().getStatistics();
    return "%s (%s to %s)"
        .formatted(
            text(times.getPercentile(50)),
            text(times.getPercentile(10)),
            text(times.getPercentile(90)));
  }

  private static String text(double microseconds) {
    return (microseconds < 100 ? "%.1f" : "%,.0f").formatted(microseconds);
  }

  /**
   * A line of a table. Lines are sorted by condition, in the order of {@link Condition}, and then
   * by mode.
   *
   * @param mode pruning mode; empty for a benchmark of the engine alone
   */
  private record Row(Condition condition, String mode) implements Comparable<Row> {

    private static final Comparator<Row> ORDER =
        Comparator.comparing(Row::condition).thenComparing(Row::mode);

    static Row of(BenchmarkParams params) {
      return new Row(
          Condition.valueOf(params.getParam("condition")),
          Objects.requireNonNullElse(params.getParam(MODE), ""));
    }

    String title() {
      return mode.isEmpty() ? condition.title() : condition.title() + ", " + mode;
    }

    @Override
    public int compareTo(Row other) {
      return ORDER.compare(this, other);
    }
  }
}
