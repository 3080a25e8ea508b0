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

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.execute.BaseQueryPlan;
import org.apache.phoenix.parse.HintNode.Hint;
import org.apache.phoenix.parse.SelectStatement;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.pruning.metrics.Fallbacks;
import org.apache.phoenix.pruning.patch.PatchSet;
import org.apache.phoenix.schema.PTable.IndexType;

/**
 * Chooses the cheapest plan for a query if one of the plans uses a local index. Phoenix's {@code
 * QueryOptimizer} compares the numbers of bound key columns, and assumes that a local index scans
 * every region.
 */
public final class CostBasedPlanChooser {

  /**
   * Ratio up to which costs are similar. Costs are estimates, so Phoenix's rules decide between
   * similar costs.
   */
  private static final double SIMILAR = 1.1;

  private CostBasedPlanChooser() {}

  /**
   * Returns whether the costs decide between the candidates. There must be several candidates, each
   * of which scans one table or index. One of them must use a local index. Neither a hint nor the
   * mode may leave the choice to Phoenix.
   *
   * <p>All patches of {@code local-index} must be on. Otherwise the costs could choose a plan that
   * shows a defect, where Phoenix chooses a plan that does not show it.
   */
  public static boolean isFor(SelectStatement select, List<QueryPlan> candidates) {
    return candidates.size() > 1
        && !select.getHint().hasHint(Hint.USE_DATA_OVER_INDEX_TABLE)
        && !select.getHint().hasHint(Hint.USE_INDEX_OVER_DATA_TABLE)
        && candidates.stream().allMatch(plan -> plan instanceof BaseQueryPlan)
        && candidates.stream()
            .anyMatch(plan -> plan.getTableRef().getTable().getIndexType() == IndexType.LOCAL)
        && ConnectionMode.of(candidates.get(0)) == PruningMode.EXACT
        && Patches.areOn(PatchSet.LOCAL_INDEX, candidates.get(0).getContext().getConnection());
  }

  /**
   * Returns the plans with the chosen plan first. The others stay in the order of Phoenix's rules.
   * The chosen plan has the lowest cost, or a similar cost.
   *
   * <p>Returns {@code byRules} if its first plan is a point lookup, or if the costs cannot be
   * estimated.
   *
   * @param dataPlan the plan for the data table
   * @param byRules the plans in the order of Phoenix's rules, best first
   */
  public static List<QueryPlan> cheapestFirst(QueryPlan dataPlan, List<QueryPlan> byRules) {
    if (byRules.get(0).getContext().getScanRanges().isPointLookup()) {
      return byRules;
    }
    try {
      QueryPlan chosen = choose(new CandidateEstimates(dataPlan, byRules));
      List<QueryPlan> ordered = new ArrayList<>(byRules);
      ordered.remove(chosen);
      ordered.add(0, chosen);
      return ordered;
    } catch (SQLException | RuntimeException e) {
      Fallbacks.GLOBAL.costEstimateFailed(
          dataPlan.getTableRef().getTable().getName().getString(), e);
      recordReason(byRules.get(0), "COST ESTIMATE FAILED");
      return byRules;
    }
  }

  private static QueryPlan choose(CandidateEstimates all) throws SQLException {
    List<PlanEstimate> estimates = all.estimateInRounds();
    int chosen = choose(all.candidates(), estimates);
    QueryPlan plan = all.candidates().get(chosen).plan();
    recordDecision(plan, PlanDecision.of(all.names(), estimates, chosen));
    return plan;
  }

  /**
   * Returns the position of the chosen candidate. Candidates are in the order of Phoenix's rules.
   */
  private static int choose(List<CandidatePlan> candidates, List<PlanEstimate> estimates) {
    double least = estimates.stream().mapToDouble(PlanEstimate::cost).min().getAsDouble();
    int chosen = firstSimilar(candidates, estimates, least, candidate -> true);
    if (!candidates.get(chosen).isGlobal()) {
      return chosen;
    }
    // Phoenix prefers a global index because it assumes that a local index scans every region.
    // Here the regions are part of the cost.
    int local = firstSimilar(candidates, estimates, least, CandidatePlan::isLocal);
    return local < 0 ? chosen : local;
  }

  /**
   * Returns the position of the first wanted candidate with a similar cost, or -1 if there is none.
   */
  private static int firstSimilar(
      List<CandidatePlan> candidates,
      List<PlanEstimate> estimates,
      double least,
      Predicate<CandidatePlan> isWanted) {
    return IntStream.range(0, candidates.size())
        .filter(i -> isSimilar(estimates.get(i).cost(), least) && isWanted.test(candidates.get(i)))
        .findFirst()
        .orElse(-1);
  }

  static boolean isSimilar(double cost, double least) {
    return cost <= least * SIMILAR;
  }

  /** Records the reason why {@code chosen} was chosen without estimates. */
  public static void recordReason(QueryPlan chosen, String reason) {
    recordDecision(chosen, PlanDecision.of(chosen, reason));
  }

  private static void recordDecision(QueryPlan chosen, PlanDecision decision) {
    ((PlanDecision.Holder) (Object) chosen.getContext()).setPlanDecision(decision);
  }

  /** Returns the name of the table or the index that {@code plan} scans. */
  public static String scannedName(QueryPlan plan) {
    return plan.getTableRef().getTable().getName().getString();
  }
}
