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
import java.util.stream.Collectors;
import org.apache.phoenix.compile.WhereOptimizer.KeyExpressionVisitor.KeySlot;
import org.apache.phoenix.compile.WhereOptimizer.KeyExpressionVisitor.KeySlots;
import org.apache.phoenix.pruning.patch.range.RowValueAndRanges;
import org.apache.phoenix.pruning.patch.range.RowValueColumns;
import org.apache.phoenix.pruning.patch.range.RowValueNormalizer;
import org.apache.phoenix.query.KeyRange;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * Adjusts the ranges of an OR before and after Phoenix unites them, if the alternatives have
 * different numbers of columns. Phoenix compares only as many columns as the first alternative has.
 */
@NullMarked
public final class RowValueOr {

  private final RowValueVisitor visitor;
  private final List<KeySlots> alternatives;

  /** Position of the first column, or -1 if Phoenix unites the alternatives correctly. */
  private final int position;

  /** Largest number of columns of the adjusted ranges. */
  private final int columnCount;

  /** True if a range of the alternatives contains keys that do not match. */
  private final boolean isWider;

  private RowValueOr(
      RowValueVisitor visitor,
      List<KeySlots> alternatives,
      int position,
      int columnCount,
      boolean isWider) {
    this.visitor = visitor;
    this.alternatives = alternatives;
    this.position = position;
    this.columnCount = columnCount;
    this.isWider = isWider;
  }

  /** Returns whether there is nothing to adjust, which most statements need to know cheaply. */
  public static boolean isPlain(List<KeySlots> alternatives) {
    return RowValueSlots.areSingleColumns(alternatives) && !isPartial(alternatives);
  }

  /** Returns the OR of {@code alternatives}, or null if it cannot be expressed as a range. */
  public static @Nullable RowValueOr of(RowValueVisitor visitor, List<KeySlots> alternatives) {
    if (RowValueSlots.areSingleColumns(alternatives)) {
      return new RowValueOr(visitor, alternatives, -1, 1, isPartial(alternatives));
    }
    RowValueSlots residual = new RowValueSlots(visitor);
    List<KeySlots> children =
        alternatives.stream()
            .map(child -> residual.cutToOrdered(child, slot -> true))
            .collect(Collectors.toList());
    List<KeySlot> slots =
        children.stream().flatMap(RowValueSlots::slots).collect(Collectors.toList());
    boolean isPartial = isPartial(children);
    if (slots.stream().mapToInt(KeySlot::getPKPosition).distinct().count() != 1
        || slots.stream().allMatch(slot -> slot.getPKSpan() == 1)) {
      return new RowValueOr(visitor, children, -1, 1, isPartial);
    }
    if (slots.stream().anyMatch(slot -> slot.getKeyRanges().contains(KeyRange.IS_NULL_RANGE))) {
      return null;
    }
    RowValueNormalizer normalizer = new RowValueNormalizer(visitor.columns());
    int position = slots.get(0).getPKPosition();
    List<KeyRange> normalized =
        normalizer.toSameColumns(
            position,
            slots.stream()
                .flatMap(slot -> slot.getKeyRanges().stream())
                .collect(Collectors.toList()));
    return new RowValueOr(
        visitor,
        replaceRanges(visitor, children, normalized),
        position,
        visitor.columns().columnCount(position, normalized),
        isPartial || normalizer.isWider());
  }

  /** Returns the slots with other ranges. {@code ranges} are in the order of the slots. */
  private static List<KeySlots> replaceRanges(
      RowValueVisitor visitor, List<KeySlots> all, List<KeyRange> ranges) {
    int next = 0;
    List<KeySlots> replaced = new ArrayList<>();
    for (KeySlots slots : all) {
      List<@Nullable KeySlot> newSlots = new ArrayList<>();
      for (KeySlot slot : RowValueSlots.slots(slots).collect(Collectors.toList())) {
        int end = next + slot.getKeyRanges().size();
        newSlots.add(RowValueSlots.withRanges(slot, slot.getPKSpan(), ranges.subList(next, end)));
        next = end;
      }
      replaced.add(visitor.newSlots(newSlots, slots.isPartialExtraction()));
    }
    return replaced;
  }

  private static boolean isPartial(List<KeySlots> conditions) {
    for (KeySlots condition : conditions) {
      if (condition.isPartialExtraction()) {
        return true;
      }
    }
    return false;
  }

  /** Returns the alternatives that Phoenix can unite. */
  public List<KeySlots> alternatives() {
    return alternatives;
  }

  /**
   * Returns the slots of the OR, or null if it cannot be expressed as a range.
   *
   * @param united the slots to which Phoenix united the alternatives, or null if there are none
   */
  public @Nullable KeySlots adjust(@Nullable KeySlots united) {
    if (united == null || visitor.isNeverTrue(united)) {
      return united;
    }
    if (position < 0) {
      return withResidualIfWider(united);
    }
    RowValueColumns columns = visitor.columns();
    KeySlot slot = united.getSlots().get(0);
    int count = columns.columnCount(position, slot.getKeyRanges());
    if (slot.getKeyRanges().stream().anyMatch(RowValueAndRanges.ANYTHING::equals)
        && (isWider || columns.areNullable(position, columnCount))) {
      return null;
    }
    return withResidualIfWider(
        visitor.newSlots(
            Collections.singletonList(RowValueSlots.withRanges(slot, count, slot.getKeyRanges())),
            united.isPartialExtraction()));
  }

  private @Nullable KeySlots withResidualIfWider(KeySlots slots) {
    return isWider ? new RowValueSlots(visitor).withResidual(slots) : slots;
  }
}
