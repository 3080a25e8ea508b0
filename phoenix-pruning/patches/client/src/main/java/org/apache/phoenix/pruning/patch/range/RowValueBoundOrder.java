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

import org.apache.phoenix.query.KeyRange;

/**
 * Orders the bounds of key ranges by columns. Bounds can have different numbers of columns, and be
 * inclusive or exclusive.
 *
 * <p>In all methods, {@code position} is the position of a bound's first column in the row key.
 */
final class RowValueBoundOrder {

  private final RowValueBounds bounds;
  private final int keyColumns;

  RowValueBoundOrder(RowValueColumns columns) {
    this.bounds = columns.bounds();
    this.keyColumns = columns.schema().getFieldCount();
  }

  /** Compares two lower bounds. The smaller range has the greater bound. */
  int compareLower(int position, KeyRange one, KeyRange other) {
    byte[] oneBound = one.getLowerRange();
    byte[] otherBound = other.getLowerRange();
    return oneBound.length == 0 || otherBound.length == 0
        ? Integer.compare(oneBound.length, otherBound.length)
        : compare(position, oneBound, one.isLowerInclusive(), otherBound, other.isLowerInclusive());
  }

  /** Compares two upper bounds. The smaller range has the lesser bound. */
  int compareUpper(int position, KeyRange one, KeyRange other) {
    byte[] oneBound = one.getUpperRange();
    byte[] otherBound = other.getUpperRange();
    return oneBound.length == 0 || otherBound.length == 0
        ? Integer.compare(otherBound.length, oneBound.length)
        : compare(
            position, oneBound, !one.isUpperInclusive(), otherBound, !other.isUpperInclusive());
  }

  /** Returns whether no key is between a lower and an upper bound. */
  boolean isEmpty(
      int position, byte[] lower, boolean lowerInclusive, byte[] upper, boolean upperInclusive) {
    return lower.length > 0
        && upper.length > 0
        && compare(position, lower, lowerInclusive, upper, !upperInclusive) >= 0;
  }

  private int compare(
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
    int columns = bounds.columnCount(position, bound);
    return inclusive ? columns : 2 * (keyColumns + 1) - columns;
  }

  /** Returns whether one bound has the columns of the other bound, and more columns after them. */
  boolean isOnePrefixOfOther(int position, byte[] lower, byte[] upper) {
    return lower.length > 0
        && upper.length > 0
        && bounds.columnCount(position, lower) != bounds.columnCount(position, upper)
        && bounds.comparePrefix(position, lower, upper) == 0;
  }
}
