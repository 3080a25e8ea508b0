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
package org.apache.phoenix.pruning.patch.range;

import java.util.List;
import org.apache.phoenix.compile.KeySlotRanges;
import org.apache.phoenix.compile.WhereOptimizer.KeyExpressionVisitor.KeySlots;
import org.apache.phoenix.compile.WhereOptimizer.KeyExpressionVisitor;
import org.apache.phoenix.expression.OrExpression;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.query.KeyRange;

/**
 * Creates no key range for an OR whose ranges together cover all values of a nullable column.
 * Phoenix's {@code WhereOptimizer} creates one range for such an OR, which also contains the nulls
 * (not reported). The condition is tested for each row instead.
 *
 * <p>Example: {@code SELECT K, L FROM T WHERE K = 'a' AND (L < 'b' OR L > 'a')} also finds rows in
 * which L is null.
 */
public privileged aspect NullOrValueAspect {

  KeySlots around(KeyExpressionVisitor visitor) :
      execution(KeySlots KeyExpressionVisitor.orKeySlots(OrExpression, List))
      && this(visitor) {
    KeySlots slots = proceed(visitor);
    return slots != null
            && Patches.isOn(Patch.NULL_OR_VALUE, visitor.context.getConnection())
            && KeySlotRanges.contain(
                slots,
                KeyRange.EVERYTHING_RANGE,
                column -> NullRanges.canBeAbsent(visitor.table.getPKColumns().get(column)))
        ? null
        : slots;
  }
}
