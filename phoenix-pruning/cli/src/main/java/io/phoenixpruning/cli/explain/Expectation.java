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
import java.util.stream.Collectors;
import org.apache.phoenix.pruning.explain.PlanSummary;

/**
 * What a comment expects of a plan.
 *
 * @param table the condition that names it; without one, all scans of the statement are meant
 */
record Expectation(Position position, Optional<Condition> table, List<Condition> conditions) {

  /**
   * A condition that does not hold.
   *
   * @param actual what is there instead
   */
  record Difference(Condition expected, String actual) {}

  Expectation {
    conditions = List.copyOf(conditions);
  }

  /** Where {@code plan} is not as expected; empty if it is. */
  List<Difference> differences(PlanSummary plan) {
    PlanSummary meant = table.map(name -> plan.ofTable(name.value())).orElse(plan);
    if (table.isPresent() && meant.scans().isEmpty()) {
      return List.of(
          new Difference(table.get(), table.get().broken(plan).orElse("no table is read")));
    }
    List<Difference> differences = new ArrayList<>();
    for (Condition condition : conditions) {
      condition
          .broken(meant)
          .ifPresent(actual -> differences.add(new Difference(condition, actual)));
    }
    return differences;
  }

  /**
   * Returns this expectation, which a plan meets, with the inequalities that {@code before} has for
   * the number of regions in place of the number. An inequality that the plan breaks gets another
   * number.
   */
  Expectation withInequalitiesOf(List<Expectation> before) {
    List<Condition> inequalities =
        before.stream()
            .filter(expectation -> expectation.isOfTableOf(this))
            .flatMap(expectation -> expectation.conditions.stream())
            .filter(
                condition ->
                    condition.property() == Property.REGIONS
                        && condition.comparison() != Comparison.EQUAL)
            .toList();
    List<Condition> kept = new ArrayList<>();
    for (Condition condition : conditions) {
      if (condition.property() != Property.REGIONS || inequalities.isEmpty()) {
        kept.add(condition);
      } else {
        int now = Integer.parseInt(condition.value());
        inequalities.stream()
            .map(inequality -> inequality.metBy(now))
            .distinct()
            .forEach(kept::add);
      }
    }
    return new Expectation(position, table, kept);
  }

  private boolean isOfTableOf(Expectation other) {
    return table
        .map(Condition::value)
        .map(name -> other.table.filter(of -> of.value().equalsIgnoreCase(name)).isPresent())
        .orElse(other.table.isEmpty());
  }

  /** As it is written behind {@code expect:}. */
  @Override
  public String toString() {
    List<Condition> all = new ArrayList<>(conditions);
    table.ifPresent(name -> all.add(0, name));
    return all.stream().map(Condition::toString).collect(Collectors.joining(", "));
  }
}
