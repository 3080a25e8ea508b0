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
import org.apache.phoenix.compile.WhereOptimizer.KeyExpressionVisitor;
import org.apache.phoenix.expression.OrExpression;
import org.apache.phoenix.pruning.patch.range.RowValueNormalizer;
import org.apache.phoenix.query.KeyRange;

/** Combines the ranges of an OR. */
public privileged aspect RowValueOrAspect {

  /**
   * Combines alternatives with different numbers of columns. Phoenix compares only as many columns
   * as the first alternative has.
   */
  KeySlots around(KeyExpressionVisitor visitor, OrExpression or, List<KeySlots> alternatives) :
      execution(KeySlots KeyExpressionVisitor.orKeySlots(..))
      && RowValueSwitchAspect.visiting(visitor)
      && args(or, alternatives) {
    if (RowValueSlotsAspect.areSingleColumns(alternatives)) {
      KeySlots united = proceed(visitor, or, alternatives);
      return isPartial(alternatives) ? visitor.withResidual(united) : united;
    }
    List<KeySlots> children =
        alternatives.stream()
            .map(child -> visitor.cutToOrdered(child, slot -> true))
            .collect(Collectors.toList());
    List<KeySlot> slots =
        children.stream().flatMap(RowValueSlotsAspect::slots).collect(Collectors.toList());
    boolean isPartial = isPartial(children);
    if (slots.stream().mapToInt(KeySlot::getPKPosition).distinct().count() != 1
        || slots.stream().allMatch(slot -> slot.getPKSpan() == 1)) {
      KeySlots united = proceed(visitor, or, children);
      return isPartial ? visitor.withResidual(united) : united;
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
    KeySlots united = proceed(visitor, or, replaceRanges(children, normalized));
    if (united == null || united == KeyExpressionVisitor.EMPTY_KEY_SLOTS) {
      return united;
    }
    KeySlot slot = united.getSlots().get(0);
    boolean isWider = isPartial || normalizer.isWider();
    if (slot.getKeyRanges().stream().anyMatch(RowValueSlotsAspect.ANYTHING::equals)
        && (isWider
            || visitor
                .columns()
                .areNullable(position, visitor.columns().columnCount(position, normalized)))) {
      return null;
    }
    KeySlots sameColumns =
        new KeyExpressionVisitor.MultiKeySlot(
            Collections.singletonList(
                slot.withRanges(
                    visitor.columns().columnCount(position, slot.getKeyRanges()), slot.getKeyRanges())),
            united.isPartialExtraction());
    return isWider ? visitor.withResidual(sameColumns) : sameColumns;
  }

  /** Returns the slots with other ranges. {@code ranges} are in the order of the slots. */
  private static List<KeySlots> replaceRanges(List<KeySlots> all, List<KeyRange> ranges) {
    int next = 0;
    List<KeySlots> replaced = new ArrayList<>();
    for (KeySlots slots : all) {
      List<KeySlot> newSlots = new ArrayList<>();
      for (KeySlot slot : RowValueSlotsAspect.slots(slots).collect(Collectors.toList())) {
        int end = next + slot.getKeyRanges().size();
        newSlots.add(slot.withRanges(slot.getPKSpan(), ranges.subList(next, end)));
        next = end;
      }
      replaced.add(new KeyExpressionVisitor.MultiKeySlot(newSlots, slots.isPartialExtraction()));
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
}
