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
import org.apache.phoenix.compile.WhereOptimizer.KeyExpressionVisitor.KeySlots;
import org.apache.phoenix.compile.WhereOptimizer.KeyExpressionVisitor.TrailingRangeIterator;
import org.apache.phoenix.compile.WhereOptimizer.KeyExpressionVisitor;
import org.apache.phoenix.pruning.config.RangePatches;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.pruning.patch.range.RowValueAndRanges;
import org.apache.phoenix.pruning.patch.range.TrailingRanges;
import org.apache.phoenix.query.KeyRange;

/**
 * Keeps all trailing ranges of a column for the patch {@code row-value-ranges}. If a column has
 * several ranges, each of them can imply other trailing ranges. Phoenix's {@code
 * WhereOptimizer.KeyExpressionVisitor} forgets some of them (PHOENIX-7760 describes another part of
 * the defect).
 *
 * <p>Example: {@code SELECT A, B, C FROM T WHERE (A, B, C) <= (4, 5, 2) AND A IN (2, 4)} loses the
 * row (2, 5, 3).
 */
public privileged aspect RowValueAlternativesAspect {

  private Boolean TrailingRangeIterator.isBounded;

  pointcut and() :
      withincode(KeySlots KeyExpressionVisitor.andKeySlots(..));

  /**
   * Combines the trailing ranges of two ranges of a column that Phoenix unites because they touch
   * or overlap. If only one of the ranges leaves later columns unbounded, Phoenix's {@code
   * KeyExpressionVisitor.concat} keeps the trailing ranges of the other range.
   */
  List<KeyRange[]> around(List<KeyRange[]> one, List<KeyRange[]> other) :
      execution(static List KeyExpressionVisitor.concat(List, List))
      && args(one, other) {
    if (!RangePatches.isOn(Patch.ROW_VALUE_RANGES)
        || TrailingRanges.areDroppedByPhoenix(one, other)) {
      return proceed(one, other);
    }
    List<KeyRange[]> all = new ArrayList<>(one.size() + other.size());
    all.addAll(one);
    all.addAll(other);
    for (KeyRange[] ranges : all) {
      if (TrailingRanges.isUnbounded(ranges)) {
        return Collections.singletonList(ranges);
      }
    }
    return all;
  }

  /**
   * Makes the trailing ranges available for each range of a column. Phoenix's {@code
   * TrailingRangeIterator} returns them only for the first range.
   */
  before(KeyExpressionVisitor visitor, TrailingRangeIterator alternatives) :
      call(void TrailingRangeIterator.init())
      && and()
      && RowValueSwitchAspect.visiting(visitor)
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
      && RowValueSwitchAspect.visiting(visitor)
      && target(alternatives) {
    visitor.andRanges().startTrailing();
    KeyRange range = proceed(visitor, alternatives);
    return range == KeyRange.EVERYTHING_RANGE && isBounded(alternatives)
        ? RowValueAndRanges.ANYTHING
        : range;
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
    for (List<List<KeyRange[]>> rangesOfSlot : alternatives.slotTrailingRangesList) {
      for (List<KeyRange[]> rangesOfAlternative : rangesOfSlot) {
        for (KeyRange[] ranges : rangesOfAlternative) {
          if (ranges[alternatives.pkPos] != KeyRange.EVERYTHING_RANGE) {
            return true;
          }
        }
      }
    }
    return false;
  }
}
