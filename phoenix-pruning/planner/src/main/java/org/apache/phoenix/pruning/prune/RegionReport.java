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

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Report on the regions of a scan: the number planned, the total number, and the rules that pruned
 * the others.
 */
public final class RegionReport {

  private final int planned;
  private final int total;
  private final Collection<String> joinColumns;

  /**
   * Creates a report on a scan.
   *
   * @param joinColumns join columns, whose values from other tables reduce the planned regions at
   *     execution
   */
  public RegionReport(int planned, int total, Collection<String> joinColumns) {
    if (planned < 0 || planned > total) {
      throw new IllegalArgumentException(planned + " regions planned of " + total);
    }
    this.planned = planned;
    this.total = total;
    this.joinColumns = joinColumns;
  }

  public int planned() {
    return planned;
  }

  public int total() {
    return total;
  }

  /**
   * Returns the number of regions that are not planned, by rule. Empty if all regions are planned.
   */
  public Map<PruningRule, Integer> prunedByRule() {
    return planned == total
        ? Collections.<PruningRule, Integer>emptyMap()
        : Collections.singletonMap(PruningRule.PRIMARY_KEY, total - planned);
  }

  /** Returns {@link #prunedByRule} with the names of the rules in EXPLAIN. */
  public Map<String, Integer> prunedByRuleName() {
    Map<String, Integer> byName = new LinkedHashMap<>();
    prunedByRule().forEach((rule, regions) -> byName.put(rule.toString(), regions));
    return byName;
  }

  /**
   * Returns a step of EXPLAIN: {@code REGIONS PLANNED 1 OF 20, PRUNED 19 BY PRIMARY KEY}. A join
   * adds {@code DYNAMIC REGION FILTER BY "I.:PK1"}, in the wording of Phoenix.
   */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("REGIONS PLANNED " + planned + " OF " + total);
    String separator = ", PRUNED ";
    for (Map.Entry<PruningRule, Integer> rule : prunedByRule().entrySet()) {
      text.append(separator).append(rule.getValue()).append(" BY ").append(rule.getKey());
      separator = ", ";
    }
    if (!joinColumns.isEmpty()) {
      text.append(", DYNAMIC REGION FILTER BY ").append(String.join(", ", joinColumns));
    }
    return text.toString();
  }
}
