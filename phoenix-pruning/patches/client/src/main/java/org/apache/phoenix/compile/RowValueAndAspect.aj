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
import org.apache.phoenix.compile.WhereOptimizer.KeyExpressionVisitor.KeySlot;
import org.apache.phoenix.compile.WhereOptimizer.KeyExpressionVisitor.KeySlots;
import org.apache.phoenix.compile.WhereOptimizer.KeyExpressionVisitor;
import org.apache.phoenix.expression.AndExpression;
import org.apache.phoenix.pruning.patch.range.RowValueColumns;
import org.apache.phoenix.pruning.patch.range.RowValueNormalizer;
import org.apache.phoenix.query.KeyRange;

/** Combines the ranges of an AND. */
public privileged aspect RowValueAndAspect {

  /**
   * Keeps a condition as a residual predicate if its ranges contain keys that do not match. A
   * single range can stay as it is. Several ranges, and ranges of several columns, are adjusted,
   * because Phoenix later compares them byte by byte.
   */
  KeySlots around(KeyExpressionVisitor visitor, AndExpression and, List<KeySlots> children) :
      execution(KeySlots KeyExpressionVisitor.andKeySlots(..))
      && RowValueSwitchAspect.visiting(visitor)
      && args(and, children) {
    visitor.isWider = false;
    if (RowValueSlotsAspect.areSingleColumns(children)) {
      return proceed(visitor, and, children);
    }
    List<KeySlots> ordered = new ArrayList<>();
    for (KeySlots child : children) {
      ordered.add(
          visitor.cutToOrdered(
              child,
              slot ->
                  children.stream()
                      .filter(other -> other != child)
                      .flatMap(RowValueSlotsAspect::slots)
                      .anyMatch(other -> slot.overlaps(other))));
    }
    KeySlots slots = proceed(visitor, and, ordered);
    if (slots == null
        || slots == KeyExpressionVisitor.EMPTY_KEY_SLOTS) {
      return slots;
    }
    RowValueColumns columns = visitor.columns();
    RowValueNormalizer normalizer = new RowValueNormalizer(columns);
    boolean isAlone =
        RowValueSlotsAspect.slots(slots).count() == 1 && visitor.table.getBucketNum() == null;
    List<KeySlot> normalized = new ArrayList<>();
    for (KeySlot slot : slots.getSlots()) {
      if (slot == null) {
        normalized.add(null);
      } else if (slot.getKeyRanges().stream().anyMatch(RowValueSlotsAspect.ANYTHING::equals)) {
        // A null at the end of a key has no bytes that could lie in a range.
        visitor.isWider = true;
        normalized.add(null);
      } else {
        // A range of only one condition is tested by that condition.
        visitor.isWider |=
            columns.isCutBySortOrder(slot.getPKPosition(), slot.getKeyRanges())
                && children.stream()
                    .flatMap(RowValueSlotsAspect::slots)
                    .noneMatch(child -> child.getKeyRanges().equals(slot.getKeyRanges()));
        normalized.add(normalized(visitor, normalizer, slot, isAlone));
      }
    }
    KeySlots all = new KeyExpressionVisitor.MultiKeySlot(normalized, slots.isPartialExtraction());
    return visitor.isWider || normalizer.isWider() ? visitor.withResidual(all) : all;
  }

  private static KeySlot normalized(
      KeyExpressionVisitor visitor, RowValueNormalizer normalizer, KeySlot slot, boolean isAlone) {
    RowValueColumns columns = visitor.columns();
    int position = slot.getPKPosition();
    List<KeyRange> ranges = slot.getKeyRanges();
    int count = columns.columnCount(position, ranges);
    // A single range of the first columns becomes the start and the stop of a scan. Any other range
    // is compared with the columns of each row, so its bounds must not have fewer columns.
    if (!isAlone || position > 0 || ranges.size() > 1 || !columns.areFixed(position, count)) {
      ranges = normalizer.toSameColumns(position, ranges);
      count = columns.columnCount(position, ranges);
    }
    visitor.isWider |= columns.haveEqualSuffix(position, count, ranges);
    return slot.withRanges(count, ranges);
  }
}
