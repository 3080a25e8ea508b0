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
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.phoenix.compile.WhereOptimizer.KeyExpressionVisitor.KeySlot;
import org.apache.phoenix.compile.WhereOptimizer.KeyExpressionVisitor.KeySlots;
import org.apache.phoenix.compile.WhereOptimizer.KeyExpressionVisitor;
import org.apache.phoenix.pruning.patch.range.RowValueColumns;
import org.apache.phoenix.query.KeyRange;

/**
 * Adds methods to Phoenix's {@code KeySlot} and {@code KeyExpressionVisitor}. With them, the other
 * aspects of row values cut, replace and test slots. A slot has the ranges of one column or of
 * several consecutive columns.
 */
public privileged aspect RowValueSlotsAspect {

  /**
   * Range of all values that results from a combination of ranges. {@code
   * KeyRange.EVERYTHING_RANGE} stands for a missing condition instead.
   */
  static final KeyRange ANYTHING =
      new KeyRange(KeyRange.UNBOUND, false, KeyRange.UNBOUND, false, false);

  private RowValueColumns KeyExpressionVisitor.rowValueColumns;

  /** Returns the columns of the table's key, which are the same for all conditions. */
  RowValueColumns KeyExpressionVisitor.columns() {
    if (rowValueColumns == null) {
      rowValueColumns = new RowValueColumns(table.getRowKeySchema());
    }
    return rowValueColumns;
  }

  /**
   * Returns the slots, but cuts each combined slot to its leading columns whose bytes are in key
   * order. The bytes of a descending column of variable width are not in key order if other columns
   * adjoin.
   */
  KeySlots KeyExpressionVisitor.cutToOrdered(KeySlots slots, Predicate<KeySlot> isCombined) {
    boolean isCut = false;
    List<KeySlot> ordered = new ArrayList<>();
    for (KeySlot slot : slots.getSlots()) {
      boolean isCutHere = slot != null && !isInOrder(slot) && isCombined.test(slot);
      ordered.add(isCutHere ? withResidual(slot) : slot);
      isCut |= isCutHere;
    }
    return isCut ? new KeyExpressionVisitor.MultiKeySlot(ordered, true) : slots;
  }

  private boolean KeyExpressionVisitor.isInOrder(KeySlot slot) {
    return columns().countInKeyOrder(slot.getPKPosition(), slot.getPKSpan()) == slot.getPKSpan();
  }

  /** Returns the slots, but keeps their condition as a residual predicate. */
  KeySlots KeyExpressionVisitor.withResidual(KeySlots slots) {
    if (slots == null || slots == KeyExpressionVisitor.EMPTY_KEY_SLOTS) {
      return slots;
    }
    List<KeySlot> residualSlots = new ArrayList<>();
    for (KeySlot slot : slots.getSlots()) {
      residualSlots.add(slot == null ? null : withResidual(slot));
    }
    return new KeyExpressionVisitor.MultiKeySlot(residualSlots, true);
  }

  /**
   * Returns the slot, but keeps its condition as a residual predicate and cuts the slot to the
   * columns in key order. Phoenix splits an IN where the sort order changes, but only if it can
   * drop the condition.
   */
  private KeySlot KeyExpressionVisitor.withResidual(KeySlot slot) {
    int position = slot.getPKPosition();
    int columns = columns().countInKeyOrder(position, slot.getPKSpan());
    List<KeyRange> ordered =
        columns == slot.getPKSpan()
            ? slot.getKeyRanges()
            : columns().firstColumns(position, slot.getKeyRanges(), columns);
    return new KeySlot(
        new KeyExpressionVisitor.BaseKeyPart(
            table, slot.getKeyPart().getColumn(), Collections.emptySet()),
        position,
        columns,
        ordered,
        slot.getOrderPreserving());
  }

  KeySlot KeySlot.withRanges(int columns, List<KeyRange> ranges) {
    return new KeySlot(getKeyPart(), getPKPosition(), columns, ranges, getOrderPreserving());
  }

  boolean KeySlot.overlaps(KeySlot other) {
    return getPKPosition() < other.getPKPosition() + other.getPKSpan()
        && other.getPKPosition() < getPKPosition() + getPKSpan();
  }

  /** Returns whether no condition is on a row value, so that there is nothing to correct. */
  static boolean areSingleColumns(List<KeySlots> conditions) {
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
