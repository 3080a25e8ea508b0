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
import java.util.List;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.compile.StatementContext;
import org.apache.phoenix.execute.HashJoinPlan.HashSubPlan;
import org.apache.phoenix.execute.HashJoinPlan.SubPlan;
import org.apache.phoenix.execute.HashJoinPlan;
import org.apache.phoenix.execute.ScanPlan;
import org.apache.phoenix.execute.SortMergeJoinPlan;
import org.apache.phoenix.execute.TupleProjectionPlan;
import org.apache.phoenix.execute.TupleProjector;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.parse.JoinTableNode.JoinType;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.pruning.metrics.Fallbacks;
import org.apache.phoenix.pruning.prune.TransitiveConditions;
import org.apache.phoenix.pruning.scan.PlanningMode;
import org.apache.phoenix.pruning.where.JoinConditions;

/**
 * Passes conditions on the join columns from one side of a join to the other side, so that both
 * sides are pruned.
 */
public privileged aspect TransitiveEqualityAspect {

  after(SortMergeJoinPlan plan) returning :
      execution(SortMergeJoinPlan.new(..)) && this(plan) {
    if (plan.joinType != JoinType.Full) {
      passConditions(plan.lhsPlan, plan.lhsKeyExpressions, plan.rhsPlan, plan.rhsKeyExpressions);
    }
    if (plan.joinType == JoinType.Inner || plan.joinType == JoinType.Semi) {
      passConditions(plan.rhsPlan, plan.rhsKeyExpressions, plan.lhsPlan, plan.lhsKeyExpressions);
    }
  }

  /**
   * Passes the conditions of the probe side to the build sides. In the other direction, the join
   * keys that an execution finds are more selective than conditions.
   */
  after(HashJoinPlan plan) returning :
      execution(HashJoinPlan.new(..)) && this(plan) {
    // A WHERE with a subquery has no values until the subquery is executed.
    if (plan.joinInfo == null || plan.recompileWhereClause) {
      return;
    }
    for (SubPlan subPlan : plan.subPlans) {
      if (subPlan instanceof HashSubPlan) {
        HashSubPlan build = (HashSubPlan) subPlan;
        // A persistent cache is also used with other probe sides.
        if (build.hashExpressions != null && !build.usePersistentCache) {
          // GROUP BY and LIMIT of the probe side apply after the join, so they need no check.
          passConditions(
              plan.delegate.getContext(),
              plan.joinInfo.getJoinExpressions()[build.index],
              null,
              build.plan,
              build.hashExpressions);
        }
      }
    }
  }

  /**
   * Passes the conditions of {@code from} to {@code to} if {@code from} is a plain scan. A plan
   * with a subquery in its WHERE is no plain scan.
   */
  private static void passConditions(
      QueryPlan from, List<Expression> columns, QueryPlan to, List<Expression> equalColumns) {
    if (isWholeScan(projected(from))) {
      passConditions(projected(from).getContext(), columns, projector(from), to, equalColumns);
    }
  }

  private static void passConditions(
      StatementContext from,
      List<Expression> columns,
      TupleProjector projector,
      QueryPlan to,
      List<Expression> equalColumns) {
    try {
      QueryPlan probe = projected(to);
      QueryPlan target = probe instanceof HashJoinPlan ? ((HashJoinPlan) probe).delegate : probe;
      if (isWholeScan(target)
          && probe.getLimit() == null
          && PlanningMode.of(target) == PruningMode.EXACT) {
        TransitiveConditions.pass(
            from,
            JoinConditions.projected(columns, projector),
            target.getContext(),
            target.getTableRef().getTable(),
            JoinConditions.projected(equalColumns, projector(to)));
      }
    } catch (SQLException | RuntimeException e) {
      Fallbacks.GLOBAL.pruningFailed("by a join on " + columns, e);
    }
  }

  /** Returns whether a plan returns all rows that it scans, without grouping, LIMIT or OFFSET. */
  private static boolean isWholeScan(QueryPlan plan) {
    return plan instanceof ScanPlan && plan.getLimit() == null && plan.getOffset() == null;
  }

  /** Returns the plan that a derived table projects, or {@code plan} if it is no derived table. */
  private static QueryPlan projected(QueryPlan plan) {
    return plan instanceof TupleProjectionPlan ? ((TupleProjectionPlan) plan).delegate : plan;
  }

  private static TupleProjector projector(QueryPlan plan) {
    return plan instanceof TupleProjectionPlan ? ((TupleProjectionPlan) plan).tupleProjector : null;
  }
}
