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

import java.sql.SQLException;
import java.util.List;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.phoenix.pruning.key.KeySpace;
import org.apache.phoenix.pruning.metrics.Fallbacks;
import org.apache.phoenix.pruning.predicate.EvaluationBudget;
import org.apache.phoenix.pruning.predicate.ResidualCheck;
import org.apache.phoenix.pruning.region.KeyRegionLocator;
import org.apache.phoenix.pruning.region.RegionWalk;
import org.jspecify.annotations.Nullable;

/**
 * Selects the regions that can hold a matching row, by the constraints of a statement on its row
 * keys.
 */
public final class RegionSelector {

  private final KeySpace keys;

  /** Test of the conditions that the key space does not express, or null if there are none. */
  private final @Nullable ResidualCheck check;

  /**
   * Creates a selector.
   *
   * @param check a test of the conditions that the key space does not express, or null if there are
   *     none
   */
  RegionSelector(KeySpace keys, @Nullable ResidualCheck check) {
    this.keys = keys;
    this.check = check == null || check.isEmpty() ? null : check;
  }

  /**
   * Returns the regions that can hold a matching row, in key order.
   *
   * @param budget limits the residual check. Once the budget is spent, the remaining regions are
   *     kept.
   */
  List<HRegionLocation> regions(KeyRegionLocator locator, EvaluationBudget budget)
      throws SQLException {
    return checked(RegionWalk.plan(keys, locator), budget);
  }

  /**
   * Returns the first regions that can hold a matching row. Examines at most {@code limit} regions
   * of the key space.
   *
   * @param budget limits the residual check. Once the budget is spent, the remaining regions are
   *     kept.
   */
  FirstRegions first(int limit, KeyRegionLocator locator, EvaluationBudget budget)
      throws SQLException {
    List<HRegionLocation> walked = RegionWalk.first(limit + 1, keys, locator);
    boolean isAll = walked.size() <= limit;
    List<HRegionLocation> first = isAll ? walked : walked.subList(0, limit);
    return new FirstRegions(checked(first, budget), isAll);
  }

  /**
   * Returns the regions that can hold a row key of the key space in a range. The list is not empty
   * if the range is that of a planned region.
   *
   * @param from inclusive, empty for the start of the table
   * @param to exclusive, empty for the end of the table
   */
  public List<HRegionLocation> regionsWithin(byte[] from, byte[] to, KeyRegionLocator locator)
      throws SQLException {
    return RegionWalk.plan(keys, from, to, locator);
  }

  private List<HRegionLocation> checked(List<HRegionLocation> walked, EvaluationBudget budget)
      throws SQLException {
    if (check == null) {
      return walked;
    }
    List<HRegionLocation> left = RegionBisection.remaining(walked, check, budget);
    budget.throwIfStopped();
    if (budget.isOver()) {
      Fallbacks.GLOBAL.budgetExceeded(walked.size(), left.size());
    }
    return left;
  }
}
