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
import java.util.Arrays;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.pruning.layout.DataTables;
import org.apache.phoenix.pruning.stats.TableStatistics;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.util.ScanUtil;

/** Estimates the cost of a single plan from all its regions. */
public final class PlanEstimator {

  /**
   * Limit on regions that no table reaches. It is one less than the largest integer, because the
   * search looks for one more region than the limit.
   */
  private static final int ALL_REGIONS = Integer.MAX_VALUE - 1;

  private PlanEstimator() {}

  /**
   * Estimates the cost of {@code plan} as in a comparison with the plan for the data table.
   *
   * @param dataPlan the plan for the data table
   */
  public static PlanEstimate estimate(QueryPlan dataPlan, QueryPlan plan) throws SQLException {
    return new CandidateEstimates(dataPlan, Arrays.asList(dataPlan, plan))
        .estimate(ALL_REGIONS)
        .get(1);
  }

  /** Estimates the cost of {@code plan}, without regard to other plans. */
  public static PlanEstimate estimate(QueryPlan plan) throws SQLException {
    PhoenixConnection connection = plan.getContext().getConnection();
    PTable dataTable = DataTables.of(plan.getTableRef().getTable(), connection);
    TableStatistics dataStatistics = TableStatistics.of(connection, dataTable);
    boolean isParallel = ScanUtil.getStatsForParallelizationProp(connection, dataTable);
    CandidatePlan candidate = new CandidatePlan(plan, dataTable, null, isParallel);
    candidate.locate(ALL_REGIONS);
    byte[] name = dataTable.getPhysicalName().getBytes();
    double ofTable =
        dataStatistics.isKnown()
            ? dataStatistics.rows()
            : TableStatistics.DEFAULT_ROWS_PER_REGION
                * connection.getQueryServices().getAllTableRegions(name).size();
    return candidate.estimate(ofTable, candidate.dataRows(dataStatistics).orElse(ofTable));
  }
}
