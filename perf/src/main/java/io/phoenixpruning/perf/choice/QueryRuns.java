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
 * The runs of a query with each candidate plan, by hints, and without hints in modes exact and
 * stock.
 *
 * @param workload name of the workload, and whether statistics were collected
 * @param candidates runs in mode exact, without compiling, by the name of the table or index that
 *     is scanned
 * @param exactScans name of the table or index that the plan chosen in mode exact scans
 * @param exact runs in mode exact without hints, including the time to compile all candidates and
 *     to choose
 * @param stockScans name of the table or index that the plan chosen in mode stock scans
 * @param stock runs in mode stock without hints
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

    /** Adds a run, unless it only warms up. The RPCs of the last run count. */
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

  /** Target for RPCs and time, as a ratio to those of the best candidate. */
  private static final double GOOD = 1.3;

  /** Returns the candidate with the lowest median time. */
  Map.Entry<String, Runs> best() {
    return candidates.entrySet().stream()
        .min(Comparator.comparingDouble(candidate -> candidate.getValue().median()))
        .orElseThrow();
  }

  /** Returns the ratio of time or of RPCs of a candidate to the best one, whichever is greater. */
  private double ratio(String candidate) {
    Runs best = best().getValue();
    Runs chosen = candidates.get(candidate);
    return Math.max(
        chosen.median() / best.median(), (double) chosen.rpcs() / Math.max(1, best.rpcs()));
  }

  double exactRatio() {
    return ratio(exactScans);
  }

  /**
   * Returns the ratio of the plan that stock chose. The ratio is infinite if stock failed or
   * returned rows that differ from those of the candidates.
   */
  double stockRatio() {
    return stock.isFailed() ? Double.POSITIVE_INFINITY : ratio(stockScans);
  }

  private static String summary(List<QueryRuns> all, ToDoubleFunction<QueryRuns> ratio) {
    long good = all.stream().filter(query -> ratio.applyAsDouble(query) <= GOOD).count();
    return "%d (%.1f %%), at worst %.2f times"
        .formatted(
            good, 100.0 * good / all.size(), all.stream().mapToDouble(ratio).max().orElse(0));
  }

  /** Returns a Markdown table, followed by how often each mode chose well. */
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
