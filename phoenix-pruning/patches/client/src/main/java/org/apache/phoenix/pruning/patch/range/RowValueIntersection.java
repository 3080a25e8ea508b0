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
package org.apache.phoenix.pruning.patch.range;

import java.util.Arrays;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.query.KeyRange;
import org.jspecify.annotations.Nullable;

/**
 * Intersects key ranges of row values by columns. The ranges can have bounds of different numbers
 * of columns.
 *
 * <p>In all methods, {@code position} is the position of a bound's first column in the row key.
 */
public final class RowValueIntersection {

  private final RowValueColumns columns;
  private final RowValueBounds bounds;
  private final RowValueBoundOrder order;
  private final RowValueNulls nulls;
  private boolean isWider;

  public RowValueIntersection(RowValueColumns columns) {
    this.columns = columns;
    this.bounds = columns.bounds();
    this.order = new RowValueBoundOrder(columns);
    this.nulls = new RowValueNulls(columns);
  }

  /** Returns whether any result so far covers more keys than its input. */
  public boolean isWider() {
    return isWider || nulls.isWider();
  }

  /**
   * Returns the intersection of two ranges.
   *
   * @param later ranges of later columns, by position. If the intersection has only one value in
   *     its first columns, the entry of the next column is intersected with the range of the
   *     remaining columns. Otherwise the array does not change.
   */
  public KeyRange intersect(int position, KeyRange one, KeyRange other, KeyRange[] later) {
    if (!RowValueColumns.hasComparableBounds(one) || !RowValueColumns.hasComparableBounds(other)) {
      return one.intersect(other);
    }
    return columns.columnCount(position, one) == columns.columnCount(position, other)
        ? intersectComparable(position, one, other, later)
        : intersectComparable(
            position, nulls.exclude(position, one), nulls.exclude(position, other), later);
  }

  private KeyRange intersectComparable(
      int position, KeyRange one, KeyRange other, KeyRange[] later) {
    KeyRange rangeOfLower = order.compareLower(position, one, other) < 0 ? other : one;
    KeyRange rangeOfUpper = order.compareUpper(position, one, other) > 0 ? other : one;
    byte[] lower = rangeOfLower.getLowerRange();
    byte[] upper = rangeOfUpper.getUpperRange();
    boolean lowerInclusive = rangeOfLower.isLowerInclusive();
    boolean upperInclusive = rangeOfUpper.isUpperInclusive();
    if (order.isEmpty(position, lower, lowerInclusive, upper, upperInclusive)) {
      return KeyRange.EMPTY_RANGE;
    }
    int common = bounds.commonColumns(position, lower, upper);
    int count = Math.min(columns.columnCount(position, one), columns.columnCount(position, other));
    if (order.isOnePrefixOfOther(position, lower, upper)) {
      count = common;
    } else if (common < count || Arrays.equals(lower, upper)) {
      return KeyRange.getKeyRange(lower, lowerInclusive, upper, upperInclusive);
    }
    KeyRange rest =
        KeyRange.getKeyRange(
            bounds.afterColumns(position, lower, count),
            lowerInclusive,
            bounds.afterColumns(position, upper, count),
            upperInclusive);
    int next = position + count;
    isWider |= columns.hasMixedOrders(next, columns.columnCount(next, rest));
    later[next] = later[next].intersect(rest);
    return KeyRange.getKeyRange(bounds.firstColumns(position, lower, count));
  }

  /**
   * Restricts a range to keys whose column at {@code laterPosition} lies in {@code laterRange}. The
   * bounds of the range include this column. If the column of a bound is not in {@code laterRange},
   * the bound is cut before this column.
   */
  public KeyRange intersectLater(
      int position, KeyRange range, KeyRange laterRange, int laterPosition) {
    if (!RowValueColumns.hasComparableBounds(range)
        || !RowValueColumns.hasComparableBounds(laterRange)) {
      return range;
    }
    KeyRange column =
        columns.columnCount(laterPosition, laterRange) > 1
            ? columns.firstColumns(laterPosition, laterRange, 1)
            : laterRange;
    byte[] lower = range.getLowerRange();
    byte[] upper = range.getUpperRange();
    int count = laterPosition - position;
    int lowerOrder = compare(column, bounds.column(position, lower, count));
    int upperOrder = compare(column, bounds.column(position, upper, count));
    if (range.isSingleKey()) {
      return lowerOrder == 0 ? range : KeyRange.EMPTY_RANGE;
    }
    if (lowerOrder == 0 && upperOrder == 0) {
      return range;
    }
    boolean lowerInclusive = range.isLowerInclusive();
    if (lowerOrder != 0) {
      lower = bounds.firstColumns(position, lower, count);
      lowerInclusive = lowerOrder > 0;
    }
    boolean upperInclusive = range.isUpperInclusive();
    if (upperOrder != 0) {
      upper = bounds.firstColumns(position, upper, count);
      upperInclusive = upperOrder < 0;
    }
    if (order.isEmpty(position, lower, lowerInclusive, upper, upperInclusive)) {
      return KeyRange.EMPTY_RANGE;
    }
    if (order.isOnePrefixOfOther(position, lower, upper)) {
      isWider = true;
      return columns.firstColumns(position, range, count);
    }
    return KeyRange.getKeyRange(lower, lowerInclusive, upper, upperInclusive);
  }

  /**
   * Returns -1 if a range lies before a value, 1 if it lies after the value, and 0 if it contains
   * the value. Returns 0 if the value is null.
   */
  private static int compare(KeyRange range, byte @Nullable [] value) {
    if (value == null) {
      return 0;
    }
    if (!range.upperUnbound()) {
      int upper = Bytes.compareTo(range.getUpperRange(), value);
      if (upper < 0 || (upper == 0 && !range.isUpperInclusive())) {
        return -1;
      }
    }
    if (!range.lowerUnbound()) {
      int lower = Bytes.compareTo(range.getLowerRange(), value);
      if (lower > 0 || (lower == 0 && !range.isLowerInclusive())) {
        return 1;
      }
    }
    return 0;
  }
}
