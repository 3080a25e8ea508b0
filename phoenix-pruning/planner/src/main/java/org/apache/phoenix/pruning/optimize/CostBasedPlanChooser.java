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

import static java.util.stream.Collectors.toList;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.execute.BaseQueryPlan;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.parse.HintNode.Hint;
import org.apache.phoenix.parse.SelectStatement;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.pruning.config.PruningOptions;
import org.apache.phoenix.pruning.layout.DataTables;
import org.apache.phoenix.pruning.metrics.Fallbacks;
import org.apache.phoenix.pruning.stats.TableStatistics;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.schema.PTable.IndexType;
import org.apache.phoenix.util.ScanUtil;

/**
 * Chooses the cheapest plan for a query if one of the plans uses a local index. Phoenix's {@code
 * QueryOptimizer} compares the numbers of bound key columns, and assumes that a local index scans
 * every region.
 */
public final class CostBasedPlanChooser {

  /**
   * Maximum number of regions that are looked up for each candidate in a round. The next round
   * follows if it is not yet clear which candidate is cheapest.
   */
  private static final int[] LIMITS = {8, 64, 512};

  /**
   * Ratio up to which costs are similar. Costs are estimates, so Phoenix's rules decide between
   * similar costs.
   */
  private static final double SIMILAR = 1.1;

  private final List<CandidatePlan> candidates = new ArrayList<>();
  private final TableStatistics ofData;
  private List<PlanEstimate> estimates = Collections.emptyList();

  private CostBasedPlanChooser(QueryPlan dataPlan, List<QueryPlan> plans) throws SQLException {
    PTable dataTable = dataPlan.getTableRef().getTable();
    PhoenixConnection connection = dataPlan.getContext().getConnection();
    ofData = TableStatistics.of(connection, dataTable);
    boolean isParallel = ScanUtil.getStatsForParallelizationProp(connection, dataTable);
    for (QueryPlan plan : plans) {
      candidates.add(new CandidatePlan(plan, dataTable, dataPlan, isParallel));
    }
  }

  /**
   * Returns whether the costs decide between the candidates. There must be several candidates, and
   * one of the candidates must use a local index. Neither a hint nor the mode may leave the choice
   * to Phoenix.
   */
  public static boolean isFor(SelectStatement select, List<QueryPlan> candidates) {
    return candidates.size() > 1
        && !select.getHint().hasHint(Hint.USE_DATA_OVER_INDEX_TABLE)
        && !select.getHint().hasHint(Hint.USE_INDEX_OVER_DATA_TABLE)
        && candidates.stream().allMatch(plan -> plan instanceof BaseQueryPlan)
        && candidates.stream()
            .anyMatch(plan -> plan.getTableRef().getTable().getIndexType() == IndexType.LOCAL)
        && isExact(candidates.get(0));
  }

  private static boolean isExact(QueryPlan plan) {
    try {
      return PruningOptions.modeOf(plan.getContext().getConnection()) == PruningMode.EXACT;
    } catch (SQLException e) {
      throw new IllegalStateException("the options were checked when the connection was made", e);
    }
  }

  /**
   * Returns the plans with the cheapest plan first. The others stay in the order of Phoenix's
   * rules.
   *
   * @param dataPlan the plan for the data table
   * @param byRules the plans in the order of Phoenix's rules, best first
   */
  public static List<QueryPlan> weigh(QueryPlan dataPlan, List<QueryPlan> byRules) {
    if (byRules.get(0).getContext().getScanRanges().isPointLookup()) {
      return byRules;
    }
    try {
      QueryPlan chosen = new CostBasedPlanChooser(dataPlan, byRules).choose();
      List<QueryPlan> ordered = new ArrayList<>(byRules);
      ordered.remove(chosen);
      ordered.add(0, chosen);
      return ordered;
    } catch (SQLException | RuntimeException e) {
      Fallbacks.GLOBAL.notWeighed(dataPlan.getTableRef().getTable().getName().getString(), e);
      note(byRules.get(0), "WEIGHING FAILED");
      return byRules;
    }
  }

  /**
   * Estimates the cost of {@code plan} from all its regions.
   *
   * @param dataPlan the plan for the data table
   */
  public static PlanEstimate estimate(QueryPlan dataPlan, QueryPlan plan) throws SQLException {
    CostBasedPlanChooser weighing =
        new CostBasedPlanChooser(dataPlan, Arrays.asList(dataPlan, plan));
    // One less than the maximum, because the search looks for one more region than the limit.
    weighing.look(Integer.MAX_VALUE - 1);
    return weighing.estimates.get(1);
  }

  /** Estimates the cost of {@code plan} from all its regions, without regard to other plans. */
  public static PlanEstimate estimate(QueryPlan plan) throws SQLException {
    PhoenixConnection connection = plan.getContext().getConnection();
    PTable dataTable = DataTables.of(plan.getTableRef().getTable(), connection);
    TableStatistics ofData = TableStatistics.of(connection, dataTable);
    boolean isParallel = ScanUtil.getStatsForParallelizationProp(connection, dataTable);
    CandidatePlan candidate = new CandidatePlan(plan, dataTable, null, isParallel);
    candidate.look(Integer.MAX_VALUE - 1);
    byte[] name = dataTable.getPhysicalName().getBytes();
    double ofTable =
        ofData.isKnown()
            ? ofData.rows()
            : TableStatistics.DEFAULT_ROWS_PER_REGION
                * connection.getQueryServices().getAllTableRegions(name).size();
    return candidate.estimate(ofTable, candidate.dataRows(ofData).orElse(ofTable));
  }

  /** Returns the name of the table or the index that {@code plan} scans. */
  public static String scanned(QueryPlan plan) {
    return plan.getTableRef().getTable().getName().getString();
  }

  /** Records the reason why {@code chosen} was chosen without estimates. */
  public static void note(QueryPlan chosen, String reason) {
    ((PlanDecision.Holder) (Object) chosen.getContext())
        .setPlanChoice(PlanDecision.of(chosen, reason));
  }

  private QueryPlan choose() throws SQLException {
    for (int i = 0; i < LIMITS.length && (i == 0 || !isClear()); i++) {
      look(LIMITS[i]);
    }
    double least = estimates.stream().mapToDouble(PlanEstimate::cost).min().getAsDouble();
    int chosen = firstSimilar(least, candidate -> true);
    if (candidates.get(chosen).isGlobal()) {
      // Phoenix prefers a global index because it assumes that a local index scans every region.
      // Here the regions are part of the cost.
      int local = firstSimilar(least, CandidatePlan::isLocal);
      chosen = local < 0 ? chosen : local;
    }
    QueryPlan plan = candidates.get(chosen).plan();
    ((PlanDecision.Holder) (Object) plan.getContext())
        .setPlanChoice(PlanDecision.of(names(), estimates, chosen));
    return plan;
  }

  private List<String> names() {
    return candidates.stream().map(CandidatePlan::name).collect(toList());
  }

  /**
   * Returns the position of the first wanted candidate with a similar cost, or -1 if there is none.
   * Candidates are in the order of Phoenix's rules.
   */
  private int firstSimilar(double least, Predicate<CandidatePlan> isWanted) {
    return IntStream.range(0, candidates.size())
        .filter(i -> isSimilar(estimates.get(i).cost(), least) && isWanted.test(candidates.get(i)))
        .findFirst()
        .orElse(-1);
  }

  private void look(int limit) throws SQLException {
    int found = CandidatePlan.REGIONS_OF_TABLE;
    int known = 0;
    for (CandidatePlan candidate : candidates) {
      candidate.look(limit);
      found = Math.max(found, candidate.regions());
      known = Math.max(known, candidate.regionsOfTable());
    }
    double ofTable =
        ofData.isKnown()
            ? ofData.rows()
            : TableStatistics.DEFAULT_ROWS_PER_REGION * (known > 0 ? known : found);
    List<OptionalDouble> ofRegions =
        candidates.stream().map(candidate -> candidate.dataRows(ofData)).collect(toList());
    double fewest =
        ofRegions.stream()
            .filter(OptionalDouble::isPresent)
            .mapToDouble(OptionalDouble::getAsDouble)
            .reduce(ofTable, Math::min);
    estimates = new ArrayList<>();
    for (int i = 0; i < candidates.size(); i++) {
      estimates.add(candidates.get(i).estimate(ofTable, ofRegions.get(i).orElse(fewest)));
    }
  }

  /** Returns whether all regions of the cheapest candidate have been found. */
  private boolean isClear() {
    return estimates.stream()
        .min(Comparator.comparingDouble(PlanEstimate::cost))
        .filter(PlanEstimate::isWhole)
        .isPresent();
  }

  static boolean isSimilar(double cost, double least) {
    return cost <= least * SIMILAR;
  }
}
