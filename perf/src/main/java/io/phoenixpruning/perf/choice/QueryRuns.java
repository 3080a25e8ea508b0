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

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.openjdk.jmh.util.ListStatistics;

/**
 * The runs of a query under each candidate plan, by hints, and as exact mode and stock run it.
 *
 * @param workload its name, and whether there were statistics
 * @param candidates in exact mode, once they are compiled, by the name of what they scan
 * @param exactScans what the plan scans that exact mode chooses
 * @param exact without hints, with the time that it takes to compile all candidates and to choose
 * @param stockScans what the plan scans that stock chooses
 * @param stock without hints, in mode stock
 */
record QueryRuns(
    String workload,
    String query,
    Map<String, Runs> candidates,
    String exactScans,
    Runs exact,
    String stockScans,
    Runs stock) {

  /** The runs of one plan. */
  static final class Runs {

    private final ListStatistics millis = new ListStatistics();
    private long rpcs;
    private String failure;

    /** Adds a run, unless it was to warm up; the RPCs of the last one count. */
    void add(PlanChoiceBenchmark.Run run, boolean counts) {
      if (counts) {
        millis.addValue(run.millis());
        rpcs = run.rpcs();
      }
    }

    void fail(String failure) {
      this.failure = failure;
    }

    boolean isFailed() {
      return failure != null;
    }

    long rpcs() {
      return rpcs;
    }

    double median() {
      return millis.getPercentile(50);
    }

    @Override
    public String toString() {
      return failure != null
          ? failure
          : "%d RPC, %.1f (%.1f to %.1f)"
              .formatted(rpcs, median(), millis.getPercentile(10), millis.getPercentile(90));
    }
  }

  /** What is to be reached: RPCs and time, as a ratio to those of the best candidate. */
  private static final double GOOD = 1.3;

  /** The candidate with the lowest median. */
  Map.Entry<String, Runs> best() {
    return candidates.entrySet().stream()
        .min(Comparator.comparingDouble(candidate -> candidate.getValue().median()))
        .orElseThrow();
  }

  /** The greater of the ratios of time and of RPCs of a candidate to the best one. */
  private double ratio(String candidate) {
    Runs best = best().getValue();
    Runs chosen = candidates.get(candidate);
    return Math.max(
        chosen.median() / best.median(), (double) chosen.rpcs() / Math.max(1, best.rpcs()));
  }

  double exactRatio() {
    return ratio(exactScans);
  }

  /** Infinite if stock fails, or returns other rows than all candidates. */
  double stockRatio() {
    return stock.isFailed() ? Double.POSITIVE_INFINITY : ratio(stockScans);
  }

  private static String summary(List<QueryRuns> all, ToDoubleFunction<QueryRuns> ratio) {
    long good = all.stream().filter(query -> ratio.applyAsDouble(query) <= GOOD).count();
    return "%d (%.1f %%), at worst %.2f times"
        .formatted(
            good, 100.0 * good / all.size(), all.stream().mapToDouble(ratio).max().orElse(0));
  }

  /** A Markdown table, and how often each mode chose well. */
  static String report(List<QueryRuns> all) {
    StringBuilder text =
        new StringBuilder(
            "| workload | query | candidates: RPC, ms | exact | stock |\n|---|---|---|---|---|\n");
    for (QueryRuns query : all) {
      text.append(
          "| %s | `%s` | %s | %s, **%.2f**; %s | %s, **%.2f**; %s |\n"
              .formatted(
                  query.workload(),
                  query.query(),
                  query.candidates().entrySet().stream()
                      .map(candidate -> candidate.getKey() + ": " + candidate.getValue())
                      .collect(Collectors.joining("; ")),
                  query.exactScans(),
                  query.exactRatio(),
                  query.exact(),
                  query.stockScans(),
                  query.stockRatio(),
                  query.stock()));
    }
    return text.append(
            "\n%d queries. Within %.1f times the RPCs and the time of the best candidate:%n"
                .formatted(all.size(), GOOD))
        .append(
            "exact %s; stock %s.%n"
                .formatted(
                    summary(all, QueryRuns::exactRatio), summary(all, QueryRuns::stockRatio)))
        .toString();
  }
}
