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
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.pruning.patch.Patches;
import org.apache.phoenix.pruning.patch.RangePatches;
import org.apache.phoenix.pruning.plan.RowValueRanges;
import org.apache.phoenix.query.KeyRange;

/**
 * Combines the key ranges of row values with others, without losing rows between them. Phoenix
 * compares bounds of different numbers of columns byte by byte, forgets some of what a row value
 * leaves for later columns, and takes out conditions that the ranges do not stand for: {@code A = 1
 * OR (A, B, C) > (3, 5, 2)}. In this package, as what is combined is seen only here.
 */
public privileged aspect RowValueRangesAspect {

  /** All values, where that has been made of something else. */
  private static final KeyRange ANYTHING =
      new KeyRange(KeyRange.UNBOUND, false, KeyRange.UNBOUND, false, false);

  private Boolean KeyExpressionVisitor.isPatched;

  /** Whether what is compared now is to be equal. */
  private boolean KeyExpressionVisitor.isEquality;

  /** Whether the ranges of the AND that is combined now have more keys than match it. */
  private boolean KeyExpressionVisitor.isWider;

  /** The key column whose ranges are combined now. */
  private int KeyExpressionVisitor.position;

  /** Whether a column's range is combined now with what earlier columns leave for it. */
  private boolean KeyExpressionVisitor.isTrailing;

  /** Whether one of a column's ranges has become smaller by those of a later column. */
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

  /** The slots of which only such columns are left as have bytes in order, where combined. */
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
   * Conditions of which the ranges have more keys than match are tested on the rows, too. One range
   * can stay as it is; several, and those of several columns, are compared byte by byte later.
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
        // Of a null at the end, a key has nothing that could lie in a range.
        visitor.isWider = true;
        leveled.add(null);
      } else {
        // A range that is only one condition's is tested by that one.
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
    // The range of the first columns alone becomes the start and the stop of a scan. Any other range
    // is compared with the columns of each row, and must not end with fewer of them.
    if (!isAlone || position > 0 || leveled.size() > 1 || !ranges.isFixed(position, columns)) {
      leveled = ranges.leveled(position, leveled);
      columns = ranges.columns(position, leveled);
    }
    visitor.isWider |= ranges.endAlike(position, columns, leveled);
    return with(slot, columns, leveled);
  }

  /** Begins with the next combination of ranges. */
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
    // Phoenix keeps a range to which nothing is left by earlier columns.
    visitor.isWider |=
        ranges.isWider() || (visitor.isTrailing && common == KeyRange.EMPTY_RANGE);
    return common;
  }

  /** Of what is left for later columns, each range of a column has its own. */
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

  /** The ranges in a form in which they can be compared byte by byte. */
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
   * Of two ranges of a column that touch or overlap Phoenix makes one. If both leave later columns
   * free, it keeps no alternative, and then looks for one for ever: {@code SUBSTR(K1, 1, 1) IN ('a',
   * 'b') AND K2 = 1}. If one does, it keeps only those of the other.
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

  /** Phoenix looks at the alternatives for the first range of a column only. */
  before(KeyExpressionVisitor visitor, TrailingRangeIterator alternatives) :
      call(void TrailingRangeIterator.init())
      && and()
      && visiting(visitor)
      && target(alternatives) {
    alternatives.hasMore = true;
  }

  /**
   * Phoenix forgets an alternative that leaves a column free where others do not: {@code (A, B, C) <=
   * (4, 5, 2) AND A IN (2, 4)}.
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

  /** Found out once, as there can be as many alternatives as an IN has values. */
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

  /** Unites what is left of a column's ranges by each range of later columns. */
  List<KeyRange> around(KeyExpressionVisitor visitor, List<KeyRange> all) :
      call(static List KeyRange.coalesce(List))
      && and()
      && visiting(visitor)
      && args(all) {
    visitor.isWider |= visitor.isTrimmed && all.size() > 1;
    visitor.isTrimmed = false;
    return proceed(visitor, united(visitor, all));
  }

  /** Phoenix compares as many columns as the first alternative has. */
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

  /** The same slots with other ranges, which are in the order of the slots. */
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

  /** The same slots, but the condition stays. */
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

  /** Phoenix divides an IN where the order of columns changes only if that can be taken out. */
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

  /** Tells whether no condition is one of a row value, so that there is nothing to correct. */
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
