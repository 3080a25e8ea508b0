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

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.phoenix.compile.WhereOptimizer.KeyExpressionVisitor.KeySlot;
import org.apache.phoenix.compile.WhereOptimizer.KeyExpressionVisitor.KeySlots;
import org.apache.phoenix.pruning.patch.range.RowValueColumns;
import org.apache.phoenix.query.KeyRange;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * Cuts, replaces and tests Phoenix's slots. A slot has the ranges of one column or of several
 * consecutive columns.
 */
@NullMarked
public final class RowValueSlots {

  private final RowValueVisitor visitor;
  private final RowValueColumns columns;

  RowValueSlots(RowValueVisitor visitor) {
    this.visitor = visitor;
    this.columns = visitor.columns();
  }

  /**
   * Returns the slots, but cuts each combined slot to its leading columns whose bytes are in key
   * order. The bytes of a descending column of variable width are not in key order if other columns
   * adjoin.
   */
  KeySlots cutToOrdered(KeySlots slots, Predicate<KeySlot> isCombined) {
    boolean isCut = false;
    List<@Nullable KeySlot> ordered = new ArrayList<>();
    for (KeySlot slot : slots.getSlots()) {
      boolean isCutHere = slot != null && !isInOrder(slot) && isCombined.test(slot);
      ordered.add(isCutHere ? withResidual(slot) : slot);
      isCut |= isCutHere;
    }
    return isCut ? visitor.newSlots(ordered, true) : slots;
  }

  private boolean isInOrder(KeySlot slot) {
    return columns.countInKeyOrder(slot.getPKPosition(), slot.getPKSpan()) == slot.getPKSpan();
  }

  /**
   * Returns the slots, but keeps their condition as a residual predicate.
   *
   * @param slots the slots, or null if the condition has no range
   */
  @Nullable KeySlots withResidual(@Nullable KeySlots slots) {
    if (slots == null || visitor.isNeverTrue(slots)) {
      return slots;
    }
    List<@Nullable KeySlot> residualSlots = new ArrayList<>();
    for (KeySlot slot : slots.getSlots()) {
      residualSlots.add(slot == null ? null : withResidual(slot));
    }
    return visitor.newSlots(residualSlots, true);
  }

  /**
   * Returns the slot, but keeps its condition as a residual predicate and cuts the slot to the
   * columns in key order. Phoenix splits an IN where the sort order changes, but only if it can
   * drop the condition.
   */
  private KeySlot withResidual(KeySlot slot) {
    int position = slot.getPKPosition();
    int count = columns.countInKeyOrder(position, slot.getPKSpan());
    List<KeyRange> ordered =
        count == slot.getPKSpan()
            ? slot.getKeyRanges()
            : columns.firstColumns(position, slot.getKeyRanges(), count);
    return new KeySlot(
        visitor.newResidualPart(slot.getKeyPart().getColumn()),
        position,
        count,
        ordered,
        slot.getOrderPreserving());
  }

  static KeySlot withRanges(KeySlot slot, int columns, List<KeyRange> ranges) {
    return new KeySlot(
        slot.getKeyPart(), slot.getPKPosition(), columns, ranges, slot.getOrderPreserving());
  }

  /** Returns whether two slots have a column in common. */
  static boolean overlap(KeySlot one, KeySlot other) {
    return one.getPKPosition() < other.getPKPosition() + other.getPKSpan()
        && other.getPKPosition() < one.getPKPosition() + one.getPKSpan();
  }

  /** Returns whether no condition is on a row value, so that there is nothing to correct. */
  public static boolean areSingleColumns(List<KeySlots> conditions) {
    for (KeySlots condition : conditions) {
      for (KeySlot slot : condition.getSlots()) {
        if (slot != null && slot.getPKSpan() != 1) {
          return false;
        }
      }
    }
    return true;
  }

  static Stream<KeySlot> slots(KeySlots slots) {
    return slots.getSlots().stream().filter(Objects::nonNull);
  }
}
