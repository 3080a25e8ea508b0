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
package io.phoenixpruning.assertions;

import java.util.OptionalInt;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import org.apache.phoenix.pruning.explain.PlanSummary;
import org.apache.phoenix.pruning.explain.ScanSummary;
import org.apache.phoenix.pruning.explain.ScanType;
import org.apache.phoenix.pruning.layout.IndexLayout;
import org.apache.phoenix.pruning.prune.PruningRule;
import org.assertj.core.api.AbstractAssert;

/**
 * Assertions on a plan. An assertion applies to every scan of the plan, but regions are counted
 * over all scans. {@link #forTable} selects the scans of one table. A failure message shows the
 * scans and the output of EXPLAIN.
 */
public final class PlanAssert extends AbstractAssert<PlanAssert, PlanSummary> {

  PlanAssert(PlanSummary plan) {
    super(plan, PlanAssert.class);
  }

  /**
   * Selects the scans that return rows of a table or view, from the table itself or from an index.
   * Fails if there are none.
   *
   * @param name name as in SQL: case-insensitive unless quoted; the schema is optional
   */
  public PlanAssert forTable(String name) {
    PlanSummary ofTable = actual.forTable(name);
    if (ofTable.scans().isEmpty()) {
      fail("to read the table " + name);
    }
    return new PlanAssert(ofTable).as("%s", descriptionText());
  }

  /**
   * Verifies that each scan reads the index.
   *
   * @param name name as in SQL: case-insensitive unless quoted; the schema is optional
   */
  public PlanAssert usesIndex(String name) {
    return each("to use the index " + name, scan -> scan.scansIndex(name));
  }

  /** Verifies that no index is read. */
  public PlanAssert usesNoIndex() {
    return each("to use no index", scan -> !scan.index().isPresent());
  }

  /** Verifies that exactly {@code regions} regions are planned. */
  public PlanAssert plansRegions(int regions) {
    return plans(regions + " regions", planned -> planned == regions);
  }

  /** Verifies that at most {@code regions} regions are planned. */
  public PlanAssert plansAtMostRegions(int regions) {
    return plans("at most " + regions + " regions", planned -> planned <= regions);
  }

  /** Verifies that the rule prunes at least one region of each scan. */
  public PlanAssert prunesBy(PruningRule rule) {
    return each("to prune regions by " + rule, scan -> scan.regionsPruned().containsKey(rule));
  }

  /** Verifies that each scan is of the given type. */
  public PlanAssert scans(ScanType type) {
    return each("to be a " + type + " scan", scan -> scan.type() == type);
  }

  /** Verifies that each scan reads a local index of this layout. */
  public PlanAssert hasLayout(IndexLayout.Kind layout) {
    return each(
        "to use a local index of layout " + layout,
        scan -> scan.layout().filter(layout::equals).isPresent());
  }

  private PlanAssert plans(String expected, IntPredicate isExpected) {
    OptionalInt planned = actual.regionsPlanned();
    if (!planned.isPresent() || !isExpected.test(planned.getAsInt())) {
      fail("to plan " + expected);
    }
    return this;
  }

  private PlanAssert each(String expected, Predicate<ScanSummary> isExpected) {
    if (actual.scans().isEmpty() || !actual.scans().stream().allMatch(isExpected)) {
      fail(expected);
    }
    return this;
  }

  private void fail(String expected) {
    failWithMessage(
        "%nExpecting the plan%n  %s%n%s.%nEXPLAIN says:%n  %s",
        actual.toString().replace("\n", "\n  "), expected, String.join("\n  ", actual.steps()));
  }
}
