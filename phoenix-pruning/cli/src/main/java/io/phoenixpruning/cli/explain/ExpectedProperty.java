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

import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import org.apache.phoenix.pruning.explain.PlanSummary;

/**
 * A single condition of an expectation, on all scans of a plan.
 *
 * @param value the value as written; allowed for {@code property}
 */
record ExpectedProperty(Property property, ComparisonOperator comparison, String value) {

  /**
   * Returns the actual values as text if {@code plan} breaks this condition, or empty if the
   * condition holds.
   */
  Optional<String> violation(PlanSummary plan) {
    if (property == Property.REGIONS) {
      OptionalInt planned = plan.regionsPlanned();
      return planned.isPresent() && comparison.holds(planned.getAsInt(), Integer.parseInt(value))
          ? Optional.empty()
          : Optional.of("regions = " + Property.format(planned));
    }
    if (plan.scans().isEmpty()) {
      return Optional.of("no table is read");
    }
    return plan.scans().stream().allMatch(scan -> property.hasValue(value, scan))
        ? Optional.empty()
        : Optional.of(
            plan.scans().stream()
                .map(scan -> property + " = " + property.value(scan))
                .distinct()
                .collect(Collectors.joining(", and ")));
  }

  /**
   * Returns this condition if the number of regions {@code now} meets it. Otherwise, returns the
   * same comparison with the closest number that {@code now} meets. For {@code >} and no regions,
   * returns {@code >= 0}. The condition must be on a number of regions.
   */
  ExpectedProperty adjustedTo(int now) {
    if (comparison.holds(now, Integer.parseInt(value))) {
      return this;
    }
    return now == 0 && comparison == ComparisonOperator.GREATER
        ? new ExpectedProperty(property, ComparisonOperator.AT_LEAST, "0")
        : new ExpectedProperty(
            property, comparison, Integer.toString(comparison.closestBound(now)));
  }

  @Override
  public String toString() {
    return property + " " + comparison + " " + value;
  }
}
