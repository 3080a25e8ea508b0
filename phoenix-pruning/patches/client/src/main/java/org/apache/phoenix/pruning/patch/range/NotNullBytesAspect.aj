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
import org.apache.phoenix.compile.WhereOptimizer.KeyExpressionVisitor;
import org.apache.phoenix.compile.WhereOptimizer.KeyExpressionVisitor.KeySlots;
import org.apache.phoenix.expression.IsNullExpression;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.query.KeyRange;

/**
 * Creates no key range for IS NOT NULL of binary values and arrays, for the patch {@code
 * null-ranges}. Phoenix's range starts at the byte 1, and such values can begin with the byte 0
 * (not reported). The condition is tested for each row instead.
 *
 * <p>Example: {@code SELECT K FROM T WHERE K > 1 AND B IS NOT NULL} of the key (K, B) does not find
 * the VARBINARY {@code X'0001'}.
 */
public privileged aspect NotNullBytesAspect {

  declare precedence : NotNullBytesAspect, DescendingNullAspect;

  KeySlots around(KeyExpressionVisitor visitor, IsNullExpression isNull) :
      execution(KeySlots KeyExpressionVisitor.visitLeave(IsNullExpression, List))
      && this(visitor)
      && args(isNull, *) {
    KeySlots slots = proceed(visitor, isNull);
    return slots != null
            && Patches.isOn(Patch.NULL_RANGES, visitor.context.getConnection())
            && KeySlotRanges.contain(
                slots,
                KeyRange.IS_NOT_NULL_RANGE,
                column ->
                    !NullRanges.isTextOrNumber(
                        visitor.table.getPKColumns().get(column).getDataType()))
        ? null
        : slots;
  }
}
