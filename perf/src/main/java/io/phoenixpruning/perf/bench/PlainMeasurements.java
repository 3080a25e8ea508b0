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

import io.phoenixpruning.perf.harness.JarsBenchmark.Jars;
import io.phoenixpruning.perf.harness.PairedRatio;
import io.phoenixpruning.perf.harness.Result;
import io.phoenixpruning.perf.harness.Summary;
import io.phoenixpruning.perf.harness.View;
import io.phoenixpruning.perf.harness.cluster.ProcessUsage;
import io.phoenixpruning.perf.harness.cluster.Turn;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.util.ListStatistics;

/** Costs of operations with Phoenix's jars and with ours, and the ratios of both. */
final class PlainMeasurements {

  private static final String TABLE = "table";
  private static final String OPERATION = "operation";
  private static final String COST = "cost";
  private static final String JARS = "jars";

  private static final String RATIO = "ratio";
  private static final String LOWER = "ratio, lower bound";
  private static final String UPPER = "ratio, upper bound";

  /** Names of the properties of a result. */
  static final List<String> DIMENSIONS = List.of(TABLE, OPERATION, COST, JARS);

  /** An operation on a table. */
  private record Case(PlainTable table, PlainOperation operation) {}

  private final Map<Case, Map<Jars, Map<PlainCost, List<Double>>>> values = new LinkedHashMap<>();

  /** Returns the views of the results. */
  static List<View> views() {
    List<View> views = new ArrayList<>();
    views.add(
        View.of("Ratio of our jars to Phoenix's, 95 % intervals", RATIO, COST, TABLE, OPERATION)
            .within(LOWER, UPPER));
    for (PlainCost cost : PlainCost.values()) {
      views.add(
          View.of("One execution, " + cost.title(), cost.title(), JARS, TABLE, OPERATION)
              .comparedWith(Jars.PHOENIX.title()));
    }
    return views;
  }

  /**
   * Adds the costs of a turn, divided by its executions.
   *
   * @param server usage of the server process during the turn
   */
  void add(
      PlainTable table,
      PlainOperation operation,
      Jars jars,
      Turn turn,
      ProcessUsage server,
      int executions) {
    Map<PlainCost, List<Double>> costs =
        values
            .computeIfAbsent(new Case(table, operation), added -> new LinkedHashMap<>())
            .computeIfAbsent(jars, added -> new EnumMap<>(PlainCost.class));
    for (PlainCost cost : PlainCost.values()) {
      costs
          .computeIfAbsent(cost, added -> new ArrayList<>())
          .add(cost.of(turn, server) / executions);
    }
  }

  /** Returns the costs of both sides and their ratios, for each operation on each table. */
  List<Result> results() {
    List<Result> results = new ArrayList<>();
    values.forEach(
        (measured, sides) -> {
          for (PlainCost cost : PlainCost.values()) {
            addResults(results, measured, cost, sides);
          }
        });
    return results;
  }

  private static void addResults(
      List<Result> results,
      Case measured,
      PlainCost cost,
      Map<Jars, Map<PlainCost, List<Double>>> sides) {
    double[] phoenix = values(sides, Jars.PHOENIX, cost);
    double[] ours = values(sides, Jars.OURS, cost);
    Summary ofPhoenix = Summary.of(new ListStatistics(phoenix));
    Summary ofOurs = Summary.of(new ListStatistics(ours));
    results.add(result(measured, cost, Jars.PHOENIX.title(), cost.title(), cost.unit(), ofPhoenix));
    results.add(result(measured, cost, Jars.OURS.title(), cost.title(), cost.unit(), ofOurs));
    if (hasZero(phoenix)) {
      return;
    }
    PairedRatio ratio = PairedRatio.of(ours, phoenix);
    results.add(result(measured, cost, "", RATIO, "", Summary.of(ratio.median())));
    results.add(result(measured, cost, "", LOWER, "", Summary.of(ratio.lower())));
    results.add(result(measured, cost, "", UPPER, "", Summary.of(ratio.upper())));
  }

  private static double[] values(
      Map<Jars, Map<PlainCost, List<Double>>> sides, Jars jars, PlainCost cost) {
    return sides.getOrDefault(jars, Map.of()).getOrDefault(cost, List.of()).stream()
        .mapToDouble(Double::doubleValue)
        .toArray();
  }

  private static boolean hasZero(double[] values) {
    for (double value : values) {
      if (value <= 0) {
        return true;
      }
    }
    return false;
  }

  private static Result result(
      Case measured, PlainCost cost, String jars, String measure, String unit, Summary summary) {
    Map<String, String> at = new LinkedHashMap<>();
    at.put(TABLE, measured.table.title());
    at.put(OPERATION, measured.operation.title());
    at.put(COST, cost.title());
    at.put(JARS, jars);
    return new Result(at, measure, unit, summary);
  }
}
