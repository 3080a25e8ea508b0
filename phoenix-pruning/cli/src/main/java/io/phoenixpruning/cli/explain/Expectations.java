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
import org.apache.phoenix.pruning.explain.PlanSummary;

/** Creates expectations that a plan meets. */
final class Expectations {

  private Expectations() {}

  /**
   * Returns expectations for all properties of {@code plan}: one expectation, or one for each table
   * if the plan reads several. Returns an empty list if the plan reads no table.
   */
  static List<Expectation> of(PlanSummary plan) {
    List<String> tables = plan.scans().stream().map(Property.TABLE::value).distinct().toList();
    return tables.size() == 1
        ? List.of(new Expectation(Position.START, Optional.empty(), conditions(plan)))
        : tables.stream().map(table -> ofTable(plan, table)).toList();
  }

  /**
   * Returns expectations for all properties of {@code plan}, but keeps the inequalities of {@code
   * before} for the number of regions. An inequality on the same scans replaces the exact number.
   * Any other inequality becomes a separate expectation, for example on all tables of a join.
   */
  static List<Expectation> of(PlanSummary plan, List<Expectation> before) {
    List<Expectation> equalities = of(plan);
    List<Expectation> now = new ArrayList<>();
    for (Expectation equality : equalities) {
      now.add(
          equality.withInequalities(
              before.stream()
                  .filter(old -> old.appliesToSameScans(equality, plan))
                  .flatMap(old -> old.adjustedInequalities(plan).stream())
                  .distinct()
                  .toList()));
    }
    before.stream()
        .filter(
            old ->
                equalities.stream().noneMatch(equality -> equality.appliesToSameScans(old, plan)))
        .map(old -> new Expectation(Position.START, old.table(), old.adjustedInequalities(plan)))
        .filter(kept -> !kept.conditions().isEmpty())
        .distinct()
        .forEach(now::add);
    return now;
  }

  private static Expectation ofTable(PlanSummary plan, String table) {
    return new Expectation(
        Position.START,
        Optional.of(equal(Property.TABLE, table)),
        conditions(plan.forTable(table)));
  }

  /**
   * Returns conditions for the total number of regions, and for the properties that are the same in
   * all scans of {@code plan}.
   */
  private static List<ExpectedProperty> conditions(PlanSummary plan) {
    List<ExpectedProperty> conditions = new ArrayList<>();
    if (plan.regionsPlanned().isPresent()) {
      conditions.add(equal(Property.REGIONS, Property.format(plan.regionsPlanned())));
    }
    boolean haveLayout = plan.scans().stream().allMatch(scan -> scan.layout().isPresent());
    for (Property property :
        haveLayout
            ? List.of(Property.INDEX, Property.LAYOUT, Property.SCAN)
            : List.of(Property.INDEX, Property.SCAN)) {
      List<String> values = plan.scans().stream().map(property::value).distinct().toList();
      if (values.size() == 1) {
        conditions.add(equal(property, values.get(0)));
      }
    }
    return conditions;
  }

  private static ExpectedProperty equal(Property property, String value) {
    return new ExpectedProperty(property, ComparisonOperator.EQUAL, value);
  }
}
