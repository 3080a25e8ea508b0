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
package org.apache.phoenix.pruning.optimize;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.apache.phoenix.compile.QueryPlan;
import org.jspecify.annotations.Nullable;

/** Candidate plans for one table of a query and the reason for the choice, as lines for EXPLAIN. */
public final class PlanDecision {

  /** Holds the decision with the context of the chosen plan. */
  public interface Holder {

    /** Returns the decision, or null if there were no other plans. */
    @Nullable PlanDecision getPlanDecision();

    void setPlanDecision(PlanDecision decision);
  }

  private static final String CHEAPEST = "CHOSEN, CHEAPEST";
  private static final String FIRST = "CHOSEN, FIRST OF SIMILAR COSTS";
  private static final String SIMILAR = "SIMILAR COST";

  private final List<String> names;
  private final List<PlanEstimate> estimates;
  private final int chosen;
  private final @Nullable String reason;

  private PlanDecision(
      List<String> names, List<PlanEstimate> estimates, int chosen, @Nullable String reason) {
    this.names = names;
    this.estimates = estimates;
    this.chosen = chosen;
    this.reason = reason;
  }

  /** Returns a decision that was made without an estimate. */
  static PlanDecision of(QueryPlan chosen, String reason) {
    String name = chosen.getTableRef().getTable().getName().getString();
    return new PlanDecision(Collections.singletonList(name), Collections.emptyList(), 0, reason);
  }

  /**
   * Returns a decision that was made by estimates.
   *
   * @param names the tables or indexes that the candidates scan, in the order of Phoenix's rules
   * @param estimates the estimate of each candidate
   * @param chosen the position of the chosen candidate
   */
  static PlanDecision of(List<String> names, List<PlanEstimate> estimates, int chosen) {
    return new PlanDecision(names, estimates, chosen, null);
  }

  /** Returns one line for each candidate, beginning with the chosen candidate. */
  public List<String> lines() {
    if (reason != null) {
      return Collections.singletonList(line(names.get(chosen), "CHOSEN, " + reason));
    }
    PlanEstimate best = estimates.get(chosen);
    boolean isTie = false;
    List<String> lines = new ArrayList<>();
    for (int i : byCost(estimates)) {
      if (i != chosen) {
        boolean isSimilar = CostBasedPlanChooser.isSimilar(estimates.get(i).cost(), best.cost());
        isTie |= isSimilar;
        lines.add(line(i, isSimilar ? SIMILAR : times(estimates.get(i), best)));
      }
    }
    lines.add(0, line(chosen, isTie ? FIRST : CHEAPEST));
    return lines;
  }

  private static int[] byCost(List<PlanEstimate> estimates) {
    return IntStream.range(0, estimates.size())
        .boxed()
        .sorted(Comparator.comparingDouble(i -> estimates.get(i).cost()))
        .mapToInt(Integer::intValue)
        .toArray();
  }

  private static String times(PlanEstimate estimate, PlanEstimate best) {
    return String.format(
        Locale.ROOT,
        "%s%,.1f TIMES THE COST",
        estimate.isComplete() ? "" : "MORE THAN ",
        estimate.cost() / best.cost());
  }

  private String line(int i, String text) {
    return line(names.get(i), estimates.get(i) + ": " + text);
  }

  private static String line(String name, String text) {
    return "CANDIDATE " + name + ": " + text;
  }
}
