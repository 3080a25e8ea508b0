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
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.pruning.stats.TableStatistics;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.util.ScanUtil;

/**
 * Estimates the costs of all candidate plans for a query. All estimates assume the same number of
 * rows in the data table. Regions are looked up in rounds, until the cheapest candidate is known.
 */
final class CandidateEstimates {

  /**
   * Maximum number of regions that are looked up for each candidate in a round. The next round
   * follows if it is not yet clear which candidate is cheapest.
   */
  private static final int[] LIMITS = {8, 64, 512};

  private final List<CandidatePlan> candidates = new ArrayList<>();
  private final TableStatistics dataStatistics;
  private List<PlanEstimate> estimates = Collections.emptyList();

  /**
   * Creates the candidates without looking up regions.
   *
   * @param dataPlan the plan for the data table
   */
  CandidateEstimates(QueryPlan dataPlan, List<QueryPlan> plans) throws SQLException {
    PTable dataTable = dataPlan.getTableRef().getTable();
    PhoenixConnection connection = dataPlan.getContext().getConnection();
    dataStatistics = TableStatistics.of(connection, dataTable);
    boolean isParallel = ScanUtil.getStatsForParallelizationProp(connection, dataTable);
    for (QueryPlan plan : plans) {
      candidates.add(new CandidatePlan(plan, dataTable, dataPlan, isParallel));
    }
  }

  /** Returns the candidates, in the order in which their plans were given. */
  List<CandidatePlan> candidates() {
    return candidates;
  }

  /** Returns the names of the tables or indexes that the candidates scan. */
  List<String> names() {
    return candidates.stream().map(CandidatePlan::name).collect(toList());
  }

  /**
   * Estimates all candidates in rounds. Stops after the last round, or when all regions of the
   * cheapest candidate have been located.
   */
  List<PlanEstimate> estimateInRounds() throws SQLException {
    for (int i = 0; i < LIMITS.length && (i == 0 || !isCheapestComplete()); i++) {
      estimate(LIMITS[i]);
    }
    return estimates;
  }

  /** Returns whether all regions of the cheapest candidate have been located. */
  private boolean isCheapestComplete() {
    return estimates.stream()
        .min(Comparator.comparingDouble(PlanEstimate::cost))
        .filter(PlanEstimate::isComplete)
        .isPresent();
  }

  /** Estimates all candidates, from at most {@code limit} regions of each. */
  List<PlanEstimate> estimate(int limit) throws SQLException {
    for (CandidatePlan candidate : candidates) {
      candidate.locate(limit);
    }
    double ofTable = dataStatistics.isKnown() ? dataStatistics.rows() : assumedRows();
    List<OptionalDouble> ofRegions =
        candidates.stream().map(candidate -> candidate.dataRows(dataStatistics)).collect(toList());
    double fewest =
        ofRegions.stream()
            .filter(OptionalDouble::isPresent)
            .mapToDouble(OptionalDouble::getAsDouble)
            .reduce(ofTable, Math::min);
    estimates = new ArrayList<>();
    for (int i = 0; i < candidates.size(); i++) {
      estimates.add(candidates.get(i).estimate(ofTable, ofRegions.get(i).orElse(fewest)));
    }
    return estimates;
  }

  /** Returns the number of rows of the data table that its number of regions suggests. */
  private double assumedRows() {
    int located = CandidatePlan.REGIONS_OF_TABLE;
    int known = 0;
    for (CandidatePlan candidate : candidates) {
      located = Math.max(located, candidate.regions());
      known = Math.max(known, candidate.regionsOfTable());
    }
    return TableStatistics.DEFAULT_ROWS_PER_REGION * (known > 0 ? known : located);
  }
}
