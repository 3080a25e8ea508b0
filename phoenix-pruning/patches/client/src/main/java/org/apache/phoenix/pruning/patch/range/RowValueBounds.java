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
import org.apache.phoenix.schema.RowKeySchema;
import org.apache.phoenix.schema.ValueSchema.Field;
import org.apache.phoenix.util.ByteUtil;
import org.apache.phoenix.util.SchemaUtil;
import org.jspecify.annotations.Nullable;

/**
 * Reads the columns of the bounds of key ranges. A bound has the bytes of one or more consecutive
 * key columns, all in ascending encoding. A separator follows a column of variable width if another
 * column comes after it. An unbounded range has bounds without bytes.
 *
 * <p>In all methods, {@code position} is the position of a bound's first column in the row key, and
 * {@code columns} is at least 1.
 */
final class RowValueBounds {

  private static final byte[] EMPTY = {};

  private final RowKeySchema schema;

  RowValueBounds(RowKeySchema schema) {
    this.schema = schema;
  }

  /** Returns the first key of {@code columns} columns that begins with the bound. */
  byte[] pad(int position, byte[] bound, int columns) {
    byte[] padded = bound;
    int from = position + columnCount(position, bound);
    for (int i = from; i < position + columns && isFixed(i); i++) {
      int separator = isFixed(i - 1) ? 0 : 1;
      padded = Arrays.copyOf(padded, padded.length + separator + schema.getField(i).getByteSize());
    }
    return padded;
  }

  /** Compares the columns that both bounds have. */
  int comparePrefix(int position, byte[] one, byte[] other) {
    int columns = Math.min(columnCount(position, one), columnCount(position, other));
    return Bytes.compareTo(
        firstColumns(position, one, columns), firstColumns(position, other, columns));
  }

  /** Returns how many leading columns have the same bytes in both bounds. */
  int commonColumns(int position, byte[] lower, byte[] upper) {
    int columns = Math.min(columnCount(position, lower), columnCount(position, upper));
    while (columns > 0
        && !Arrays.equals(
            firstColumns(position, lower, columns), firstColumns(position, upper, columns))) {
      columns--;
    }
    return columns;
  }

  /**
   * Returns the column after the first {@code columns} columns, or null if the bound does not have
   * it.
   */
  byte @Nullable [] column(int position, byte[] bound, int columns) {
    if (columnCount(position, bound) <= columns) {
      return null;
    }
    return Arrays.copyOfRange(
        bound, offsetAfter(position, bound, columns), endOfColumns(position, bound, columns + 1));
  }

  /** Returns the bytes of the first columns, without a separator after them. */
  byte[] firstColumns(int position, byte[] bound, int columns) {
    int end = endOfColumns(position, bound, columns);
    return end == bound.length ? bound : Arrays.copyOf(bound, end);
  }

  /** Returns the bytes after the first columns and their separator. */
  byte[] afterColumns(int position, byte[] bound, int columns) {
    return columnCount(position, bound) <= columns
        ? EMPTY
        : Arrays.copyOfRange(bound, offsetAfter(position, bound, columns), bound.length);
  }

  /** Returns the offset of the column after the first {@code columns} columns. */
  private int offsetAfter(int position, byte[] bound, int columns) {
    int separator = isFixed(position + columns - 1) ? 0 : 1;
    return endOfColumns(position, bound, columns) + separator;
  }

  /**
   * Returns the first key after all keys that begin with the columns of a bound, or null if there
   * is none.
   */
  byte @Nullable [] nextKey(int position, byte[] bound) {
    int columns = columnCount(position, bound);
    return isFixed(position + columns - 1)
        ? ByteUtil.nextKey(bound)
        : ByteUtil.nextKey(Arrays.copyOf(bound, endOfColumns(position, bound, columns) + 1));
  }

  /** Returns how many columns a bound has. */
  int columnCount(int position, byte[] bound) {
    int columns = 0;
    for (int from = 0; from < bound.length && position + columns < schema.getFieldCount(); ) {
      int end = endOfColumn(position + columns, bound, from);
      from = isFixed(position + columns) ? end : end + 1;
      columns++;
    }
    return columns;
  }

  /**
   * Returns the offset at which the first {@code columns} columns of a bound end, without a
   * separator. If the bound has fewer columns, returns the end of its last column.
   */
  private int endOfColumns(int position, byte[] bound, int columns) {
    if (bound.length == 0 || position >= schema.getFieldCount()) {
      return bound.length;
    }
    int end = endOfColumn(position, bound, 0);
    for (int i = position + 1; i < position + columns && i < schema.getFieldCount(); i++) {
      int from = isFixed(i - 1) ? end : end + 1;
      if (from >= bound.length) {
        break;
      }
      end = endOfColumn(i, bound, from);
    }
    return end;
  }

  private int endOfColumn(int column, byte[] bound, int from) {
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

  boolean isFixed(int column) {
    Field field = schema.getField(column);
    return field.getDataType().isFixedWidth();
  }
}
