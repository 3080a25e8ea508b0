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
import java.util.Set;
import org.apache.phoenix.compile.StatementContext;
import org.apache.phoenix.compile.WhereCompiler;
import org.apache.phoenix.execute.HashJoinPlan.HashSubPlan;
import org.apache.phoenix.execute.HashJoinPlan.SubPlan;
import org.apache.phoenix.execute.HashJoinPlan;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.iterate.ResultIterator;
import org.apache.phoenix.pruning.where.BoundWhere;
import org.apache.phoenix.pruning.where.JoinKeys;

/**
 * Plans the probe side of a hash join without the keys that Phoenix's {@code HashJoinPlan} adds to
 * its WHERE, if {@link JoinKeys} has all keys. The planning then uses the keys of {@link JoinKeys},
 * which are fewer.
 */
public privileged aspect ProbeSideWhereAspect {

  /** WHERE of the probe side without join keys; null before the first execution. */
  private BoundWhere HashJoinPlan.whereWithoutKeys;

  Expression around(HashJoinPlan plan, StatementContext context) throws SQLException :
      call(static Expression WhereCompiler.compile(StatementContext, *, *, List, Set, *))
      && withincode(ResultIterator HashJoinPlan.iterator(..))
      && this(plan)
      && args(context, ..) {
    if (plan.whereWithoutKeys == null || plan.recompileWhereClause) {
      plan.whereWithoutKeys = context.getBoundWhere();
    }
    Expression where = proceed(plan, context);
    if (areKeysKnown(plan)) {
      context.setBoundWhere(plan.whereWithoutKeys);
    }
    return where;
  }

  private static boolean areKeysKnown(HashJoinPlan plan) {
    for (SubPlan subPlan : plan.subPlans) {
      if (subPlan.hasKeyRangeExpression()) {
        JoinKeys keys = ((HashSubPlan) subPlan).joinKeys;
        if (keys == null || !keys.isComplete()) {
          return false;
        }
      }
    }
    return true;
  }
}
