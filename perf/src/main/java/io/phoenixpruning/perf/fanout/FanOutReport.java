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
package io.phoenixpruning.perf.fanout;

import java.util.Collection;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.stream.Collectors;

/** Formats the measurements as Markdown tables. */
final class FanOutReport {

  private static final String POINTS = "V = ? AND K1 = ?";
  private static final String FAN_OUTS = "V = ?";

  private FanOutReport() {}

  /**
   * Returns a table of scan RPCs by the number of regions that match. Two columns show the expected
   * number of probe requests, without and with the scans of matching regions.
   */
  static String rpcs(Map<Matching, Map<Way, Runs>> runs, int regions, int servers, int chunk) {
    StringBuilder report = new StringBuilder();
    Collection<Way> ways = runs.values().iterator().next().keySet();
    report
        .append(
            line(
                "Scan RPCs, by number of matching regions",
                "S x ceil(R / (S x chunk))",
                "the same + M",
                titles(ways)))
        .append(rule(2 + ways.size()));
    int probes = servers * (int) Math.ceil(regions / ((double) servers * chunk));
    runs.forEach(
        (matching, ofWays) ->
            report.append(
                line(
                    "%,d".formatted(matching.regions(regions)),
                    "%,d".formatted(probes),
                    "%,d".formatted(probes + matching.regions(regions)),
                    cells(ofWays, (first, way) -> way.rpcs()))));
    return report.toString();
  }

  /** Returns a table of milliseconds, with their ratios to those of the first way. */
  static String times(String title, Map<Matching, Map<Way, Runs>> runs, int regions) {
    return table(title, runs, regions, (first, way) -> way.times(first));
  }

  /** Returns a table of the data blocks that were read from files. */
  static String blockMisses(Map<Matching, Map<Way, Runs>> runs, int regions) {
    return table(
        "Data blocks read, by number of matching regions",
        runs,
        regions,
        (first, way) -> way.blockMisses());
  }

  /** Returns a table of response times under a mixed load, by the kind of query. */
  static String load(Map<String, MixedLoad.Answers> answers) {
    StringBuilder report =
        new StringBuilder(line("query", "way", "p50", "p95", "p99", "max", "answered", "failed"))
            .append("|---|---|")
            .append("---:|".repeat(5))
            .append("---|\n");
    answers.forEach((way, ofWay) -> report.append(line(POINTS, way, ofWay.points().cells())));
    answers.forEach(
        (way, ofWay) -> {
          if (!ofWay.fanOuts().isEmpty()) {
            report.append(line(FAN_OUTS, way, ofWay.fanOuts().cells()));
          }
        });
    return report.toString();
  }

  private static String table(
      String title,
      Map<Matching, Map<Way, Runs>> runs,
      int regions,
      BiFunction<Runs, Runs, String> cell) {
    Collection<Way> ways = runs.values().iterator().next().keySet();
    StringBuilder report = new StringBuilder(line(title, titles(ways))).append(rule(ways.size()));
    runs.forEach(
        (matching, ofWays) ->
            report.append(line("%,d".formatted(matching.regions(regions)), cells(ofWays, cell))));
    return report.toString();
  }

  private static String titles(Collection<Way> ways) {
    return ways.stream().map(Way::title).collect(Collectors.joining(" | "));
  }

  private static String cells(Map<Way, Runs> runs, BiFunction<Runs, Runs, String> cell) {
    Runs first = runs.values().iterator().next();
    return runs.values().stream()
        .map(way -> cell.apply(first, way))
        .collect(Collectors.joining(" | "));
  }

  private static String line(String... cells) {
    return "| " + String.join(" | ", cells) + " |\n";
  }

  private static String rule(int columns) {
    return "|---:|" + "---:|".repeat(columns) + "\n";
  }
}
