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

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.query.KeyRange;
import org.apache.phoenix.schema.RowKeySchema;
import org.apache.phoenix.schema.SortOrder;
import org.jspecify.annotations.Nullable;

/**
 * Key ranges of row values, as Phoenix's {@code WhereOptimizer} makes them. An example of a
 * condition is {@code (K2, K3) > (1, 2)}.
 *
 * <p>A bound has the bytes of one or more consecutive key columns, all in ascending encoding. A
 * separator follows a column of variable width if another column comes after it. A bound of fewer
 * columns than another bound stands for all keys that begin with it.
 *
 * <p>In all methods, {@code position} is the position of a bound's first column in the row key.
 */
public final class RowValueRanges {

  private final RowKeySchema schema;
  private final RowValueBounds bounds;
  private boolean isWider;

  public RowValueRanges(RowKeySchema schema) {
    this.schema = schema;
    this.bounds = new RowValueBounds(schema);
  }

  /**
   * Returns how many columns, counted from the first one, have bytes in order if they are combined.
   * The bytes of a descending column of variable width are in order only if the column stands
   * alone.
   */
  public int inOrder(int position, int columns) {
    int inOrder = 1;
    while (inOrder < columns && hasBytesInOrder(position) && hasBytesInOrder(position + inOrder)) {
      inOrder++;
    }
    return inOrder;
  }

  private boolean hasBytesInOrder(int column) {
    return bounds.isFixed(column) || schema.getField(column).getSortOrder() == SortOrder.ASC;
  }

  /**
   * Returns whether several row values are equal in their last columns. These columns begin at the
   * last column that is descending, or whose sort order differs from that of the column before.
   * Phoenix splits the values there, looks at the last columns alone, and scans one range.
   */
  public boolean endAlike(int position, int columns, List<KeyRange> values) {
    int last = columns - 1;
    while (last > 0
        && isSameOrder(position + last - 1, position + last)
        && schema.getField(position + last).getSortOrder() == SortOrder.ASC) {
      last--;
    }
    if (last == 0 || values.size() == 1) {
      return false;
    }
    byte[] end = bounds.from(position, values.get(0).getLowerRange(), last);
    for (KeyRange value : values) {
      if (!Arrays.equals(end, bounds.from(position, value.getLowerRange(), last))) {
        return false;
      }
    }
    return true;
  }

  /** Returns whether Phoenix cuts one of the ranges at a change of sort order, and so widens it. */
  public boolean isCut(int position, List<KeyRange> ranges) {
    return ranges.stream()
        .filter(range -> isPlain(range) && !range.isSingleKey())
        .anyMatch(range -> isMixed(position, columns(position, range)));
  }

  private boolean isMixed(int position, int columns) {
    return columns(position + 1, columns - 1).anyMatch(i -> !isSameOrder(i - 1, i));
  }

  private boolean isSameOrder(int one, int other) {
    return schema.getField(one).getSortOrder() == schema.getField(other).getSortOrder();
  }

  /**
   * Returns whether all columns have a fixed width. A bound can then end after any of the columns,
   * without a separator.
   */
  public boolean isFixed(int position, int columns) {
    return columns(position, columns).allMatch(bounds::isFixed);
  }

  /** Returns whether a row can have null in one of the columns. */
  public boolean isNullable(int position, int columns) {
    return columns(position, columns).anyMatch(i -> schema.getField(i).isNullable());
  }

  private static IntStream columns(int position, int columns) {
    return IntStream.range(position, position + columns);
  }

  /** Returns whether a range has bounds with bytes to compare. Ranges of nulls have none. */
  public static boolean isPlain(KeyRange range) {
    return range != KeyRange.IS_NULL_RANGE
        && range != KeyRange.IS_NOT_NULL_RANGE
        && range != KeyRange.EMPTY_RANGE
        && !(range.lowerUnbound() && range.upperUnbound());
  }

  /** Returns the number of columns of the longer bound, at least 1. */
  public int columns(int position, KeyRange range) {
    return Math.max(
        1,
        Math.max(
            bounds.count(position, range.getLowerRange()),
            bounds.count(position, range.getUpperRange())));
  }

  /** Returns the largest number of columns of any bound, at least 1. */
  public int columns(int position, List<KeyRange> ranges) {
    int most = 1;
    for (KeyRange range : ranges) {
      if (isPlain(range)) {
        most = Math.max(most, columns(position, range));
      }
    }
    return most;
  }

  /**
   * Returns the same ranges in a form whose bytes can be compared. All bounds get as many columns
   * as the longest bound has. If shorter bounds cannot be extended, all bounds are cut to as many
   * columns as the shortest bound has. The ranges are then wider.
   */
  public List<KeyRange> leveled(int position, List<KeyRange> ranges) {
    int most = columns(position, ranges);
    if (most == 1) {
      return ranges;
    }
    int least = most;
    for (KeyRange range : ranges) {
      if (isPlain(range)) {
        least = Math.min(least, least(position, range));
      }
    }
    List<KeyRange> leveled = new ArrayList<>();
    for (KeyRange range : ranges) {
      leveled.add(leveled(position, range, least, most));
    }
    return leveled;
  }

  /** Returns the number of columns of the shorter bound, or of the only bound. */
  private int least(int position, KeyRange range) {
    int ofLower = bounds.count(position, range.getLowerRange());
    int ofUpper = bounds.count(position, range.getUpperRange());
    return ofLower == 0 || ofUpper == 0 ? Math.max(ofLower, ofUpper) : Math.min(ofLower, ofUpper);
  }

  private KeyRange leveled(int position, KeyRange range, int least, int most) {
    if (!isPlain(range) || least == most) {
      return range;
    }
    if (canBeLonger(position, least, most)) {
      KeyRange values = withoutNull(position, range);
      return leveled(
          position,
          values.getLowerRange(),
          values.isLowerInclusive(),
          values.getUpperRange(),
          values.isUpperInclusive(),
          most);
    }
    isWider = true;
    return first(position, range, least);
  }

  /**
   * Returns whether a bound can be extended with the lowest value of each further column. A column
   * of fixed width always allows this. A column of variable width allows this only if its lowest
   * value, null, has no bytes.
   */
  private boolean canBeLonger(int position, int least, int most) {
    return columns(position + least, most - least).allMatch(i -> bounds.isFixed(i) || isLast(i));
  }

  /** Returns whether a column is the last one of the key, and its null has no bytes. */
  private boolean isLast(int column) {
    return column == schema.getFieldCount() - 1
        && schema.getField(column).getSortOrder() == SortOrder.ASC;
  }

  /** Returns whether any result so far covers more keys than its input. */
  public boolean isWider() {
    return isWider;
  }

  private KeyRange leveled(
      int position,
      byte[] lower,
      boolean lowerInclusive,
      byte[] upper,
      boolean upperInclusive,
      int columns) {
    byte[] from = lower;
    boolean fromInclusive = lowerInclusive;
    if (isShort(position, lower, columns)) {
      byte[] first = lowerInclusive ? lower : bounds.nextKey(position, lower);
      isWider |= first == null;
      from = bounds.padded(position, first == null ? lower : first, columns);
      fromInclusive = true;
    }
    byte[] to = upper;
    boolean toInclusive = upperInclusive;
    if (isShort(position, upper, columns)) {
      byte[] end = upperInclusive ? bounds.nextKey(position, upper) : upper;
      to = end == null ? KeyRange.UNBOUND : bounds.padded(position, end, columns);
      toInclusive = false;
    }
    return KeyRange.getKeyRange(from, fromInclusive, to, toInclusive);
  }

  private boolean isShort(int position, byte[] bound, int columns) {
    return bound.length > 0 && bounds.count(position, bound) < columns;
  }

  /**
   * Returns the intersection of two ranges.
   *
   * @param later ranges of later columns, by position. If the intersection has only one value in
   *     its first columns, the entry of the next column is narrowed to the range of the columns
   *     after them. Otherwise the array does not change.
   */
  public KeyRange intersect(int position, KeyRange one, KeyRange other, KeyRange[] later) {
    if (!isPlain(one) || !isPlain(other)) {
      return one.intersect(other);
    }
    return columns(position, one) == columns(position, other)
        ? intersection(position, one, other, later)
        : intersection(position, withoutNull(position, one), withoutNull(position, other), later);
  }

  /**
   * Returns a range of one column without the null of the column. A range of several columns has
   * nulls: Phoenix sorts them when it compares row values.
   */
  private KeyRange withoutNull(int position, KeyRange range) {
    if (!range.lowerUnbound()
        || bounds.count(position, range.getUpperRange()) > 1
        || bounds.isFixed(position)
        || !schema.getField(position).isNullable()) {
      return range;
    }
    if (!NullRanges.isTextOrNumber(schema.getField(position).getDataType())) {
      isWider = true;
      return range;
    }
    return KeyRange.getKeyRange(
        NullRanges.NOT_NULL, true, range.getUpperRange(), range.isUpperInclusive());
  }

  private KeyRange intersection(int position, KeyRange one, KeyRange other, KeyRange[] later) {
    KeyRange ofLower = compareLower(position, one, other) < 0 ? other : one;
    KeyRange ofUpper = compareUpper(position, one, other) > 0 ? other : one;
    byte[] lower = ofLower.getLowerRange();
    byte[] upper = ofUpper.getUpperRange();
    boolean lowerInclusive = ofLower.isLowerInclusive();
    boolean upperInclusive = ofUpper.isUpperInclusive();
    if (isEmpty(position, lower, lowerInclusive, upper, upperInclusive)) {
      return KeyRange.EMPTY_RANGE;
    }
    int common = bounds.commonColumns(position, lower, upper);
    int columns = Math.min(columns(position, one), columns(position, other));
    if (isOneBehindOther(position, lower, upper)) {
      columns = common;
    } else if (common < columns || Arrays.equals(lower, upper)) {
      return KeyRange.getKeyRange(lower, lowerInclusive, upper, upperInclusive);
    }
    KeyRange rest =
        KeyRange.getKeyRange(
            bounds.from(position, lower, columns),
            lowerInclusive,
            bounds.from(position, upper, columns),
            upperInclusive);
    int next = position + columns;
    isWider |= isMixed(next, columns(next, rest));
    later[next] = later[next].intersect(rest);
    return KeyRange.getKeyRange(bounds.first(position, lower, columns));
  }

  /** Compares two lower bounds. The smaller range has the greater bound. */
  private int compareLower(int position, KeyRange one, KeyRange other) {
    byte[] ofOne = one.getLowerRange();
    byte[] ofOther = other.getLowerRange();
    return ofOne.length == 0 || ofOther.length == 0
        ? Integer.compare(ofOne.length, ofOther.length)
        : compareBounds(position, ofOne, one.isLowerInclusive(), ofOther, other.isLowerInclusive());
  }

  private int compareBounds(
      int position, byte[] one, boolean oneInclusive, byte[] other, boolean otherInclusive) {
    int order = bounds.comparePrefix(position, one, other);
    return order != 0
        ? order
        : Integer.compare(rank(position, one, oneInclusive), rank(position, other, otherInclusive));
  }

  /**
   * Returns the rank of a lower bound among bounds that begin with the same columns. The order is
   * {@code >= 1}, {@code >= (1, 2)}, {@code > (1, 2)}, {@code > 1}. An upper bound ranks as the
   * lower bound of the keys above its range.
   */
  private int rank(int position, byte[] bound, boolean inclusive) {
    int columns = bounds.count(position, bound);
    return inclusive ? columns : 2 * (schema.getFieldCount() + 1) - columns;
  }

  /** Compares two upper bounds. The smaller range has the lesser bound. */
  private int compareUpper(int position, KeyRange one, KeyRange other) {
    byte[] ofOne = one.getUpperRange();
    byte[] ofOther = other.getUpperRange();
    return ofOne.length == 0 || ofOther.length == 0
        ? Integer.compare(ofOther.length, ofOne.length)
        : compareBounds(
            position, ofOne, !one.isUpperInclusive(), ofOther, !other.isUpperInclusive());
  }

  private boolean isEmpty(
      int position, byte[] lower, boolean lowerInclusive, byte[] upper, boolean upperInclusive) {
    if (lower.length == 0 || upper.length == 0) {
      return false;
    }
    return compareBounds(position, lower, lowerInclusive, upper, !upperInclusive) >= 0;
  }

  /** Returns whether two bounds with different numbers of columns begin with the same columns. */
  private boolean isOneBehindOther(int position, byte[] lower, byte[] upper) {
    return lower.length > 0
        && upper.length > 0
        && bounds.count(position, lower) != bounds.count(position, upper)
        && bounds.comparePrefix(position, lower, upper) == 0;
  }

  /**
   * Restricts a range to keys whose column at {@code at} lies in {@code ofLater}. The bounds of the
   * range include this column. A bound that cannot be reached is cut before this column.
   */
  public KeyRange intersectLater(int position, KeyRange range, KeyRange ofLater, int at) {
    if (!isPlain(range) || !isPlain(ofLater)) {
      return range;
    }
    KeyRange column = columns(at, ofLater) > 1 ? first(at, ofLater, 1) : ofLater;
    byte[] lower = range.getLowerRange();
    byte[] upper = range.getUpperRange();
    int columns = at - position;
    int ofLower = compare(column, bounds.column(position, lower, columns));
    int ofUpper = compare(column, bounds.column(position, upper, columns));
    if (range.isSingleKey()) {
      return ofLower == 0 ? range : KeyRange.EMPTY_RANGE;
    }
    boolean lowerInclusive = range.isLowerInclusive();
    if (ofLower != 0) {
      lower = bounds.first(position, lower, columns);
      lowerInclusive = ofLower > 0;
    }
    boolean upperInclusive = range.isUpperInclusive();
    if (ofUpper != 0) {
      upper = bounds.first(position, upper, columns);
      upperInclusive = ofUpper < 0;
    }
    if (ofLower == 0 && ofUpper == 0) {
      return range;
    }
    if (isEmpty(position, lower, lowerInclusive, upper, upperInclusive)) {
      return KeyRange.EMPTY_RANGE;
    }
    if (isOneBehindOther(position, lower, upper)) {
      isWider = true;
      return first(position, range, columns);
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

  /** Returns the range of the first columns, including its bounds. */
  public KeyRange first(int position, KeyRange range, int columns) {
    return KeyRange.getKeyRange(
        bounds.first(position, range.getLowerRange(), columns),
        true,
        bounds.first(position, range.getUpperRange(), columns),
        true);
  }

  /** Returns the different ranges of the first columns, including their bounds. */
  public List<KeyRange> first(int position, List<KeyRange> ranges, int columns) {
    return ranges.stream()
        .map(range -> first(position, range, columns))
        .distinct()
        .collect(Collectors.toList());
  }
}
