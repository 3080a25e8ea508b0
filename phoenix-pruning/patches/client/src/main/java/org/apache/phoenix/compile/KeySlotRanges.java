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

import java.util.function.IntPredicate;
import org.apache.phoenix.compile.WhereOptimizer.KeyExpressionVisitor.KeySlot;
import org.apache.phoenix.compile.WhereOptimizer.KeyExpressionVisitor.KeySlots;
import org.apache.phoenix.query.KeyRange;
import org.jspecify.annotations.NullMarked;

/** Searches the key ranges of Phoenix's slots. */
@NullMarked
public final class KeySlotRanges {

  private KeySlotRanges() {}

  /**
   * Returns whether a slot has {@code range}, and begins at a column that {@code isAffected}
   * accepts. A column is given by its position in the key.
   */
  public static boolean contain(KeySlots slots, KeyRange range, IntPredicate isAffected) {
    for (KeySlot slot : slots.getSlots()) {
      if (slot != null
          && slot.getKeyRanges().contains(range)
          && isAffected.test(slot.getPKPosition())) {
        return true;
      }
    }
    return false;
  }
}
