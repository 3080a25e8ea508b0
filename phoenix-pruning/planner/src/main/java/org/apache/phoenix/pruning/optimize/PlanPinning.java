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

import org.apache.hadoop.hbase.client.Scan;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.iterate.DefaultParallelScanGrouper;
import org.apache.phoenix.iterate.ParallelScanGrouper;
import org.apache.phoenix.pruning.protocol.PlanStamp;
import org.jspecify.annotations.Nullable;

/**
 * Ensures that readers in other processes use the plan for which their scans were made.
 *
 * <p>MapReduce, Spark and Trino send scans to tasks, and each task compiles the statement again. If
 * statistics, settings or indexes have changed by then, the task can choose another plan.
 *
 * <ol>
 *   <li>The process that plans marks its scans with a {@link PlanStamp} (this class).
 *   <li>A task of MapReduce compiles with the table or index of that stamp ({@link
 *       PinnedCompilation}).
 *   <li>A reader with another plan is refused, because it would misread the rows ({@link
 *       PlanStampCheck}).
 * </ol>
 *
 * <p>Pinning does not affect statements that read their own scans, or tables without local indexes.
 * In mode {@code stock}, scans are not marked, and scans without a stamp are not checked.
 */
public final class PlanPinning {

  /** Holds the stamp of a plan with its context. */
  public interface Holder {

    /** Returns the stamp, or null if it has not been needed yet. */
    @Nullable PlanStamp getPlanStamp();

    void setPlanStamp(PlanStamp stamp);
  }

  private PlanPinning() {}

  /**
   * Marks the scans that {@code plan} makes from {@code template}, if other processes read them.
   */
  public static void mark(QueryPlan plan, Scan template, @Nullable ParallelScanGrouper grouper) {
    if (!isReadByStatement(grouper)
        && ((PlanDecisions.Holder) (Object) plan.getContext().getStatement())
            .getPlanDecisions()
            .hasPinned(plan.getTableRef())) {
      stampOf(plan).mark(template);
    }
  }

  /** Returns whether the scans are read by their own statement, in this process. */
  static boolean isReadByStatement(@Nullable ParallelScanGrouper grouper) {
    return grouper == null || grouper.getClass() == DefaultParallelScanGrouper.class;
  }

  /** Returns the stamp of {@code plan}, which is computed once for each context. */
  static PlanStamp stampOf(QueryPlan plan) {
    Holder holder = (Holder) (Object) plan.getContext();
    PlanStamp stamp = holder.getPlanStamp();
    if (stamp == null) {
      stamp = PlanStamp.of(plan);
      holder.setPlanStamp(stamp);
    }
    return stamp;
  }
}
