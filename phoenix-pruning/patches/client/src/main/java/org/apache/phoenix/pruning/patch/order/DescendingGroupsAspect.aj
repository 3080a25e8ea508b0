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

import java.util.Collections;
import java.util.List;
import org.apache.phoenix.compile.OrderByCompiler.OrderBy;
import org.apache.phoenix.compile.OrderPreservingTracker;
import org.apache.phoenix.execute.AggregatePlan;
import org.apache.phoenix.iterate.MergeSortRowKeyResultIterator;
import org.apache.phoenix.iterate.ResultIterators;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;

/**
 * Merges the groups of several regions in the order in which the regions return them. Phoenix's
 * {@code AggregatePlan} merges them by the bytes of their keys (not reported). If the scans do not
 * return groups in order, Phoenix sorts them by the same bytes, and removes an {@code ORDER BY V
 * DESC}. With this aspect, the ORDER BY remains.
 *
 * <p>Example: {@code SELECT V, COUNT(*) FROM T GROUP BY V} along an index on {@code V DESC} of
 * variable width returns a group in parts. This happens if the value of one group begins with that
 * of another, such as {@code bz} and {@code b}.
 */
public privileged aspect DescendingGroupsAspect {

  // Corrects the result of the other patch, which is independent.
  declare precedence : DescendingGroupsAspect, KeyOrderAspect;

  MergeSortRowKeyResultIterator around(
      AggregatePlan plan, ResultIterators iterators, boolean reverse) :
      call(MergeSortRowKeyResultIterator.new(ResultIterators, int, boolean))
      && withincode(* AggregatePlan.newIterator(..))
      && this(plan)
      && args(iterators, *, reverse) {
    if (!DescendingGroupMerge.isNeededFor(plan)
        || !Patches.isOn(Patch.DESCENDING_GROUPS, plan.getContext().getConnection())) {
      return proceed(plan, iterators, reverse);
    }
    return new DescendingGroupMerge(iterators, reverse);
  }

  boolean around(OrderPreservingTracker tracker) :
      execution(boolean OrderPreservingTracker.isOrderPreserving()) && this(tracker) {
    return proceed(tracker)
        && !(DescendingGroupMerge.isSortedByKey(tracker.groupBy)
            && Patches.isOn(Patch.DESCENDING_GROUPS, tracker.context.getConnection()));
  }

  List<OrderBy> around(AggregatePlan plan) :
      execution(List<OrderBy> AggregatePlan.getOutputOrderBys()) && this(plan) {
    return plan.getOrderBy().isEmpty()
            && DescendingGroupMerge.isSortedByKey(plan.getGroupBy())
            && Patches.isOn(Patch.DESCENDING_GROUPS, plan.getContext().getConnection())
        ? Collections.<OrderBy>emptyList()
        : proceed(plan);
  }
}
