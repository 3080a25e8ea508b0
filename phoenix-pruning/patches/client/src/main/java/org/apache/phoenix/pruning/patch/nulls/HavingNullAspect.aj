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
package org.apache.phoenix.pruning.patch.nulls;

import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.iterate.AggregatingResultIterator;
import org.apache.phoenix.iterate.FilterAggregatingResultIterator;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;

/**
 * Drops groups whose HAVING condition is null. Phoenix's {@code FilterAggregatingResultIterator}
 * drops a group only if the condition is false (not reported).
 *
 * <p>Example: {@code SELECT S FROM T GROUP BY S HAVING MAX(V) > 3} returns each S without any V.
 */
public aspect HavingNullAspect {

  FilterAggregatingResultIterator around(
      QueryPlan plan, AggregatingResultIterator groups, Expression having) :
      call(FilterAggregatingResultIterator.new(AggregatingResultIterator, Expression))
      && this(plan)
      && args(groups, having) {
    return proceed(
        plan,
        groups,
        Patches.isOn(Patch.HAVING_NULL, plan.getContext().getConnection())
            ? new GroupCondition(having)
            : having);
  }
}
