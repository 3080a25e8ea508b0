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
import org.apache.phoenix.pruning.region.PruningRule;
import org.assertj.core.api.AbstractAssert;

/**
 * Assertions on a plan. Each is on every scan of it, and regions are counted over all scans; {@link
 * #forTable} chooses those of one table. A failure shows the scans, and what EXPLAIN says.
 */
public final class PlanAssert extends AbstractAssert<PlanAssert, PlanSummary> {

  PlanAssert(PlanSummary plan) {
    super(plan, PlanAssert.class);
  }

  /**
   * Chooses the scans that want rows of a table or view, by the table itself or by an index.
   *
   * @param name as in SQL: in any case unless it is quoted; the schema may be left out
   */
  public PlanAssert forTable(String name) {
    PlanSummary ofTable = actual.ofTable(name);
    if (ofTable.scans().isEmpty()) {
      fail("to read the table " + name);
    }
    return new PlanAssert(ofTable).as("%s", descriptionText());
  }

  /**
   * Verifies that the index is read.
   *
   * @param name as in SQL: in any case unless it is quoted; the schema may be left out
   */
  public PlanAssert usesIndex(String name) {
    return each("to use the index " + name, scan -> scan.isOfIndex(name));
  }

  /** Verifies that no index is read. */
  public PlanAssert usesNoIndex() {
    return each("to use no index", scan -> !scan.index().isPresent());
  }

  /** Verifies that this many regions are planned. */
  public PlanAssert plansRegions(int regions) {
    return plans(regions + " regions", planned -> planned == regions);
  }

  /** Verifies that no more regions are planned than {@code regions}. */
  public PlanAssert plansAtMostRegions(int regions) {
    return plans("at most " + regions + " regions", planned -> planned <= regions);
  }

  /** Verifies that the rule leaves at least one region out. */
  public PlanAssert prunesBy(PruningRule rule) {
    return each("to prune regions by " + rule, scan -> scan.regionsPruned().containsKey(rule));
  }

  /** Verifies how rows are found. */
  public PlanAssert scans(ScanType type) {
    return each("to be a " + type + " scan", scan -> scan.type() == type);
  }

  /** Verifies that a local index is read, and how it keeps its rows. */
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
