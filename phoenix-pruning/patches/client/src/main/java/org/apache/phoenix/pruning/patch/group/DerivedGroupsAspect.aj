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
package org.apache.phoenix.pruning.patch.group;

import org.apache.phoenix.compile.GroupByCompiler.GroupBy;
import org.apache.phoenix.compile.OrderByCompiler.OrderBy;
import org.apache.phoenix.compile.OrderPreservingTracker;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.execute.TupleProjectionPlan;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.expression.RowKeyColumnExpression;
import org.apache.phoenix.expression.visitor.ExpressionVisitor;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;

/**
 * Decides whether a derived table returns its groups in the order of a column, although an earlier
 * column of the group key is not selected. The order holds only if the earlier column is constant.
 *
 * <p>Phoenix's {@code TupleProjectionPlan} looks up the position of the earlier column in the
 * ranges of the row key, which has other columns (not reported). The first column of a local index
 * is its constant number.
 *
 * <p>Example: {@code SELECT X, COUNT(*) FROM (SELECT A X FROM T WHERE V > 2 GROUP BY A, V) GROUP BY
 * X} along an index on {@code (V)} returns each X once for each V.
 */
public aspect DerivedGroupsAspect {

  private pointcut projection(QueryPlan plan) :
      execution(OrderBy TupleProjectionPlan.convertSingleInputOrderBy(..)) && args(plan, ..);

  Object around(QueryPlan plan, Expression ordered) :
      call(Object Expression.accept(ExpressionVisitor))
      && withincode(boolean OrderPreservingTracker.*.hasEqualityConstraints(int, int))
      && cflow(projection(plan))
      && target(ordered) {
    GroupBy groupBy = plan.getGroupBy();
    if (groupBy == null
        || groupBy.isEmpty()
        || !Patches.isOn(Patch.DERIVED_GROUPS, plan.getContext().getConnection())) {
      return proceed(plan, ordered);
    }
    return ordered instanceof RowKeyColumnExpression
        ? proceed(
            plan,
            groupBy.getExpressions().get(((RowKeyColumnExpression) ordered).getPosition()))
        : Boolean.FALSE;
  }
}
