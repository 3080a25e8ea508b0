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
package org.apache.phoenix.pruning.patch.order;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.apache.phoenix.compile.OrderByCompiler.OrderBy;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.execute.AggregatePlan;
import org.apache.phoenix.execute.ClientAggregatePlan;
import org.apache.phoenix.execute.ClientScanPlan;
import org.apache.phoenix.execute.ScanPlan;
import org.apache.phoenix.execute.UnionPlan;
import org.apache.phoenix.expression.CoerceExpression;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.expression.OrderByExpression;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.schema.SortOrder;
import org.apache.phoenix.schema.types.PDataType;

/**
 * Sorts a descending value of variable width by its ascending bytes. Phoenix's plans sort by the
 * descending bytes in the opposite direction. No separator follows these bytes, so {@code
 * MergeSortTopNResultIterator}, which merges several scans, swaps {@code b} and {@code bz} (not
 * reported).
 *
 * <p>The change applies to execution only. EXPLAIN, and code that compares orders, see Phoenix's
 * order.
 *
 * <p>Example: {@code SELECT S, K FROM T ORDER BY S DESC NULLS LAST, K} along a local index on
 * {@code S DESC} can return {@code b} before {@code bz}.
 */
public aspect DescendingOrderAspect {

  private pointcut plans() :
      within(ScanPlan)
          || within(AggregatePlan)
          || within(ClientScanPlan)
          || within(ClientAggregatePlan)
          || within(UnionPlan);

  private pointcut ordersOfUnion() :
      execution(List UnionPlan.getOrderByExpressionsWhenSupportOrderByOptimize());

  /**
   * Softens an exception that {@code CoerceExpression.create} declares, but does not throw here.
   */
  declare soft :
      SQLException :
      call(static Expression CoerceExpression.create(..)) && within(DescendingOrderAspect);

  List<OrderByExpression> around(QueryPlan plan) :
      this(plan)
      && (ordersOfUnion()
          || (call(List OrderBy.getOrderByExpressions())
              && plans()
              && !withincode(* *.getExplainPlan(..))
              && !withincode(List UnionPlan.getOrderByExpressionsWhenSupportOrderByOptimize()))) {
    if (!Patches.isOn(Patch.DESCENDING_ORDER, plan.getContext().getConnection())) {
      return proceed(plan);
    }
    List<OrderByExpression> orders = new ArrayList<>();
    for (OrderByExpression order : proceed(plan)) {
      orders.add(ascending(order));
    }
    return orders;
  }

  private static OrderByExpression ascending(OrderByExpression order) {
    Expression expression = order.getExpression();
    PDataType<?> type = expression.getDataType();
    if (expression.getSortOrder() == SortOrder.ASC || type.isFixedWidth() || type.isArrayType()) {
      return order;
    }
    return OrderByExpression.createByCheckIfOrderByReverse(
        CoerceExpression.create(expression, type, SortOrder.ASC, expression.getMaxLength()),
        order.isNullsLast(),
        !order.isAscending(),
        false);
  }
}
