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
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.phoenix.query.KeyRange;
import org.apache.phoenix.schema.RowKeySchema;
import org.apache.phoenix.schema.SortOrder;

/**
 * Describes the columns of row values, such as {@code (K2, K3)} in {@code (K2, K3) > (1, 2)}, and
 * of their key ranges in Phoenix's {@code WhereOptimizer}.
 *
 * <p>A bound has the bytes of one or more consecutive key columns, all in ascending encoding. A
 * separator follows a column of variable width if another column comes after it. A bound of fewer
 * columns than another bound stands for all keys that begin with it.
 *
 * <p>In all methods, {@code position} is the position of a bound's first column in the row key.
 */
public final class RowValueColumns {

  private final RowKeySchema schema;
  private final RowValueBounds bounds;

  public RowValueColumns(RowKeySchema schema) {
    this.schema = schema;
    this.bounds = new RowValueBounds(schema);
  }

  RowKeySchema schema() {
    return schema;
  }

  RowValueBounds bounds() {
    return bounds;
  }

  /**
   * Returns how many columns, counted from the first one, have bytes in key order if they are
   * combined. The bytes of a descending column of variable width are in key order only if the
   * column stands alone.
   */
  public int countInKeyOrder(int position, int columns) {
    int count = 1;
    while (count < columns && hasBytesInOrder(position) && hasBytesInOrder(position + count)) {
      count++;
    }
    return count;
  }

  private boolean hasBytesInOrder(int column) {
    return bounds.isFixed(column) || schema.getField(column).getSortOrder() == SortOrder.ASC;
  }

  /**
   * Returns whether several row values are equal in their last columns. These columns begin at the
   * last column that is descending, or whose sort order differs from that of the column before.
   * Phoenix splits the values there, looks at the last columns alone, and scans one range.
   */
  public boolean haveEqualSuffix(int position, int columns, List<KeyRange> values) {
    int suffix = columns - 1;
    while (suffix > 0
        && isSameOrder(position + suffix - 1, position + suffix)
        && schema.getField(position + suffix).getSortOrder() == SortOrder.ASC) {
      suffix--;
    }
    if (suffix == 0 || values.size() == 1) {
      return false;
    }
    byte[] first = bounds.afterColumns(position, values.get(0).getLowerRange(), suffix);
    for (KeyRange value : values) {
      if (!Arrays.equals(first, bounds.afterColumns(position, value.getLowerRange(), suffix))) {
        return false;
      }
    }
    return true;
  }

  /** Returns whether Phoenix cuts one of the ranges at a change of sort order, and so widens it. */
  public boolean isCutBySortOrder(int position, List<KeyRange> ranges) {
    return ranges.stream()
        .filter(range -> hasComparableBounds(range) && !range.isSingleKey())
        .anyMatch(range -> hasMixedOrders(position, columnCount(position, range)));
  }

  /** Returns whether the columns have different sort orders. */
  boolean hasMixedOrders(int position, int columns) {
    return positions(position + 1, columns - 1).anyMatch(i -> !isSameOrder(i - 1, i));
  }

  private boolean isSameOrder(int one, int other) {
    return schema.getField(one).getSortOrder() == schema.getField(other).getSortOrder();
  }

  /**
   * Returns whether all columns have a fixed width. A bound can then end after any of the columns,
   * without a separator.
   */
  public boolean areFixed(int position, int columns) {
    return positions(position, columns).allMatch(bounds::isFixed);
  }

  /** Returns whether a row can have null in one of the columns. */
  public boolean areNullable(int position, int columns) {
    return positions(position, columns).anyMatch(i -> schema.getField(i).isNullable());
  }

  static IntStream positions(int position, int columns) {
    return IntStream.range(position, position + columns);
  }

  /** Returns whether a range has bounds with bytes to compare. Ranges of nulls have none. */
  static boolean hasComparableBounds(KeyRange range) {
    return range != KeyRange.IS_NULL_RANGE
        && range != KeyRange.IS_NOT_NULL_RANGE
        && range != KeyRange.EMPTY_RANGE
        && !(range.lowerUnbound() && range.upperUnbound());
  }

  /** Returns the number of columns of the longer bound, at least 1. */
  int columnCount(int position, KeyRange range) {
    return Math.max(
        1,
        Math.max(
            bounds.columnCount(position, range.getLowerRange()),
            bounds.columnCount(position, range.getUpperRange())));
  }

  /** Returns the largest number of columns of any bound, at least 1. */
  public int columnCount(int position, List<KeyRange> ranges) {
    int maxColumns = 1;
    for (KeyRange range : ranges) {
      if (hasComparableBounds(range)) {
        maxColumns = Math.max(maxColumns, columnCount(position, range));
      }
    }
    return maxColumns;
  }

  /** Returns a range cut to its first columns, with inclusive bounds. */
  KeyRange firstColumns(int position, KeyRange range, int columns) {
    return KeyRange.getKeyRange(
        bounds.firstColumns(position, range.getLowerRange(), columns),
        true,
        bounds.firstColumns(position, range.getUpperRange(), columns),
        true);
  }

  /** Returns ranges cut to their first columns, with inclusive bounds and without duplicates. */
  public List<KeyRange> firstColumns(int position, List<KeyRange> ranges, int columns) {
    return ranges.stream()
        .map(range -> firstColumns(position, range, columns))
        .distinct()
        .collect(Collectors.toList());
  }
}
