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
package io.phoenixpruning.cli.explain;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.phoenix.pruning.explain.PlanSummary;

/**
 * Conditions that a comment expects a plan to meet.
 *
 * @param table the condition that names a table; if empty, the conditions are on all scans of the
 *     statement
 */
record Expectation(
    Position position, Optional<ExpectedProperty> table, List<ExpectedProperty> conditions) {

  /**
   * A condition that does not hold.
   *
   * @param actual actual values, as text
   */
  record Difference(ExpectedProperty expected, String actual) {}

  Expectation {
    conditions = List.copyOf(conditions);
  }

  /** Returns the conditions that {@code plan} breaks; empty if the plan is as expected. */
  List<Difference> differences(PlanSummary plan) {
    PlanSummary scansMeant = scansMeant(plan);
    if (hasNoScans(scansMeant)) {
      return List.of(
          new Difference(table.get(), table.get().violation(plan).orElse("no table is read")));
    }
    List<Difference> differences = new ArrayList<>();
    for (ExpectedProperty condition : conditions) {
      condition
          .violation(scansMeant)
          .ifPresent(actual -> differences.add(new Difference(condition, actual)));
    }
    return differences;
  }

  /** Returns {@code plan} with only the scans that the conditions are on. */
  private PlanSummary scansMeant(PlanSummary plan) {
    return table.map(name -> plan.forTable(name.value())).orElse(plan);
  }

  private boolean hasNoScans(PlanSummary scansMeant) {
    return table.isPresent() && scansMeant.scans().isEmpty();
  }

  /** Returns true if the conditions of both expectations are on the same scans of {@code plan}. */
  boolean appliesToSameScans(Expectation other, PlanSummary plan) {
    return scansMeant(plan).scans().equals(other.scansMeant(plan).scans());
  }

  /**
   * Returns the inequalities for the number of regions. If {@code plan} breaks an inequality, its
   * number is replaced with the closest number that the plan meets. Returns an empty list if the
   * plan does not read the table, or the number of regions is unknown.
   */
  List<ExpectedProperty> adjustedInequalities(PlanSummary plan) {
    PlanSummary scansMeant = scansMeant(plan);
    OptionalInt now = scansMeant.regionsPlanned();
    if (hasNoScans(scansMeant) || now.isEmpty()) {
      return List.of();
    }
    return conditions.stream()
        .filter(condition -> condition.property() == Property.REGIONS)
        .filter(condition -> condition.comparison() != ComparisonOperator.EQUAL)
        .map(condition -> condition.adjustedTo(now.getAsInt()))
        .distinct()
        .toList();
  }

  /**
   * Returns this expectation with {@code inequalities} instead of its condition on the number of
   * regions. If there are no inequalities, returns this expectation unchanged.
   */
  Expectation withInequalities(List<ExpectedProperty> inequalities) {
    if (inequalities.isEmpty()) {
      return this;
    }
    return new Expectation(
        position,
        table,
        conditions.stream()
            .flatMap(
                condition ->
                    condition.property() == Property.REGIONS
                        ? inequalities.stream()
                        : Stream.of(condition))
            .toList());
  }

  /** Returns the text to write after {@code expect:}. */
  @Override
  public String toString() {
    List<ExpectedProperty> all = new ArrayList<>(conditions);
    table.ifPresent(name -> all.add(0, name));
    return all.stream().map(ExpectedProperty::toString).collect(Collectors.joining(", "));
  }
}
