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

import java.util.Arrays;
import java.util.List;
import org.apache.phoenix.compile.WhereOptimizer.KeyExpressionVisitor.KeySlots;
import org.apache.phoenix.compile.WhereOptimizer.KeyExpressionVisitor;
import org.apache.phoenix.pruning.patch.range.RowValueIntersection;
import org.apache.phoenix.pruning.patch.range.RowValueNormalizer;
import org.apache.phoenix.query.KeyRange;

/** Combines ranges of key columns with the trailing ranges that row values imply. */
public privileged aspect RowValueTrailingAspect {

  /** Position of the key column whose ranges are being combined. */
  private int KeyExpressionVisitor.position;

  /** True while the range of a column is combined with a trailing range of earlier columns. */
  boolean KeyExpressionVisitor.isTrailing;

  /** True if a range of the column has become smaller because of the ranges of a later column. */
  private boolean KeyExpressionVisitor.isTrimmed;

  pointcut and() :
      withincode(KeySlots KeyExpressionVisitor.andKeySlots(..));

  /** Resets the state for the next combination of ranges. */
  before(KeyExpressionVisitor visitor) :
      execution(KeyRange[] KeyExpressionVisitor.newTrailingRange())
      && this(visitor) {
    visitor.isTrailing = false;
  }

  KeyRange around(
      KeyExpressionVisitor visitor, int position, KeyRange one, KeyRange other, KeyRange[] later) :
      execution(KeyRange KeyExpressionVisitor.intersectRanges(..))
      && RowValueSwitchAspect.visiting(visitor)
      && args(position, one, other, later) {
    visitor.position = position;
    if (one == null) {
      return other;
    }
    if (other == RowValueSlotsAspect.ANYTHING) {
      return one;
    }
    RowValueIntersection intersection = new RowValueIntersection(visitor.columns());
    KeyRange common = intersection.intersect(position, one, other, later);
    // Phoenix keeps a range although the trailing ranges of earlier columns exclude it.
    visitor.isWider |=
        intersection.isWider() || (visitor.isTrailing && common == KeyRange.EMPTY_RANGE);
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
      && RowValueSwitchAspect.visiting(visitor)
      && args(ranges, later, alternatives) {
    for (int i = 1; i < later.size(); i++) {
      visitor.isWider |= !Arrays.equals(later.get(i), later.get(0));
    }
    return proceed(visitor, normalized(visitor, ranges), later, alternatives);
  }

  /** Returns the ranges in a form in which their bytes can be compared. */
  private static List<KeyRange> normalized(KeyExpressionVisitor visitor, List<KeyRange> all) {
    if (all.size() == 1) {
      return all;
    }
    RowValueNormalizer normalizer = new RowValueNormalizer(visitor.columns());
    List<KeyRange> normalized = normalizer.toSameColumns(visitor.position, all);
    visitor.isWider |= normalizer.isWider();
    return normalized;
  }

  KeyRange around(
      KeyExpressionVisitor visitor, KeyRange range, int position, KeyRange laterRange, int laterPosition) :
      execution(KeyRange KeyExpressionVisitor.intersectTrailing(..))
      && RowValueSwitchAspect.visiting(visitor)
      && args(range, position, laterRange, laterPosition) {
    visitor.position = position;
    RowValueIntersection intersection = new RowValueIntersection(visitor.columns());
    KeyRange remaining = intersection.intersectLater(position, range, laterRange, laterPosition);
    visitor.isWider |= intersection.isWider() || remaining == KeyRange.EMPTY_RANGE;
    visitor.isTrimmed |= remaining != range;
    return remaining;
  }

  /** Unites the ranges that remain of a column after each range of later columns was applied. */
  List<KeyRange> around(KeyExpressionVisitor visitor, List<KeyRange> all) :
      call(static List KeyRange.coalesce(List))
      && and()
      && RowValueSwitchAspect.visiting(visitor)
      && args(all) {
    visitor.isWider |= visitor.isTrimmed && all.size() > 1;
    visitor.isTrimmed = false;
    return proceed(visitor, normalized(visitor, all));
  }
}
