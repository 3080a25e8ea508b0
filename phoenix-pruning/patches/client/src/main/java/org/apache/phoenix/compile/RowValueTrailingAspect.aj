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

import java.util.List;
import org.apache.phoenix.compile.WhereOptimizer.KeyExpressionVisitor.KeySlots;
import org.apache.phoenix.compile.WhereOptimizer.KeyExpressionVisitor;
import org.apache.phoenix.pruning.patch.range.RowValueAndRanges;
import org.apache.phoenix.query.KeyRange;

/**
 * Combines ranges of key columns with the trailing ranges that row values imply, for the patch
 * {@code row-value-ranges}. Phoenix's {@code KeyExpressionVisitor.intersectRanges} and {@code
 * intersectTrailing} compare bounds with different numbers of columns byte by byte (PHOENIX-7760
 * describes a part).
 *
 * <p>Example: {@code SELECT A, B, C FROM T WHERE (A, B) <= (2, 1) AND A < 4} finds the row (2, 2,
 * 1), which does not match.
 */
public privileged aspect RowValueTrailingAspect {

  /** Ranges of the current AND; null until the first AND. */
  private RowValueAndRanges KeyExpressionVisitor.andRanges;

  RowValueAndRanges KeyExpressionVisitor.andRanges() {
    if (andRanges == null) {
      andRanges = new RowValueAndRanges(columns());
    }
    return andRanges;
  }

  pointcut and() :
      withincode(KeySlots KeyExpressionVisitor.andKeySlots(..));

  /** Resets the state for the next combination of ranges. */
  before(KeyExpressionVisitor visitor) :
      execution(KeyRange[] KeyExpressionVisitor.newTrailingRange())
      && this(visitor) {
    if (visitor.andRanges != null) {
      visitor.andRanges.startColumn();
    }
  }

  KeyRange around(
      KeyExpressionVisitor visitor, int position, KeyRange one, KeyRange other, KeyRange[] later) :
      execution(KeyRange KeyExpressionVisitor.intersectRanges(..))
      && RowValueSwitchAspect.visiting(visitor)
      && args(position, one, other, later) {
    return visitor.andRanges().intersect(position, one, other, later);
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
      && RowValueSwitchAspect.visiting(visitor)
      && args(ranges, later, alternatives) {
    return proceed(visitor, visitor.andRanges().normalized(ranges, later), later, alternatives);
  }

  KeyRange around(
      KeyExpressionVisitor visitor,
      KeyRange range,
      int position,
      KeyRange laterRange,
      int laterPosition) :
      execution(KeyRange KeyExpressionVisitor.intersectTrailing(..))
      && RowValueSwitchAspect.visiting(visitor)
      && args(range, position, laterRange, laterPosition) {
    return visitor.andRanges().intersectLater(position, range, laterRange, laterPosition);
  }

  /** Unites the ranges that remain of a column after each range of later columns was applied. */
  List<KeyRange> around(KeyExpressionVisitor visitor, List<KeyRange> all) :
      call(static List KeyRange.coalesce(List))
      && and()
      && RowValueSwitchAspect.visiting(visitor)
      && args(all) {
    return proceed(visitor, visitor.andRanges().remaining(all));
  }
}
