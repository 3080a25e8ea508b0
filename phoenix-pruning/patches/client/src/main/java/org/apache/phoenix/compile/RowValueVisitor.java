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

import java.util.List;
import org.apache.phoenix.compile.WhereOptimizer.KeyExpressionVisitor.KeySlot;
import org.apache.phoenix.compile.WhereOptimizer.KeyExpressionVisitor.KeySlots;
import org.apache.phoenix.pruning.patch.range.RowValueColumns;
import org.apache.phoenix.schema.PColumn;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/** Private members of Phoenix's {@code KeyExpressionVisitor} that row values need. */
@NullMarked
interface RowValueVisitor {

  /** Returns the columns of the table's key, which are the same for all conditions. */
  RowValueColumns columns();

  /** Returns whether the table is salted. */
  boolean isSalted();

  /** Returns whether {@code slots} are those of a condition that is never true. */
  boolean isNeverTrue(KeySlots slots);

  /**
   * Returns slots of one condition.
   *
   * @param slots the slots; null stands for a column without a range
   * @param isPartial true if the condition stays as a residual predicate
   */
  KeySlots newSlots(List<@Nullable KeySlot> slots, boolean isPartial);

  /** Returns a key part that lets Phoenix drop no condition. */
  KeyPart newResidualPart(PColumn column);
}
