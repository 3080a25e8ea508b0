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
package org.apache.phoenix.pruning.plan;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.query.KeyRange;
import org.apache.phoenix.schema.RowKeySchema;
import org.apache.phoenix.schema.SortOrder;
import org.apache.phoenix.schema.ValueSchema.Field;
import org.apache.phoenix.util.ByteUtil;
import org.apache.phoenix.util.SchemaUtil;

/**
 * Ranges of row values, which Phoenix's {@code WhereOptimizer} makes of {@code (K2, K3) > (1, 2)}:
 * a bound has the bytes of one or more key columns, from some column on, all ascending, with a
 * separator behind a column of variable width that another follows. A bound of fewer columns than
 * another stands for all keys that begin with it.
 */
public final class RowValueRanges {

  private static final byte[] NONE = {};

  private final RowKeySchema schema;
  private boolean isWider;

  public RowValueRanges(RowKeySchema schema) {
    this.schema = schema;
  }

  /**
   * How many of the columns have bytes in order: together with others, those of a descending column
   * of variable width do not.
   */
  public int inOrder(int position, int columns) {
    int inOrder = 1;
    while (inOrder < columns && hasBytesInOrder(position) && hasBytesInOrder(position + inOrder)) {
      inOrder++;
    }
    return inOrder;
  }

  private boolean hasBytesInOrder(int column) {
    return isFixed(column) || schema.getField(column).getSortOrder() == SortOrder.ASC;
  }

  /**
   * Whether several row values have the same values in the columns after the last one that
   * descends, or behind which the order changes. There Phoenix divides the values, looks at that
   * part alone, and scans one range.
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
    byte[] end = from(position, values.get(0).getLowerRange(), last);
    for (KeyRange value : values) {
      if (!Arrays.equals(end, from(position, value.getLowerRange(), last))) {
        return false;
      }
    }
    return true;
  }

  /** Whether Phoenix cuts one of the ranges where the order changes, and makes it wider. */
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

  /** Whether a bound can end with any of the columns, and needs no zero byte behind it. */
  public boolean isFixed(int position, int columns) {
    return columns(position, columns).allMatch(this::isFixed);
  }

  /** Whether a row can lack a value of one of the columns. */
  public boolean isNullable(int position, int columns) {
    return columns(position, columns).anyMatch(i -> schema.getField(i).isNullable());
  }

  private static IntStream columns(int position, int columns) {
    return IntStream.range(position, position + columns);
  }

  /** Whether bytes can be compared: nulls have none. */
  public static boolean isPlain(KeyRange range) {
    return range != KeyRange.IS_NULL_RANGE
        && range != KeyRange.IS_NOT_NULL_RANGE
        && range != KeyRange.EMPTY_RANGE
        && !(range.lowerUnbound() && range.upperUnbound());
  }

  /** How many columns the longer bound has; at least one. */
  public int columns(int position, KeyRange range) {
    return Math.max(
        1,
        Math.max(count(position, range.getLowerRange()), count(position, range.getUpperRange())));
  }

  /** The most columns of any. */
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
   * The same ranges, right for a comparison of the bytes of as many columns as the longest bound
   * has; or, where shorter ones cannot be made longer, wider ones of as few as the shortest has.
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

  /** How many columns the shorter bound has. */
  private int least(int position, KeyRange range) {
    int ofLower = count(position, range.getLowerRange());
    int ofUpper = count(position, range.getUpperRange());
    return ofLower == 0 || ofUpper == 0 ? Math.max(ofLower, ofUpper) : Math.min(ofLower, ofUpper);
  }

  private KeyRange leveled(int position, KeyRange range, int least, int most) {
    if (!isPlain(range) || least == most) {
      return range;
    }
    if (canBeLonger(position, least, most)) {
      return leveled(
          position,
          range.getLowerRange(),
          range.isLowerInclusive(),
          range.getUpperRange(),
          range.isUpperInclusive(),
          most);
    }
    isWider = true;
    return first(position, range, least);
  }

  /**
   * Whether a bound can be continued with the lowest values. That of a column of variable width is
   * null, of which a key has nothing where nothing follows; in ascending order nothing is needed.
   */
  private boolean canBeLonger(int position, int least, int most) {
    return columns(position + least, most - least).allMatch(i -> isFixed(i) || isLast(i));
  }

  /** Whether a column is the last of the key, and a null in it has no byte. */
  private boolean isLast(int column) {
    return column == schema.getFieldCount() - 1
        && schema.getField(column).getSortOrder() == SortOrder.ASC;
  }

  /** Whether something was made that has more than what it was made of. */
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
      byte[] first = lowerInclusive ? lower : next(position, lower);
      isWider |= first == null;
      from = padded(position, first == null ? lower : first, columns);
      fromInclusive = true;
    }
    byte[] to = upper;
    boolean toInclusive = upperInclusive;
    if (isShort(position, upper, columns)) {
      byte[] end = upperInclusive ? next(position, upper) : upper;
      to = end == null ? KeyRange.UNBOUND : padded(position, end, columns);
      toInclusive = false;
    }
    return KeyRange.getKeyRange(from, fromInclusive, to, toInclusive);
  }

  private boolean isShort(int position, byte[] bound, int columns) {
    return bound.length > 0 && count(position, bound) < columns;
  }

  /** The first key that begins with the bound, of so many columns. */
  private byte[] padded(int position, byte[] bound, int columns) {
    byte[] padded = bound;
    int from = position + count(position, bound);
    for (int i = from; i < position + columns && isFixed(i); i++) {
      int separator = isFixed(i - 1) ? 0 : 1;
      padded = Arrays.copyOf(padded, padded.length + separator + schema.getField(i).getByteSize());
    }
    return padded;
  }

  /**
   * What two ranges have in common.
   *
   * @param later where this is one value of the first columns, the range of what follows them is
   *     put here, at the position of its first column; otherwise it stays as it is
   */
  public KeyRange intersect(int position, KeyRange one, KeyRange other, KeyRange[] later) {
    if (!isPlain(one) || !isPlain(other)) {
      return one.intersect(other);
    }
    KeyRange ofLower = compareLower(position, one, other) < 0 ? other : one;
    KeyRange ofUpper = compareUpper(position, one, other) > 0 ? other : one;
    byte[] lower = ofLower.getLowerRange();
    byte[] upper = ofUpper.getUpperRange();
    boolean lowerInclusive = ofLower.isLowerInclusive();
    boolean upperInclusive = ofUpper.isUpperInclusive();
    if (isEmpty(position, lower, lowerInclusive, upper, upperInclusive)) {
      return KeyRange.EMPTY_RANGE;
    }
    int common = commonColumns(position, lower, upper);
    int columns = Math.min(columns(position, one), columns(position, other));
    if (isOneBehindOther(position, lower, upper)) {
      columns = common;
    } else if (common < columns || Arrays.equals(lower, upper)) {
      return KeyRange.getKeyRange(lower, lowerInclusive, upper, upperInclusive);
    }
    KeyRange rest =
        KeyRange.getKeyRange(
            from(position, lower, columns),
            lowerInclusive,
            from(position, upper, columns),
            upperInclusive);
    int next = position + columns;
    isWider |= isMixed(next, columns(next, rest));
    later[next] = later[next].intersect(rest);
    return KeyRange.getKeyRange(first(position, lower, columns));
  }

  /** Of the lower bounds; that of the smaller range is the greater one. */
  private int compareLower(int position, KeyRange one, KeyRange other) {
    byte[] ofOne = one.getLowerRange();
    byte[] ofOther = other.getLowerRange();
    return ofOne.length == 0 || ofOther.length == 0
        ? Integer.compare(ofOne.length, ofOther.length)
        : compareBounds(position, ofOne, one.isLowerInclusive(), ofOther, other.isLowerInclusive());
  }

  private int compareBounds(
      int position, byte[] one, boolean oneInclusive, byte[] other, boolean otherInclusive) {
    int order = comparePrefix(position, one, other);
    return order != 0
        ? order
        : Integer.compare(rank(position, one, oneInclusive), rank(position, other, otherInclusive));
  }

  /**
   * Orders lower bounds that begin with the same columns: that of {@code >= 1} is before those of
   * {@code >= (1, 2)}, {@code > (1, 2)} and, at last, {@code > 1}. An upper bound is where the
   * lower one of what it leaves out is.
   */
  private int rank(int position, byte[] bound, boolean inclusive) {
    int columns = count(position, bound);
    return inclusive ? columns : 2 * (schema.getFieldCount() + 1) - columns;
  }

  /** Of the upper bounds; that of the smaller range is the lesser one. */
  private int compareUpper(int position, KeyRange one, KeyRange other) {
    byte[] ofOne = one.getUpperRange();
    byte[] ofOther = other.getUpperRange();
    return ofOne.length == 0 || ofOther.length == 0
        ? Integer.compare(ofOther.length, ofOne.length)
        : compareBounds(
            position, ofOne, !one.isUpperInclusive(), ofOther, !other.isUpperInclusive());
  }

  /** Compares the columns that both have. */
  private int comparePrefix(int position, byte[] one, byte[] other) {
    int columns = Math.min(count(position, one), count(position, other));
    return Bytes.compareTo(first(position, one, columns), first(position, other, columns));
  }

  private boolean isEmpty(
      int position, byte[] lower, boolean lowerInclusive, byte[] upper, boolean upperInclusive) {
    if (lower.length == 0 || upper.length == 0) {
      return false;
    }
    return compareBounds(position, lower, lowerInclusive, upper, !upperInclusive) >= 0;
  }

  /** Whether two bounds of different lengths begin with the same columns. */
  private boolean isOneBehindOther(int position, byte[] lower, byte[] upper) {
    return lower.length > 0
        && upper.length > 0
        && count(position, lower) != count(position, upper)
        && comparePrefix(position, lower, upper) == 0;
  }

  private int commonColumns(int position, byte[] lower, byte[] upper) {
    int columns = Math.min(count(position, lower), count(position, upper));
    while (columns > 0
        && !Arrays.equals(first(position, lower, columns), first(position, upper, columns))) {
      columns--;
    }
    return columns;
  }

  /**
   * What is left of a range whose bounds have the column at {@code at}, too, if that is to lie in
   * {@code ofLater}. A bound that cannot be reached ends before that column.
   */
  public KeyRange intersectLater(int position, KeyRange range, KeyRange ofLater, int at) {
    if (!isPlain(range) || !isPlain(ofLater)) {
      return range;
    }
    KeyRange column = columns(at, ofLater) > 1 ? first(at, ofLater, 1) : ofLater;
    byte[] lower = range.getLowerRange();
    byte[] upper = range.getUpperRange();
    int columns = at - position;
    int ofLower = compare(column, column(position, lower, columns));
    int ofUpper = compare(column, column(position, upper, columns));
    if (range.isSingleKey()) {
      return ofLower == 0 ? range : KeyRange.EMPTY_RANGE;
    }
    boolean lowerInclusive = range.isLowerInclusive();
    if (ofLower != 0) {
      lower = first(position, lower, columns);
      lowerInclusive = ofLower > 0;
    }
    boolean upperInclusive = range.isUpperInclusive();
    if (ofUpper != 0) {
      upper = first(position, upper, columns);
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

  /** Where the range lies: before the value, after it, or (0) around it; 0 for no value. */
  private static int compare(KeyRange range, byte[] value) {
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

  /** The column behind the first ones; null if the bound has none there. */
  private byte[] column(int position, byte[] bound, int columns) {
    if (count(position, bound) <= columns) {
      return null;
    }
    return Arrays.copyOfRange(
        bound, next(position, bound, columns), end(position, bound, columns + 1));
  }

  /** The range of the first columns, with its bounds. */
  public KeyRange first(int position, KeyRange range, int columns) {
    return KeyRange.getKeyRange(
        first(position, range.getLowerRange(), columns),
        true,
        first(position, range.getUpperRange(), columns),
        true);
  }

  private byte[] first(int position, byte[] bound, int columns) {
    int end = end(position, bound, columns);
    return end == bound.length ? bound : Arrays.copyOf(bound, end);
  }

  /** What follows the first columns, and the zero byte behind them. */
  private byte[] from(int position, byte[] bound, int columns) {
    return count(position, bound) <= columns
        ? NONE
        : Arrays.copyOfRange(bound, next(position, bound, columns), bound.length);
  }

  /** Returns where the column begins that follows the first ones. */
  private int next(int position, byte[] bound, int columns) {
    int separator = isFixed(position + columns - 1) ? 0 : 1;
    return end(position, bound, columns) + separator;
  }

  /** The first key behind all that begin with the columns of a bound; null if there is none. */
  private byte[] next(int position, byte[] bound) {
    int columns = count(position, bound);
    return isFixed(position + columns - 1)
        ? ByteUtil.nextKey(bound)
        : ByteUtil.nextKey(Arrays.copyOf(bound, end(position, bound, columns) + 1));
  }

  /** Returns how many columns a bound has. */
  private int count(int position, byte[] bound) {
    int columns = 0;
    for (int from = 0; from < bound.length && position + columns < schema.getFieldCount(); ) {
      int end = endOf(position + columns, bound, from);
      from = isFixed(position + columns) ? end : end + 1;
      columns++;
    }
    return columns;
  }

  /**
   * Returns where the first columns of a bound end, or all if it has fewer, without a separator.
   */
  private int end(int position, byte[] bound, int columns) {
    if (bound.length == 0 || position >= schema.getFieldCount()) {
      return bound.length;
    }
    int end = endOf(position, bound, 0);
    for (int i = position + 1; i < position + columns && i < schema.getFieldCount(); i++) {
      int from = isFixed(i - 1) ? end : end + 1;
      if (from >= bound.length) {
        break;
      }
      end = endOf(i, bound, from);
    }
    return end;
  }

  private int endOf(int column, byte[] bound, int from) {
    if (isFixed(column)) {
      return Math.min(bound.length, from + schema.getField(column).getByteSize());
    }
    if (column == schema.getFieldCount() - 1) {
      return bound.length;
    }
    byte separator =
        SchemaUtil.getSeparatorByte(
            schema.rowKeyOrderOptimizable(), false, schema.getField(column));
    int end = from;
    while (end < bound.length && bound[end] != separator) {
      end++;
    }
    return end;
  }

  private boolean isFixed(int column) {
    Field field = schema.getField(column);
    return field.getDataType().isFixedWidth();
  }
}
