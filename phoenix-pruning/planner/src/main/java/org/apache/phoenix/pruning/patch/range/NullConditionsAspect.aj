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
import java.util.Objects;
import java.util.stream.IntStream;
import org.apache.phoenix.compile.WhereOptimizer.KeyExpressionVisitor.KeySlots;
import org.apache.phoenix.compile.WhereOptimizer.KeyExpressionVisitor;
import org.apache.phoenix.expression.IsNullExpression;
import org.apache.phoenix.expression.OrExpression;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.query.KeyRange;

/**
 * Makes no key range for conditions whose range would not separate nulls from values. Phoenix's
 * {@code WhereOptimizer} then tests the condition for each row (not reported).
 */
public privileged aspect NullConditionsAspect {

  /**
   * Creates no key range for IS NULL if the key can lack a descending column. A null at the end of
   * a key has no bytes, but Phoenix's {@code WhereOptimizer} seeks a byte for a null in a
   * descending column.
   */
  KeySlots around(KeyExpressionVisitor visitor, IsNullExpression isNull) :
      execution(KeySlots KeyExpressionVisitor.visitLeave(IsNullExpression, List))
      && this(visitor)
      && args(isNull, *) {
    KeySlots slots = proceed(visitor, isNull);
    return slotsWith(visitor, slots, KeyRange.IS_NULL_RANGE)
            .anyMatch(i -> NullRanges.canEndBeforeDescending(visitor.table.getPKColumns(), i))
        ? null
        : slots;
  }

  /**
   * Creates no key range for an OR whose ranges together cover all values of a nullable column.
   * Phoenix's {@code WhereOptimizer} creates one range for {@code B < 'b' OR B > 'a'}, which also
   * contains the nulls.
   */
  KeySlots around(KeyExpressionVisitor visitor) :
      execution(KeySlots KeyExpressionVisitor.orKeySlots(OrExpression, List))
      && this(visitor) {
    KeySlots slots = proceed(visitor);
    return slotsWith(visitor, slots, KeyRange.EVERYTHING_RANGE)
            .anyMatch(i -> NullRanges.canBeAbsent(visitor.table.getPKColumns().get(i)))
        ? null
        : slots;
  }

  /**
   * Returns the positions of the key columns that have {@code range}, or none if the patch is off.
   */
  private static IntStream slotsWith(
      KeyExpressionVisitor visitor, KeySlots slots, KeyRange range) {
    if (slots == null || !Patches.isOn(Patch.NULL_RANGES, visitor.context.getConnection())) {
      return IntStream.empty();
    }
    return slots.getSlots().stream()
        .filter(Objects::nonNull)
        .filter(slot -> slot.getKeyRanges().contains(range))
        .mapToInt(slot -> slot.getPKPosition());
  }
}
