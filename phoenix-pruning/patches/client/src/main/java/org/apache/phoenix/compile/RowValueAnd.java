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
import org.apache.phoenix.pruning.patch.range.RowValueAndRanges;
import org.apache.phoenix.pruning.patch.range.RowValueColumns;
import org.apache.phoenix.pruning.patch.range.RowValueNormalizer;
import org.apache.phoenix.query.KeyRange;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * Adjusts the ranges of an AND with row values before and after Phoenix combines them.
 *
 * <p>A condition stays as a residual predicate if its ranges contain keys that do not match. A
 * single range can stay as it is. Several ranges, and ranges of several columns, are adjusted,
 * because Phoenix later compares them byte by byte.
 */
@NullMarked
public final class RowValueAnd {

  private final RowValueVisitor visitor;
  private final RowValueSlots residual;
  private final RowValueColumns columns;
  private final RowValueNormalizer normalizer;
  private final List<KeySlots> children;
  private boolean isWider;

  public RowValueAnd(RowValueVisitor visitor, List<KeySlots> children) {
    this.visitor = visitor;
    this.residual = new RowValueSlots(visitor);
    this.columns = visitor.columns();
    this.normalizer = new RowValueNormalizer(columns);
    this.children = children;
  }

  /** Returns the conditions that Phoenix can combine, with columns in key order. */
  public List<KeySlots> ordered() {
    List<KeySlots> ordered = new ArrayList<>();
    for (KeySlots child : children) {
      ordered.add(
          residual.cutToOrdered(
              child,
              slot ->
                  children.stream()
                      .filter(other -> other != child)
                      .flatMap(RowValueSlots::slots)
                      .anyMatch(other -> RowValueSlots.overlap(slot, other))));
    }
    return ordered;
  }

  /**
   * Returns the combined slots with adjusted ranges.
   *
   * @param combined the slots to which Phoenix combined the conditions, or null if there are none
   * @param isCombinedWider true if the combined slots contain keys that do not match
   */
  public @Nullable KeySlots adjust(@Nullable KeySlots combined, boolean isCombinedWider) {
    if (combined == null || visitor.isNeverTrue(combined)) {
      return combined;
    }
    isWider = isCombinedWider;
    boolean isAlone = RowValueSlots.slots(combined).count() == 1 && !visitor.isSalted();
    List<@Nullable KeySlot> adjusted = new ArrayList<>();
    for (KeySlot slot : combined.getSlots()) {
      adjusted.add(slot == null ? null : adjusted(slot, isAlone));
    }
    KeySlots all = visitor.newSlots(adjusted, combined.isPartialExtraction());
    return isWider || normalizer.isWider() ? residual.withResidual(all) : all;
  }

  private @Nullable KeySlot adjusted(KeySlot slot, boolean isAlone) {
    if (slot.getKeyRanges().stream().anyMatch(RowValueAndRanges.ANYTHING::equals)) {
      // A null at the end of a key has no bytes that could lie in a range.
      isWider = true;
      return null;
    }
    // A range of only one condition is tested by that condition.
    isWider |=
        columns.isCutBySortOrder(slot.getPKPosition(), slot.getKeyRanges())
            && children.stream()
                .flatMap(RowValueSlots::slots)
                .noneMatch(child -> child.getKeyRanges().equals(slot.getKeyRanges()));
    return normalized(slot, isAlone);
  }

  private KeySlot normalized(KeySlot slot, boolean isAlone) {
    int position = slot.getPKPosition();
    List<KeyRange> ranges = slot.getKeyRanges();
    int count = columns.columnCount(position, ranges);
    // A single range of the first columns becomes the start and the stop of a scan. Any other range
    // is compared with the columns of each row, so its bounds must not have fewer columns.
    if (!isAlone || position > 0 || ranges.size() > 1 || !columns.areFixed(position, count)) {
      ranges = normalizer.toSameColumns(position, ranges);
      count = columns.columnCount(position, ranges);
    }
    isWider |= columns.haveEqualSuffix(position, count, ranges);
    return RowValueSlots.withRanges(slot, count, ranges);
  }
}
