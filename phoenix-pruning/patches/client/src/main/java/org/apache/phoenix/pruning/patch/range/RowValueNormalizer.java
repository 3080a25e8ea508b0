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
import java.util.List;
import org.apache.phoenix.query.KeyRange;
import org.apache.phoenix.schema.RowKeySchema;
import org.apache.phoenix.schema.SortOrder;

/**
 * Gives the bounds of key ranges the same number of columns, so that their bytes can be compared.
 *
 * <p>In all methods, {@code position} is the position of a bound's first column in the row key.
 */
public final class RowValueNormalizer {

  private final RowKeySchema schema;
  private final RowValueColumns columns;
  private final RowValueBounds bounds;
  private final RowValueNulls nulls;
  private boolean isWider;

  public RowValueNormalizer(RowValueColumns columns) {
    this.schema = columns.schema();
    this.columns = columns;
    this.bounds = columns.bounds();
    this.nulls = new RowValueNulls(columns);
  }

  /**
   * Returns the same ranges in a form whose bytes can be compared. All bounds get as many columns
   * as the longest bound has. If shorter bounds cannot be extended, all bounds are cut to as many
   * columns as the shortest bound has. The ranges are then wider.
   */
  public List<KeyRange> toSameColumns(int position, List<KeyRange> ranges) {
    int maxColumns = columns.columnCount(position, ranges);
    if (maxColumns == 1) {
      return ranges;
    }
    int minColumns = maxColumns;
    for (KeyRange range : ranges) {
      if (RowValueColumns.hasComparableBounds(range)) {
        minColumns = Math.min(minColumns, columnsOfShorterBound(position, range));
      }
    }
    List<KeyRange> normalized = new ArrayList<>();
    for (KeyRange range : ranges) {
      normalized.add(normalized(position, range, minColumns, maxColumns));
    }
    return normalized;
  }

  /** Returns whether any result so far covers more keys than its input. */
  public boolean isWider() {
    return isWider || nulls.isWider();
  }

  /** Returns the number of columns of the shorter bound, or of the only bound. */
  private int columnsOfShorterBound(int position, KeyRange range) {
    int lowerColumns = bounds.columnCount(position, range.getLowerRange());
    int upperColumns = bounds.columnCount(position, range.getUpperRange());
    return lowerColumns == 0 || upperColumns == 0
        ? Math.max(lowerColumns, upperColumns)
        : Math.min(lowerColumns, upperColumns);
  }

  private KeyRange normalized(int position, KeyRange range, int minColumns, int maxColumns) {
    if (!RowValueColumns.hasComparableBounds(range) || minColumns == maxColumns) {
      return range;
    }
    if (canExtend(position, minColumns, maxColumns)) {
      return extended(position, nulls.exclude(position, range), maxColumns);
    }
    isWider = true;
    return columns.firstColumns(position, range, minColumns);
  }

  /**
   * Returns whether a bound can be extended with the lowest value of each further column. A column
   * of fixed width always allows this. A column of variable width allows this only if its lowest
   * value, null, has no bytes.
   */
  private boolean canExtend(int position, int minColumns, int maxColumns) {
    return RowValueColumns.positions(position + minColumns, maxColumns - minColumns)
        .allMatch(i -> bounds.isFixed(i) || isLastWithEmptyNull(i));
  }

  /** Returns whether a column is the last one of the key, and its null has no bytes. */
  private boolean isLastWithEmptyNull(int column) {
    return column == schema.getFieldCount() - 1
        && schema.getField(column).getSortOrder() == SortOrder.ASC;
  }

  private KeyRange extended(int position, KeyRange range, int count) {
    byte[] lower = range.getLowerRange();
    boolean lowerInclusive = range.isLowerInclusive();
    if (hasFewerColumns(position, lower, count)) {
      byte[] first = lowerInclusive ? lower : bounds.nextKey(position, lower);
      isWider |= first == null;
      lower = bounds.pad(position, first == null ? lower : first, count);
      lowerInclusive = true;
    }
    byte[] upper = range.getUpperRange();
    boolean upperInclusive = range.isUpperInclusive();
    if (hasFewerColumns(position, upper, count)) {
      byte[] end = upperInclusive ? bounds.nextKey(position, upper) : upper;
      upper = end == null ? KeyRange.UNBOUND : bounds.pad(position, end, count);
      upperInclusive = false;
    }
    return KeyRange.getKeyRange(lower, lowerInclusive, upper, upperInclusive);
  }

  private boolean hasFewerColumns(int position, byte[] bound, int count) {
    return bound.length > 0 && bounds.columnCount(position, bound) < count;
  }
}
