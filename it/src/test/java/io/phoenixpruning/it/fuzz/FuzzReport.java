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
package io.phoenixpruning.it.fuzz;

import com.sun.management.OperatingSystemMXBean;
import io.phoenixpruning.it.fuzz.DeployedTable.Answer;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Collects counts and examples of a run. Several threads can use it. */
final class FuzzReport {

  private static final int EXAMPLES = 10;

  private final long start = System.nanoTime();
  private final long startCpu = cpuTime();
  private long tables;
  private long queries;
  private long rows;
  private long stock;
  private long withIndex;
  private long unexplained;
  private long decided;
  private long overScanned;
  private final List<String> unexplainedExamples = new ArrayList<>();
  private final Map<String, String> tooManyExamples = new LinkedHashMap<>();
  private final Map<String, Long> byForm = new TreeMap<>();
  private final Map<String, Long> stockByForm = new TreeMap<>();
  private final Map<String, Long> stockErrors = new TreeMap<>();
  private final Map<String, Long> knownDefects = new TreeMap<>();
  private final Map<String, Long> checks = new TreeMap<>();
  private final Map<String, Long> refused = new TreeMap<>();
  private final PhaseTimes times = new PhaseTimes();
  private final Map<String, long[]> regionsByKind = new TreeMap<>();

  /** Returns the CPU time of this JVM, with its servers, in nanoseconds. */
  private static long cpuTime() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
  }

  synchronized void countTable() {
    tables++;
  }

  /** Returns the times of the phases, to which phases can be added. */
  PhaseTimes times() {
    return times;
  }

  synchronized void countQuery(RandomQuery query, int expectedRows) {
    queries++;
    rows += expectedRows;
    byForm.merge(query.form().name(), 1L, Long::sum);
  }

  /**
   * Counts a statement that cannot be compared. Either Phoenix fails even without an index, or the
   * statement is too long for Calcite.
   */
  synchronized void countRefused(Throwable error) {
    refused.merge(message(error), 1L, Long::sum);
  }

  /** Returns the start of a message, without the names of regions and without numbers. */
  private static String message(Throwable error) {
    String message =
        error.getMessage() == null
            ? error + " at " + (error.getStackTrace().length > 0 ? error.getStackTrace()[0] : "?")
            : error.getMessage().lines().findFirst().orElse("");
    String withoutRegion = message.replaceAll("F\\d+_\\w*,[^:]*: ", "");
    return cut(withoutRegion.replaceAll("\\d+", "#"), 120);
  }

  private static String cut(String text, int length) {
    return text.length() > length ? text.substring(0, length) + "..." : text;
  }

  /**
   * Counts an answer in mode stock.
   *
   * @param isWrong whether the answer is wrong although the answer of mode exact is right
   */
  synchronized void countStock(RandomQuery query, Answer answer, boolean isWrong) {
    stock++;
    if (isWrong) {
      stockByForm.merge(
          query.form().name() + (answer.error() != null ? " (error)" : ""), 1L, Long::sum);
      if (answer.error() != null) {
        stockErrors.merge(
            answer.error().getClass().getSimpleName() + ": " + message(answer.error()),
            1L,
            Long::sum);
      }
    }
  }

  /**
   * Counts a known defect that makes an answer wrong without pruning.
   *
   * @param defect the defect; empty if the answer is right
   */
  synchronized void countKnownDefect(Optional<KnownDefect> defect) {
    defect.ifPresent(known -> knownDefects.merge(known.name(), 1L, Long::sum));
  }

  /** Counts a {@link MetamorphicCheck} that was made. */
  synchronized void countCheck(String check) {
    checks.merge(check, 1L, Long::sum);
  }

  /** Counts an answer that is also wrong without pruning, for an unknown reason. */
  synchronized void countUnexplained(String seed, RandomQuery query, Disagreement disagreement) {
    unexplained++;
    if (unexplainedExamples.size() < EXAMPLES) {
      unexplainedExamples.add(
          seed
              + ": "
              + disagreement.source()
              + ": "
              + query.form()
              + " "
              + cut(query.sql().calcite(), 300));
    }
  }

  /**
   * Counts the regions of a query along an index.
   *
   * @param known number of regions for which it is known whether they are needed
   * @param tooMany number of regions that were planned and are not needed
   */
  synchronized void countRegions(QueriedTable table, RandomQuery query, int known, int tooMany) {
    if (tooMany > 0 && tooManyExamples.size() < EXAMPLES) {
      tooManyExamples.putIfAbsent(
          table.name() + " of " + query.relation() + ": " + cut(query.where().sql().calcite(), 400),
          tooMany + " of " + known);
    }
    withIndex++;
    decided += known > 0 ? 1 : 0;
    overScanned += tooMany;
    for (String kind : query.where().kinds()) {
      long[] counts = regionsByKind.computeIfAbsent(kind, unused -> new long[3]);
      counts[0]++;
      counts[1] += known;
      counts[2] += tooMany;
    }
  }

  synchronized long queries() {
    return queries;
  }

  @Override
  public synchronized String toString() {
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            "%d queries on %d tables with %d rows; stock was wrong %d times of %d%n",
            queries, tables, rows, stockByForm.values().stream().mapToLong(n -> n).sum(), stock));
    double seconds = (System.nanoTime() - start) / 1e9;
    double cpuSeconds = (cpuTime() - startCpu) / 1e9;
    text.append(
        String.format(
            "%.0f s and %.0f s of CPU: %.1f queries a second, %.1f ms of CPU for a query%n",
            seconds, cpuSeconds, queries / seconds, 1000 * cpuSeconds / Math.max(1, queries)));
    text.append(times);
    text.append("queries: ").append(byForm).append('\n');
    text.append("checks: ").append(checks).append('\n');
    text.append("stock wrong: ").append(stockByForm).append('\n');
    stockErrors.forEach(
        (error, count) -> text.append(String.format("  error %5d times: %s%n", count, error)));
    text.append("wrong without pruning, too: ").append(knownDefects).append('\n');
    text.append("wrong without pruning, too, unexplained: ").append(unexplained).append('\n');
    unexplainedExamples.forEach(example -> text.append("  ").append(example).append('\n'));
    text.append("refused by Phoenix, or too long for Calcite: ").append(refused).append('\n');
    text.append(
        String.format(
            "planned regions were compared %d times (%.1f a second), decided %d times; %d regions too many%n",
            withIndex, withIndex / seconds, decided, overScanned));
    regionsByKind.forEach(
        (kind, counts) ->
            text.append(
                String.format(
                    "  %-16s %7d queries, %8d regions decided, %5d too many%n",
                    kind, counts[0], counts[1], counts[2])));
    tooManyExamples.forEach(
        (query, regions) -> text.append(String.format("  too many: %s of %s%n", regions, query)));
    return text.toString();
  }
}
