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
package org.apache.phoenix.pruning.scan;

import java.sql.SQLException;
import java.util.List;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.compile.StatementContext;
import org.apache.phoenix.execute.HashJoinPlan;
import org.apache.phoenix.execute.ScanPlan;
import org.apache.phoenix.execute.TupleProjectionPlan;
import org.apache.phoenix.execute.TupleProjector;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.pruning.metrics.Fallbacks;
import org.apache.phoenix.pruning.prune.TransitiveConditions;
import org.apache.phoenix.pruning.where.JoinConditions;
import org.jspecify.annotations.Nullable;

/** One side of a join. It passes conditions on the join columns to the other side. */
public final class JoinSide {

  private final QueryPlan plan;
  private final List<Expression> columns;
  private final @Nullable TupleProjector projector;

  /**
   * Creates a side of a join.
   *
   * @param columns the columns that the join compares
   * @param projector the projection of {@code plan}, or null if {@code plan} is not a derived table
   */
  public JoinSide(QueryPlan plan, List<Expression> columns, @Nullable TupleProjector projector) {
    this.plan =
        plan instanceof TupleProjectionPlan ? ((TupleProjectionPlan) plan).getDelegate() : plan;
    this.columns = columns;
    this.projector = projector;
  }

  /**
   * Passes the conditions of this side to {@code other} if this side is a plain scan. A plan with a
   * subquery in its WHERE is no plain scan.
   */
  public void passConditionsTo(JoinSide other) {
    if (isWholeScan(plan)) {
      other.addConditions(plan.getContext(), columns, projector);
    }
  }

  /**
   * Adds conditions that follow from the WHERE of another scan.
   *
   * @param from the context of the other scan
   * @param fromColumns columns of the other scan, each equal to the column of this side at the same
   *     position
   * @param fromProjector the projection that returns {@code fromColumns}, or null if there is none
   */
  public void addConditions(
      StatementContext from, List<Expression> fromColumns, @Nullable TupleProjector fromProjector) {
    try {
      QueryPlan target = plan instanceof HashJoinPlan ? ((HashJoinPlan) plan).getDelegate() : plan;
      if (isWholeScan(target)
          && plan.getLimit() == null
          && PlanningMode.of(target) == PruningMode.EXACT) {
        TransitiveConditions.pass(
            from,
            JoinConditions.projected(fromColumns, fromProjector),
            target.getContext(),
            target.getTableRef().getTable(),
            JoinConditions.projected(columns, projector));
      }
    } catch (SQLException | RuntimeException e) {
      Fallbacks.GLOBAL.pruningFailed("by a join on " + fromColumns, e);
    }
  }

  /** Returns whether a plan returns all rows that it scans, without grouping, LIMIT or OFFSET. */
  private static boolean isWholeScan(QueryPlan plan) {
    return plan instanceof ScanPlan && plan.getLimit() == null && plan.getOffset() == null;
  }
}
