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
package org.apache.phoenix.compile;

import org.apache.phoenix.compile.WhereOptimizer.KeyExpressionVisitor.KeySlot;
import org.apache.phoenix.compile.WhereOptimizer.KeyExpressionVisitor.KeySlots;
import org.apache.phoenix.compile.WhereOptimizer.KeyExpressionVisitor.SingleKeySlot;
import org.apache.phoenix.compile.WhereOptimizer.KeyExpressionVisitor;
import org.apache.phoenix.expression.CoerceExpression;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.pruning.patch.range.CastKeyPart;

/**
 * Makes the key ranges of conditions on a CAST in the type of the column. Phoenix's {@code
 * WhereOptimizer} makes the range in the bytes of the other type, and then converts the bounds (not
 * reported):
 *
 * <ul>
 *   <li>It fails if a bound is not the CAST of any value of the column.
 *   <li>Along an index, it reads the bytes of a bound in the wrong type.
 *   <li>It plans only one of several values with the same CAST.
 * </ul>
 *
 * <p>Example: {@code SELECT K FROM T WHERE CAST(V AS DECIMAL) = 2} along an index on {@code V}, a
 * TINYINT, finds no rows.
 */
public privileged aspect CastRangeAspect {

  KeySlots around(KeyExpressionVisitor visitor, KeySlot slot, CoerceExpression cast) :
      execution(private KeySlots KeyExpressionVisitor.newCoerceKeyPart(KeySlot, CoerceExpression))
      && this(visitor)
      && args(slot, cast) {
    if (!CastKeyPart.isOfCast(slot.getKeyPart(), cast)
        || !Patches.isOn(Patch.CAST_RANGE, visitor.context.getConnection())) {
      return proceed(visitor, slot, cast);
    }
    return CastKeyPart.hasRanges(cast)
        ? new SingleKeySlot(
            new CastKeyPart(slot.getKeyPart(), cast), slot.getPKPosition(), slot.getKeyRanges())
        : null;
  }
}
