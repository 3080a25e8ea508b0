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

import java.util.List;
import org.apache.phoenix.compile.GroupByCompiler.GroupBy;
import org.apache.phoenix.compile.OrderPreservingTracker.Info;
import org.apache.phoenix.compile.OrderPreservingTracker.Ordering;
import org.apache.phoenix.compile.OrderPreservingTracker;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.compile.StatementContext;
import org.apache.phoenix.expression.ColumnExpression;
import org.apache.phoenix.expression.Expression;

/**
 * Lets GROUP BY and ORDER BY use the order of the scanned rows only if their expressions have it.
 * Phoenix's {@code OrderPreservingTracker} assumes this order too often (not reported).
 *
 * <ul>
 *   <li>A table with the key {@code (HOST, TS DESC, METRIC)} has a local index on {@code (METRIC,
 *       TS DESC)}. {@code SELECT HOST, TRUNC(TS, 'HOUR'), MAX(VAL) FROM M WHERE METRIC = 'mem'
 *       GROUP BY HOST, TRUNC(TS, 'HOUR')} along this index returns a group in parts. The scan does
 *       not return all rows of one host and hour together. Moreover, the hours descend, but {@code
 *       AggregatePlan} merges them as if they ascended.
 *   <li>{@code SELECT * FROM T ORDER BY TRUNC(D, 'HOUR')} with a key column {@code D DESC} returns
 *       the latest hour first.
 * </ul>
 *
 * <p>Tables without a local index keep Phoenix's plans, because Phoenix's own tests assert some of
 * them.
 */
public privileged aspect KeyOrderAspect {

  private int OrderPreservingTracker.expressionCount;
  private boolean OrderPreservingTracker.hasFunctions;

  /** True if the key columns are those of the scan, and false if they are those of a group key. */
  private boolean OrderPreservingTracker.readsScan;

  /** Plan of the derived table that returns the rows, or null if there is none. */
  private QueryPlan OrderPreservingTracker.inner;

  after(OrderPreservingTracker tracker, List<?> orders, QueryPlan inner) returning :
      execution(OrderPreservingTracker.new(
          StatementContext, GroupBy, Ordering, int, List, QueryPlan, Expression))
      && this(tracker)
      && args(*, *, *, *, orders, inner, *) {
    tracker.readsScan = orders == null && inner == null;
    tracker.inner = inner;
  }

  before(OrderPreservingTracker tracker, Expression expression) :
      execution(void OrderPreservingTracker.track(Expression, Boolean, Boolean))
      && this(tracker)
      && args(expression, *, *) {
    tracker.expressionCount++;
    tracker.hasFunctions |= !(expression instanceof ColumnExpression);
  }

  private boolean OrderPreservingTracker.isCorrected() {
    return hasFunctions && KeyOrderScope.contains(context, inner);
  }

  boolean around(OrderPreservingTracker tracker) :
      execution(boolean OrderPreservingTracker.isOrderPreserving()) && this(tracker) {
    if (!tracker.isCorrected()) {
      return proceed(tracker);
    }
    FunctionTracking.start();
    try {
      if (!proceed(tracker)) {
        return false;
      }
    } finally {
      FunctionTracking.end();
    }
    List<Info> infos = tracker.getOrderPreservingTrackInfos();
    boolean buildsGroups = tracker.groupBy.isEmpty() && tracker.ordering == Ordering.UNORDERED;
    return infos.size() == tracker.expressionCount
        && (!buildsGroups || KeyOrder.canGroup(infos, tracker.context));
  }

  List<Info> around(OrderPreservingTracker tracker) :
      execution(List<Info> OrderPreservingTracker.getOrderPreservingTrackInfos())
      && this(tracker) {
    List<Info> infos = proceed(tracker);
    return infos.isEmpty() || !tracker.isCorrected()
        ? infos
        : infos.subList(0, orderedCount(tracker, infos));
  }

  private static int orderedCount(OrderPreservingTracker tracker, List<Info> infos) {
    int[] positions = new int[infos.size()];
    for (int i = 0; i < positions.length; i++) {
      positions[i] = infos.get(i).pkPosition;
    }
    return KeyOrder.orderedCount(
        Info.extractExpressions(infos),
        positions,
        tracker.readsScan && tracker.groupBy.isEmpty() ? tracker.context.getScanRanges() : null);
  }
}
