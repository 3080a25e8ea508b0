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
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.phoenix.compile.WhereOptimizer.KeyExpressionVisitor.KeySlot;
import org.apache.phoenix.compile.WhereOptimizer.KeyExpressionVisitor.KeySlots;
import org.apache.phoenix.compile.WhereOptimizer.KeyExpressionVisitor.TrailingRangeIterator;
import org.apache.phoenix.compile.WhereOptimizer.KeyExpressionVisitor;
import org.apache.phoenix.expression.AndExpression;
import org.apache.phoenix.expression.ComparisonExpression;
import org.apache.phoenix.expression.InListExpression;
import org.apache.phoenix.expression.OrExpression;
import org.apache.phoenix.expression.RowValueConstructorExpression;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.config.RangePatches;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.pruning.patch.range.RowValueRanges;
import org.apache.phoenix.query.KeyRange;

/**
 * Combines the key ranges of row values with other key ranges without losing rows. A row value can
 * also imply a range of later columns, which Phoenix calls a trailing range. Phoenix's {@code
 * WhereOptimizer.KeyExpressionVisitor} has three defects:
 *
 * <ul>
 *   <li>It compares bounds of different numbers of columns byte by byte.
 *   <li>It forgets some trailing ranges.
 *   <li>It drops conditions that the resulting ranges do not fully express.
 * </ul>
 *
 * <p>Example: {@code A = 1 OR (A, B, C) > (3, 5, 2)} loses the rows of A = 1. The aspect is in this
 * package because the types that are combined are visible only here.
 */
public privileged aspect RowValueRangesAspect {

  /**
   * Range of all values that results from a combination of ranges. {@code
   * KeyRange.EVERYTHING_RANGE} stands for a missing condition instead.
   */
  private static final KeyRange ANYTHING =
      new KeyRange(KeyRange.UNBOUND, false, KeyRange.UNBOUND, false, false);

  private Boolean KeyExpressionVisitor.isPatched;

  /** True if the current comparison is an equality or an IN. */
  private boolean KeyExpressionVisitor.isEquality;

  /** True if the ranges of the current AND contain keys that do not match it. */
  private boolean KeyExpressionVisitor.isWider;

  /** Position of the key column whose ranges are being combined. */
  private int KeyExpressionVisitor.position;

  /** True while the range of a column is combined with a trailing range of earlier columns. */
  private boolean KeyExpressionVisitor.isTrailing;

  /** True if a range of the column has become smaller because of the ranges of a later column. */
  private boolean KeyExpressionVisitor.isTrimmed;

  pointcut visiting(KeyExpressionVisitor visitor) :
      this(visitor) && if (isOn(visitor));

  pointcut and() :
      withincode(KeySlots KeyExpressionVisitor.andKeySlots(..));

  private static boolean isOn(KeyExpressionVisitor visitor) {
    if (visitor.isPatched == null) {
      visitor.isPatched =
          Patches.isOn(Patch.ROW_VALUE_RANGES, visitor.context.getConnection());
    }
    return visitor.isPatched;
  }

  before(KeyExpressionVisitor visitor, ComparisonExpression comparison) :
      execution(* KeyExpressionVisitor.visitEnter(ComparisonExpression))
      && this(visitor)
      && args(comparison) {
    visitor.isEquality = comparison.getFilterOp() == CompareOperator.EQUAL;
  }

  before(KeyExpressionVisitor visitor) :
      execution(* KeyExpressionVisitor.visitEnter(InListExpression))
      && this(visitor) {
    visitor.isEquality = true;
  }

  KeySlots around(
      KeyExpressionVisitor visitor, RowValueConstructorExpression value, List<KeySlots> columns) :
      execution(KeySlots KeyExpressionVisitor.newRowValueConstructorKeyParts(..))
      && visiting(visitor)
      && args(value, columns) {
    if (visitor.isEquality || columns.isEmpty() || columns.get(0).getSlots().isEmpty()) {
      return proceed(visitor, value, columns);
    }
    int position = columns.get(0).getSlots().get(0).getPKPosition();
    int most = Math.min(columns.size(), visitor.table.getPKColumns().size() - position);
    return proceed(
        visitor, value, columns.subList(0, ranges(visitor).inOrder(position, most)));
  }

  /**
   * Returns the slots, but cuts each combined slot to its leading columns whose bytes are in key
   * order. The bytes of a descending column of variable width are not in key order if other columns
   * adjoin.
   */
  private static KeySlots inOrder(
      KeyExpressionVisitor visitor, KeySlots slots, Predicate<KeySlot> isCombined) {
    boolean isCut = false;
    List<KeySlot> inOrder = new ArrayList<>();
    for (KeySlot slot : slots.getSlots()) {
      boolean toCut = slot != null && !isInOrder(visitor, slot) && isCombined.test(slot);
      inOrder.add(toCut ? tested(visitor, slot) : slot);
      isCut |= toCut;
    }
    return isCut ? new KeyExpressionVisitor.MultiKeySlot(inOrder, true) : slots;
  }

  private static boolean isInOrder(KeyExpressionVisitor visitor, KeySlot slot) {
    return ranges(visitor).inOrder(slot.getPKPosition(), slot.getPKSpan()) == slot.getPKSpan();
  }

  private static boolean overlaps(KeySlot one, KeySlot other) {
    return one.getPKPosition() < other.getPKPosition() + other.getPKSpan()
        && other.getPKPosition() < one.getPKPosition() + one.getPKSpan();
  }

  /**
   * Keeps a condition as a residual predicate if its ranges contain keys that do not match. A
   * single range can stay as it is. Several ranges, and ranges of several columns, are adjusted,
   * because Phoenix later compares them byte by byte.
   */
  KeySlots around(KeyExpressionVisitor visitor, AndExpression and, List<KeySlots> children) :
      execution(KeySlots KeyExpressionVisitor.andKeySlots(..))
      && visiting(visitor)
      && args(and, children) {
    visitor.isWider = false;
    if (areOfOneColumn(children)) {
      return proceed(visitor, and, children);
    }
    List<KeySlots> inOrder = new ArrayList<>();
    for (KeySlots child : children) {
      inOrder.add(
          inOrder(
              visitor,
              child,
              slot ->
                  children.stream()
                      .filter(other -> other != child)
                      .flatMap(RowValueRangesAspect::slots)
                      .anyMatch(other -> overlaps(slot, other))));
    }
    KeySlots slots = proceed(visitor, and, inOrder);
    if (slots == null
        || slots == KeyExpressionVisitor.EMPTY_KEY_SLOTS) {
      return slots;
    }
    RowValueRanges ranges = ranges(visitor);
    boolean isAlone = slots(slots).count() == 1 && visitor.table.getBucketNum() == null;
    List<KeySlot> leveled = new ArrayList<>();
    for (KeySlot slot : slots.getSlots()) {
      if (slot == null) {
        leveled.add(null);
      } else if (slot.getKeyRanges().stream().anyMatch(ANYTHING::equals)) {
        // A null at the end of a key has no bytes that could lie in a range.
        visitor.isWider = true;
        leveled.add(null);
      } else {
        // A range of only one condition is tested by that condition.
        visitor.isWider |=
            ranges.isCut(slot.getPKPosition(), slot.getKeyRanges())
                && children.stream()
                    .flatMap(RowValueRangesAspect::slots)
                    .noneMatch(child -> child.getKeyRanges().equals(slot.getKeyRanges()));
        leveled.add(leveled(visitor, ranges, slot, isAlone));
      }
    }
    KeySlots all = new KeyExpressionVisitor.MultiKeySlot(leveled, slots.isPartialExtraction());
    return visitor.isWider || ranges.isWider() ? tested(visitor, all) : all;
  }

  private static KeySlot leveled(
      KeyExpressionVisitor visitor, RowValueRanges ranges, KeySlot slot, boolean isAlone) {
    int position = slot.getPKPosition();
    List<KeyRange> leveled = slot.getKeyRanges();
    int columns = ranges.columns(position, leveled);
    // A single range of the first columns becomes the start and the stop of a scan. Any other range
    // is compared with the columns of each row, so its bounds must not have fewer columns.
    if (!isAlone || position > 0 || leveled.size() > 1 || !ranges.isFixed(position, columns)) {
      leveled = ranges.leveled(position, leveled);
      columns = ranges.columns(position, leveled);
    }
    visitor.isWider |= ranges.endAlike(position, columns, leveled);
    return with(slot, columns, leveled);
  }

  /** Resets the state for the next combination of ranges. */
  before(KeyExpressionVisitor visitor) :
      execution(KeyRange[] KeyExpressionVisitor.newTrailingRange())
      && this(visitor) {
    visitor.isTrailing = false;
  }

  KeyRange around(
      KeyExpressionVisitor visitor, int position, KeyRange one, KeyRange other, KeyRange[] later) :
      execution(KeyRange KeyExpressionVisitor.intersectRanges(..))
      && visiting(visitor)
      && args(position, one, other, later) {
    visitor.position = position;
    if (one == null) {
      return other;
    }
    if (other == ANYTHING) {
      return one;
    }
    RowValueRanges ranges = ranges(visitor);
    KeyRange common = ranges.intersect(position, one, other, later);
    // Phoenix keeps a range although the trailing ranges of earlier columns exclude it.
    visitor.isWider |=
        ranges.isWider() || (visitor.isTrailing && common == KeyRange.EMPTY_RANGE);
    return common;
  }

  /**
   * Keeps the condition as a residual predicate if the ranges of one column have different trailing
   * ranges.
   */
  List<KeyRange> around(
      KeyExpressionVisitor visitor,
      List<KeyRange> ranges,
      List<KeyRange[]> later,
      List<List<List<KeyRange[]>>> alternatives) :
      execution(List KeyExpressionVisitor.coalesceKeyRangesAndTrailingRanges(..))
      && visiting(visitor)
      && args(ranges, later, alternatives) {
    for (int i = 1; i < later.size(); i++) {
      visitor.isWider |= !Arrays.equals(later.get(i), later.get(0));
    }
    return proceed(visitor, united(visitor, ranges), later, alternatives);
  }

  /** Returns the ranges in a form in which their bytes can be compared. */
  private static List<KeyRange> united(KeyExpressionVisitor visitor, List<KeyRange> all) {
    if (all.size() == 1) {
      return all;
    }
    RowValueRanges ranges = ranges(visitor);
    List<KeyRange> leveled = ranges.leveled(visitor.position, all);
    visitor.isWider |= ranges.isWider();
    return leveled;
  }

  /**
   * Combines the trailing ranges of two ranges of a column that Phoenix unites because they touch
   * or overlap. Phoenix's {@code KeyExpressionVisitor.concat} has two defects:
   *
   * <ul>
   *   <li>If both ranges leave later columns unbounded, Phoenix keeps no trailing range, and then
   *       searches for a trailing range forever: {@code SUBSTR(K1, 1, 1) IN ('a', 'b') AND K2 = 1}.
   *   <li>If only one of the ranges leaves later columns unbounded, Phoenix keeps the trailing
   *       ranges of the other range.
   * </ul>
   */
  List<KeyRange[]> around(List<KeyRange[]> ofOne, List<KeyRange[]> ofOther) :
      execution(static List KeyExpressionVisitor.concat(List, List))
      && args(ofOne, ofOther) {
    if (!RangePatches.areOn(Patch.ROW_VALUE_RANGES)) {
      return proceed(ofOne, ofOther);
    }
    List<KeyRange[]> all = new ArrayList<>(ofOne.size() + ofOther.size());
    all.addAll(ofOne);
    all.addAll(ofOther);
    for (KeyRange[] ranges : all) {
      if (isUnbounded(ranges)) {
        return Collections.singletonList(ranges);
      }
    }
    return all;
  }

  private static boolean isUnbounded(KeyRange[] ranges) {
    for (KeyRange range : ranges) {
      if (range != KeyRange.EVERYTHING_RANGE) {
        return false;
      }
    }
    return true;
  }

  /**
   * Makes the trailing ranges available for each range of a column. Phoenix's {@code
   * TrailingRangeIterator} returns them only for the first range.
   */
  before(KeyExpressionVisitor visitor, TrailingRangeIterator alternatives) :
      call(void TrailingRangeIterator.init())
      && and()
      && visiting(visitor)
      && target(alternatives) {
    alternatives.hasMore = true;
  }

  /**
   * Returns all values for a trailing range that leaves a column unbounded although other trailing
   * ranges bound it. Phoenix ignores such a range: {@code (A, B, C) <= (4, 5, 2) AND A IN (2, 4)}
   * loses rows.
   */
  KeyRange around(KeyExpressionVisitor visitor, TrailingRangeIterator alternatives) :
      call(KeyRange TrailingRangeIterator.getRange())
      && and()
      && visiting(visitor)
      && target(alternatives) {
    visitor.isTrailing = true;
    KeyRange range = proceed(visitor, alternatives);
    return range == KeyRange.EVERYTHING_RANGE && isBounded(alternatives) ? ANYTHING : range;
  }

  /**
   * Returns whether any trailing range bounds the column. The result is cached, because there can
   * be as many trailing ranges as an IN has values.
   */
  private static boolean isBounded(TrailingRangeIterator alternatives) {
    if (alternatives.isBounded == null) {
      alternatives.isBounded = hasBound(alternatives);
    }
    return alternatives.isBounded;
  }

  private static boolean hasBound(TrailingRangeIterator alternatives) {
    for (List<List<KeyRange[]>> ofSlot : alternatives.slotTrailingRangesList) {
      for (List<KeyRange[]> ofRange : ofSlot) {
        for (KeyRange[] ranges : ofRange) {
          if (ranges[alternatives.pkPos] != KeyRange.EVERYTHING_RANGE) {
            return true;
          }
        }
      }
    }
    return false;
  }

  private Boolean TrailingRangeIterator.isBounded;

  KeyRange around(
      KeyExpressionVisitor visitor, KeyRange range, int position, KeyRange ofLater, int at) :
      execution(KeyRange KeyExpressionVisitor.intersectTrailing(..))
      && visiting(visitor)
      && args(range, position, ofLater, at) {
    visitor.position = position;
    RowValueRanges ranges = ranges(visitor);
    KeyRange left = ranges.intersectLater(position, range, ofLater, at);
    visitor.isWider |= ranges.isWider() || left == KeyRange.EMPTY_RANGE;
    visitor.isTrimmed |= left != range;
    return left;
  }

  /** Unites the ranges that remain of a column after each range of later columns was applied. */
  List<KeyRange> around(KeyExpressionVisitor visitor, List<KeyRange> all) :
      call(static List KeyRange.coalesce(List))
      && and()
      && visiting(visitor)
      && args(all) {
    visitor.isWider |= visitor.isTrimmed && all.size() > 1;
    visitor.isTrimmed = false;
    return proceed(visitor, united(visitor, all));
  }

  /**
   * Combines alternatives with different numbers of columns. Phoenix compares only as many columns
   * as the first alternative has.
   */
  KeySlots around(KeyExpressionVisitor visitor, OrExpression or, List<KeySlots> alternatives) :
      execution(KeySlots KeyExpressionVisitor.orKeySlots(..))
      && visiting(visitor)
      && args(or, alternatives) {
    if (areOfOneColumn(alternatives)) {
      KeySlots united = proceed(visitor, or, alternatives);
      return isPartial(alternatives) ? tested(visitor, united) : united;
    }
    List<KeySlots> children =
        alternatives.stream()
            .map(child -> inOrder(visitor, child, slot -> true))
            .collect(Collectors.toList());
    List<KeySlot> slots =
        children.stream().flatMap(RowValueRangesAspect::slots).collect(Collectors.toList());
    boolean isPartial = isPartial(children);
    if (slots.stream().mapToInt(KeySlot::getPKPosition).distinct().count() != 1
        || slots.stream().allMatch(slot -> slot.getPKSpan() == 1)) {
      KeySlots united = proceed(visitor, or, children);
      return isPartial ? tested(visitor, united) : united;
    }
    if (slots.stream().anyMatch(slot -> slot.getKeyRanges().contains(KeyRange.IS_NULL_RANGE))) {
      return null;
    }
    RowValueRanges ranges = ranges(visitor);
    int position = slots.get(0).getPKPosition();
    List<KeyRange> leveled =
        ranges.leveled(
            position,
            slots.stream()
                .flatMap(slot -> slot.getKeyRanges().stream())
                .collect(Collectors.toList()));
    KeySlots united = proceed(visitor, or, with(children, leveled));
    if (united == null || united == KeyExpressionVisitor.EMPTY_KEY_SLOTS) {
      return united;
    }
    KeySlot slot = united.getSlots().get(0);
    boolean isWider = isPartial || ranges.isWider();
    if (slot.getKeyRanges().stream().anyMatch(ANYTHING::equals)
        && (isWider || ranges.isNullable(position, ranges.columns(position, leveled)))) {
      return null;
    }
    KeySlots sameColumns =
        new KeyExpressionVisitor.MultiKeySlot(
            Collections.singletonList(
                with(slot, ranges.columns(position, slot.getKeyRanges()), slot.getKeyRanges())),
            united.isPartialExtraction());
    return isWider ? tested(visitor, sameColumns) : sameColumns;
  }

  /** Returns the slots with other ranges. {@code ranges} are in the order of the slots. */
  private static List<KeySlots> with(List<KeySlots> all, List<KeyRange> ranges) {
    int next = 0;
    List<KeySlots> others = new ArrayList<>();
    for (KeySlots slots : all) {
      List<KeySlot> ofSlots = new ArrayList<>();
      for (KeySlot slot : slots(slots).collect(Collectors.toList())) {
        int end = next + slot.getKeyRanges().size();
        ofSlots.add(with(slot, slot.getPKSpan(), ranges.subList(next, end)));
        next = end;
      }
      others.add(new KeyExpressionVisitor.MultiKeySlot(ofSlots, slots.isPartialExtraction()));
    }
    return others;
  }

  private static KeySlot with(KeySlot slot, int columns, List<KeyRange> ranges) {
    return new KeySlot(
        slot.getKeyPart(), slot.getPKPosition(), columns, ranges, slot.getOrderPreserving());
  }

  /** Returns the slots, but keeps their condition as a residual predicate. */
  private static KeySlots tested(KeyExpressionVisitor visitor, KeySlots slots) {
    if (slots == null || slots == KeyExpressionVisitor.EMPTY_KEY_SLOTS) {
      return slots;
    }
    List<KeySlot> tested = new ArrayList<>();
    for (KeySlot slot : slots.getSlots()) {
      tested.add(slot == null ? null : tested(visitor, slot));
    }
    return new KeyExpressionVisitor.MultiKeySlot(tested, true);
  }

  /**
   * Returns the slot, but keeps its condition as a residual predicate and cuts the slot to the
   * columns in key order. Phoenix splits an IN where the sort order changes, but only if it can
   * drop the condition.
   */
  private static KeySlot tested(KeyExpressionVisitor visitor, KeySlot slot) {
    RowValueRanges ranges = ranges(visitor);
    int position = slot.getPKPosition();
    int columns = ranges.inOrder(position, slot.getPKSpan());
    List<KeyRange> inOrder =
        columns == slot.getPKSpan()
            ? slot.getKeyRanges()
            : slot.getKeyRanges().stream()
                .map(range -> ranges.first(position, range, columns))
                .distinct()
                .collect(Collectors.toList());
    return new KeySlot(
        new KeyExpressionVisitor.BaseKeyPart(
            visitor.table, slot.getKeyPart().getColumn(), Collections.emptySet()),
        position,
        columns,
        inOrder,
        slot.getOrderPreserving());
  }

  /** Returns whether no condition is on a row value, so that there is nothing to correct. */
  private static boolean areOfOneColumn(List<KeySlots> conditions) {
    for (KeySlots condition : conditions) {
      for (KeySlot slot : condition.getSlots()) {
        if (slot != null && slot.getPKSpan() != 1) {
          return false;
        }
      }
    }
    return true;
  }

  private static boolean isPartial(List<KeySlots> conditions) {
    for (KeySlots condition : conditions) {
      if (condition.isPartialExtraction()) {
        return true;
      }
    }
    return false;
  }

  private static Stream<KeySlot> slots(KeySlots slots) {
    return slots.getSlots().stream().filter(Objects::nonNull);
  }

  private static RowValueRanges ranges(KeyExpressionVisitor visitor) {
    return new RowValueRanges(visitor.table.getRowKeySchema());
  }
}
