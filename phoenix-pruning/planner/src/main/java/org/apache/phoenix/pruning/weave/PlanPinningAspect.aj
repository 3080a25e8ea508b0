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
package org.apache.phoenix.pruning.weave;

import java.sql.SQLException;
import java.util.Map;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.compile.StatementContext;
import org.apache.phoenix.execute.AggregatePlan;
import org.apache.phoenix.execute.BaseQueryPlan;
import org.apache.phoenix.execute.MutationState;
import org.apache.phoenix.iterate.ParallelScanGrouper;
import org.apache.phoenix.iterate.ResultIterator;
import org.apache.phoenix.iterate.TableResultIterator;
import org.apache.phoenix.monitoring.ScanMetricsHolder;
import org.apache.phoenix.pruning.optimize.PlanPinning;
import org.apache.phoenix.pruning.optimize.PlanStampCheck;
import org.apache.phoenix.pruning.protocol.PlanStamp;
import org.apache.phoenix.pruning.scan.ReaderScans;

/**
 * Refuses to read scans of another process with a plan that misreads their rows. Spark, Trino and
 * Phoenix's {@code PhoenixInputFormat} compile the statement again in each task, and can get
 * another plan (not reported).
 */
public privileged aspect PlanPinningAspect {

  declare parents : StatementContext implements PlanPinning.Holder;

  /** Stamp of the plan; null until needed. */
  private PlanStamp StatementContext.planStamp;

  public PlanStamp StatementContext.getPlanStamp() {
    return planStamp;
  }

  public void StatementContext.setPlanStamp(PlanStamp stamp) {
    this.planStamp = stamp;
  }

  declare parents : BaseQueryPlan implements ReaderScans.Reader;

  public QueryPlan BaseQueryPlan.planForDataTable() {
    return dataPlan;
  }

  /**
   * Marks the scans of groups and aggregates, such as {@code SELECT V FROM T WHERE W = 3 GROUP BY
   * V}. Phoenix's {@code AggregatePlan} makes its scans with the default grouper (not reported). So
   * {@code LocalIndexScansAspect} cannot tell that other processes read them.
   */
  before(AggregatePlan plan, ParallelScanGrouper grouper, Scan scan) :
      execution(ResultIterator AggregatePlan.newIterator(ParallelScanGrouper, Scan, Map))
      && this(plan) && args(grouper, scan, *) {
    PlanPinning.mark(plan, scan, grouper);
  }

  before(Scan scan, QueryPlan plan, ParallelScanGrouper grouper) throws SQLException :
      execution(TableResultIterator.new(
          MutationState, Scan, ScanMetricsHolder, long, QueryPlan, ParallelScanGrouper, Map,
          boolean, long))
      && args(*, scan, *, *, plan, grouper, *, *, *) {
    PlanStampCheck.check(plan, scan, grouper);
  }
}
