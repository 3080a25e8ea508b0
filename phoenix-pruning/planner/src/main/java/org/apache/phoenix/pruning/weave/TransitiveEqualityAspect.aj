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

import java.util.List;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.execute.HashJoinPlan.HashSubPlan;
import org.apache.phoenix.execute.HashJoinPlan.SubPlan;
import org.apache.phoenix.execute.HashJoinPlan;
import org.apache.phoenix.execute.SortMergeJoinPlan;
import org.apache.phoenix.execute.TupleProjectionPlan;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.parse.JoinTableNode.JoinType;
import org.apache.phoenix.pruning.scan.JoinSide;

/**
 * Passes conditions on the join columns from one side of a join to the other side, so that both
 * sides are pruned.
 */
public privileged aspect TransitiveEqualityAspect {

  after(SortMergeJoinPlan plan) returning :
      execution(SortMergeJoinPlan.new(..)) && this(plan) {
    JoinSide left = side(plan.lhsPlan, plan.lhsKeyExpressions);
    JoinSide right = side(plan.rhsPlan, plan.rhsKeyExpressions);
    if (plan.joinType != JoinType.Full) {
      left.passConditionsTo(right);
    }
    if (plan.joinType == JoinType.Inner || plan.joinType == JoinType.Semi) {
      right.passConditionsTo(left);
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
          side(build.plan, build.hashExpressions)
              .addConditions(
                  plan.delegate.getContext(),
                  plan.joinInfo.getJoinExpressions()[build.index],
                  null);
        }
      }
    }
  }

  private static JoinSide side(QueryPlan plan, List<Expression> columns) {
    return new JoinSide(
        plan,
        columns,
        plan instanceof TupleProjectionPlan ? ((TupleProjectionPlan) plan).tupleProjector : null);
  }
}
