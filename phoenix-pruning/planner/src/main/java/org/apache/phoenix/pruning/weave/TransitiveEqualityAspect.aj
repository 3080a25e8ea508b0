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
import org.apache.phoenix.execute.HashJoinPlan;
import org.apache.phoenix.execute.HashJoinPlan.HashSubPlan;
import org.apache.phoenix.execute.HashJoinPlan.SubPlan;
import org.apache.phoenix.execute.ScanPlan;
import org.apache.phoenix.execute.SortMergeJoinPlan;
import org.apache.phoenix.execute.TupleProjectionPlan;
import org.apache.phoenix.execute.TupleProjector;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.parse.JoinTableNode.JoinType;
import org.apache.phoenix.pruning.plan.JoinConditions;
import org.apache.phoenix.pruning.plan.LocalIndexPlanning;
import org.apache.phoenix.pruning.plan.PruningMetrics;

/** Tells each side of a join what the other one says of the columns that are equal. */
public privileged aspect TransitiveEqualityAspect {

  after(SortMergeJoinPlan plan) returning :
      execution(SortMergeJoinPlan.new(..)) && this(plan) {
    if (plan.joinType != JoinType.Full) {
      tell(plan.lhsPlan, plan.lhsKeyExpressions, plan.rhsPlan, plan.rhsKeyExpressions);
    }
    if (plan.joinType == JoinType.Inner || plan.joinType == JoinType.Semi) {
      tell(plan.rhsPlan, plan.rhsKeyExpressions, plan.lhsPlan, plan.lhsKeyExpressions);
    }
  }

  /** The other way round, the keys that are found tell more. */
  after(HashJoinPlan plan) returning :
      execution(HashJoinPlan.new(..)) && this(plan) {
    // With a subquery in it, a WHERE has no values before it is executed.
    if (plan.joinInfo == null || plan.recompileWhereClause) {
      return;
    }
    for (SubPlan subPlan : plan.subPlans) {
      if (subPlan instanceof HashSubPlan) {
        HashSubPlan build = (HashSubPlan) subPlan;
        // A cache that lasts is used with other probe sides, too.
        if (build.hashExpressions != null && !build.usePersistentCache) {
          // Groups and the first rows are made after the join.
          tell(
              plan.delegate.getContext(),
              plan.joinInfo.getJoinExpressions()[build.index],
              null,
              build.plan,
              build.hashExpressions);
        }
      }
    }
  }

  /** A plan with a subquery in its WHERE is no scan. */
  private static void tell(
      QueryPlan from, List<Expression> columns, QueryPlan to, List<Expression> equalColumns) {
    if (isWholeScan(projected(from))) {
      tell(projected(from).getContext(), columns, projector(from), to, equalColumns);
    }
  }

  private static void tell(
      StatementContext from,
      List<Expression> columns,
      TupleProjector projector,
      QueryPlan to,
      List<Expression> equalColumns) {
    try {
      QueryPlan probe = projected(to);
      QueryPlan target = probe instanceof HashJoinPlan ? ((HashJoinPlan) probe).delegate : probe;
      if (isWholeScan(target) && probe.getLimit() == null && LocalIndexPlanning.isFor(target)) {
        JoinConditions.tell(
            from,
            JoinConditions.projected(columns, projector),
            target.getContext(),
            target.getTableRef().getTable(),
            JoinConditions.projected(equalColumns, projector(to)));
      }
    } catch (SQLException | RuntimeException e) {
      PruningMetrics.GLOBAL.failed("of a join on " + columns, e);
    }
  }

  /** Whether the rows of a plan are those that it scans: neither groups, nor the first ones. */
  private static boolean isWholeScan(QueryPlan plan) {
    return plan instanceof ScanPlan && plan.getLimit() == null && plan.getOffset() == null;
  }

  /** What a derived table is made of. */
  private static QueryPlan projected(QueryPlan plan) {
    return plan instanceof TupleProjectionPlan ? ((TupleProjectionPlan) plan).delegate : plan;
  }

  private static TupleProjector projector(QueryPlan plan) {
    return plan instanceof TupleProjectionPlan ? ((TupleProjectionPlan) plan).tupleProjector : null;
  }
}
