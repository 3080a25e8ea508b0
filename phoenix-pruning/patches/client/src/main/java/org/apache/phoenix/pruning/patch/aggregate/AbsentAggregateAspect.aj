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
package org.apache.phoenix.pruning.patch.aggregate;

import java.util.List;
import org.apache.phoenix.compile.AggregationManager;
import org.apache.phoenix.expression.function.FirstLastValueBaseFunction;
import org.apache.phoenix.expression.function.StddevSampFunction;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;

/**
 * Marks FIRST_VALUE and related functions as nullable. For {@code FIRST_VALUE(V) WITHIN GROUP
 * (ORDER BY K)}, Phoenix's {@code AggregationManager} checks whether {@code K} can be null, instead
 * of {@code V}. The server writes the aggregates of a group one after the other, and marks only
 * those that can be null. If {@code V} is null in the whole group, the client reads the next
 * aggregate instead (not reported).
 *
 * <p>With the patch {@code standard-deviation}, STDDEV_SAMP of one row is null even if the column
 * cannot be null. So STDDEV_SAMP is also marked.
 *
 * <p>Example: {@code SELECT A, FIRST_VALUE(V) WITHIN GROUP (ORDER BY K ASC), SUM(W) FROM T GROUP BY
 * A} along an index on A fails if V is null in a whole group.
 */
public aspect AbsentAggregateAspect {

  int around(List functions) :
      execution(static int AggregationManager.getMinNullableIndex(List, boolean))
      && args(functions, boolean) {
    int first = proceed(functions);
    for (int i = 0; i < first; i++) {
      Object function = functions.get(i);
      if (function instanceof FirstLastValueBaseFunction
          ? Patches.isOn(Patch.ABSENT_AGGREGATE)
          : function instanceof StddevSampFunction && Patches.isOn(Patch.STANDARD_DEVIATION)) {
        return i;
      }
    }
    return first;
  }
}
