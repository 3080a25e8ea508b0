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
package org.apache.phoenix.pruning.prune;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.phoenix.pruning.predicate.EvaluationBudget;
import org.apache.phoenix.pruning.predicate.ResidualCheck;
import org.apache.phoenix.pruning.predicate.ResidualCheck.Undecided;

/**
 * Drops the regions in which no row key can match, by bisection. A span of regions is tested with
 * its outer bounds first. If a condition is false for the whole span, all its regions are dropped.
 * If all conditions are true, all regions are kept. Otherwise each half is tested with the
 * conditions that are still undecided. So a long OR costs each region only the terms that are
 * possible near it.
 */
final class RegionBisection {

  /** Maximum size of a span whose regions are tested one by one. */
  private static final int MAX_LINEAR_SPAN = 8;

  /** Number of tested regions after which the check stops if none was dropped. */
  private static final int MAX_TESTS_WITHOUT_DROP = 1_000;

  private final List<HRegionLocation> regions;
  private final ResidualCheck check;
  private final EvaluationBudget budget;
  private final List<HRegionLocation> remaining;

  private int tested;
  private boolean hasDropped;

  private RegionBisection(
      List<HRegionLocation> regions, ResidualCheck check, EvaluationBudget budget) {
    this.regions = regions;
    this.check = check;
    this.budget = budget;
    this.remaining = new ArrayList<>(regions.size());
  }

  /**
   * Returns the regions that can hold a matching row. If {@code budget} is spent, the regions that
   * were not tested are kept.
   *
   * @param regions in key order
   */
  static List<HRegionLocation> remaining(
      List<HRegionLocation> regions, ResidualCheck check, EvaluationBudget budget) {
    RegionBisection bisection = new RegionBisection(regions, check, budget);
    bisection.test(0, regions.size(), check.all());
    return bisection.remaining;
  }

  private void test(int from, int to, Undecided undecided) {
    if (to - from <= MAX_LINEAR_SPAN) {
      for (int i = from; i < to; i++) {
        test(i, undecided);
      }
      return;
    }
    if (isGivenUp()) {
      remaining.addAll(regions.subList(from, to));
      return;
    }
    Undecided ofSpan = check.within(undecided, start(from), end(to - 1), budget);
    if (ofSpan == null) {
      hasDropped = true;
    } else if (ofSpan.isEmpty()) {
      remaining.addAll(regions.subList(from, to));
    } else {
      int middle = (from + to) >>> 1;
      test(from, middle, ofSpan);
      test(middle, to, ofSpan);
    }
  }

  private void test(int i, Undecided undecided) {
    if (isGivenUp() || check.canMatch(undecided, start(i), end(i), budget)) {
      remaining.add(regions.get(i));
    } else {
      hasDropped = true;
    }
    tested++;
  }

  private boolean isGivenUp() {
    return budget.isOver() || (tested >= MAX_TESTS_WITHOUT_DROP && !hasDropped);
  }

  private byte[] start(int i) {
    return regions.get(i).getRegion().getStartKey();
  }

  private byte[] end(int i) {
    return regions.get(i).getRegion().getEndKey();
  }
}
