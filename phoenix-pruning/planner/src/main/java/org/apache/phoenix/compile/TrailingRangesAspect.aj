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
import org.apache.phoenix.compile.WhereOptimizer.KeyExpressionVisitor;
import org.apache.phoenix.compile.WhereOptimizer.KeyExpressionVisitor.KeySlot;
import org.apache.phoenix.compile.WhereOptimizer.KeyExpressionVisitor.KeySlots;
import org.apache.phoenix.compile.WhereOptimizer.KeyExpressionVisitor.TrailingRangeIterator;
import org.apache.phoenix.query.KeyRange;

/**
 * Keeps the alternatives that a condition on the first columns of a row value leaves for later ones:
 * arrays with a range for each key column. In this package, as Phoenix's class is seen only here.
 */
public privileged aspect TrailingRangesAspect {

  /** All values, as an alternative to some. */
  private static final KeyRange ANYTHING =
      new KeyRange(KeyRange.UNBOUND, false, KeyRange.UNBOUND, false, false);

  /**
   * Of two ranges of a column that touch or overlap Phoenix makes one. If both leave later columns
   * free, it keeps no alternative, and then looks for one for ever: {@code SUBSTR(K1, 1, 1) IN ('a',
   * 'b') AND K2 = 1}. If one does, it keeps only those of the other.
   */
  List<KeyRange[]> around(List<KeyRange[]> ofOne, List<KeyRange[]> ofOther) :
      execution(static List KeyExpressionVisitor.concat(List, List))
      && args(ofOne, ofOther) {
    List<KeyRange[]> all = new ArrayList<>(ofOne);
    all.addAll(ofOther);
    return all.stream()
        .filter(TrailingRangesAspect::isUnbounded)
        .findFirst()
        .map(Collections::singletonList)
        .orElse(all);
  }

  private static boolean isUnbounded(KeyRange[] ranges) {
    return Arrays.stream(ranges).allMatch(range -> range == KeyRange.EVERYTHING_RANGE);
  }

  /**
   * Phoenix forgets an alternative that leaves a column free where others do not: {@code (A, B, C) <=
   * (4, 5, 2) AND A IN (2, 4)}.
   */
  KeyRange around(TrailingRangeIterator alternatives) :
      call(KeyRange TrailingRangeIterator.getRange())
      && withincode(* KeyExpressionVisitor.andKeySlots(..))
      && target(alternatives) {
    KeyRange range = proceed(alternatives);
    return range == KeyRange.EVERYTHING_RANGE && isBounded(alternatives) ? ANYTHING : range;
  }

  /** Found out once, as there can be as many alternatives as an IN has values. */
  private static boolean isBounded(TrailingRangeIterator alternatives) {
    if (alternatives.isBounded == null) {
      alternatives.isBounded =
          alternatives.slotTrailingRangesList.stream()
              .flatMap(List::stream)
              .flatMap(List::stream)
              .anyMatch(ranges -> ranges[alternatives.pkPos] != KeyRange.EVERYTHING_RANGE);
    }
    return alternatives.isBounded;
  }

  private Boolean TrailingRangeIterator.isBounded;

  KeyRange around(KeyExpressionVisitor visitor, KeyRange one, KeyRange other) :
      execution(KeyRange KeyExpressionVisitor.intersectRanges(..))
      && this(visitor)
      && args(*, one, other, ..) {
    if (other == ANYTHING) {
      visitor.isWider = true;
      return one == null ? other : one;
    }
    return proceed(visitor, one, other);
  }

  /** Whether the ranges of the AND that is being combined have more keys than match it. */
  private boolean KeyExpressionVisitor.isWider;

  List<KeyRange> around(KeyExpressionVisitor visitor, List<KeyRange> ranges, List<KeyRange[]> later) :
      execution(List KeyExpressionVisitor.coalesceKeyRangesAndTrailingRanges(..))
      && this(visitor)
      && args(ranges, later, ..) {
    List<KeyRange> united = proceed(visitor, ranges, later);
    visitor.isWider |=
        united.size() < ranges.size() && !later.stream().allMatch(TrailingRangesAspect::isUnbounded);
    return united;
  }

  /**
   * Such an AND has to be tested on the rows. A column that is free needs no range: of a null at the
   * end, a key has nothing that could lie in it.
   */
  KeySlots around(KeyExpressionVisitor visitor) :
      execution(KeySlots KeyExpressionVisitor.andKeySlots(..))
      && this(visitor) {
    visitor.isWider = false;
    KeySlots slots = proceed(visitor);
    if (!visitor.isWider || slots == null || slots == KeyExpressionVisitor.EMPTY_KEY_SLOTS) {
      return slots;
    }
    List<KeySlot> tested = new ArrayList<>();
    for (KeySlot slot : slots.getSlots()) {
      boolean isFree = slot == null || slot.getKeyRanges().stream().anyMatch(ANYTHING::equals);
      tested.add(isFree ? null : tested(visitor, slot));
    }
    return new KeyExpressionVisitor.MultiKeySlot(tested, true);
  }

  private static KeySlot tested(KeyExpressionVisitor visitor, KeySlot slot) {
    return new KeySlot(
        new KeyExpressionVisitor.BaseKeyPart(
            visitor.table, slot.getKeyPart().getColumn(), Collections.emptySet()),
        slot.getPKPosition(),
        slot.getPKSpan(),
        slot.getKeyRanges(),
        slot.getOrderPreserving());
  }
}
