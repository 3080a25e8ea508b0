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

import java.util.List;
import org.apache.phoenix.query.KeyRange;
import org.apache.phoenix.query.QueryConstants;
import org.apache.phoenix.schema.RowKeySchema;
import org.apache.phoenix.schema.SortOrder;
import org.apache.phoenix.schema.ValueSchema.Field;
import org.apache.phoenix.util.ScanUtil;
import org.apache.phoenix.util.ScanUtil.BytesComparator;

/**
 * The slots of a skip scan. A slot is one or several columns of the row key, with the ranges that
 * their values may have. The class finds the ends of slots in row keys, and the separators that
 * follow their values.
 */
final class SkipScanSlots {

  /** No separator follows the value. */
  static final int NO_SEPARATOR = -1;

  static final int ASCENDING_SEPARATOR = QueryConstants.SEPARATOR_BYTE;
  static final int DESCENDING_SEPARATOR = QueryConstants.DESC_SEPARATOR_BYTE & 0xFF;

  private final List<List<KeyRange>> slots;
  private final int[] furtherColumns;
  private final RowKeySchema schema;
  private final int[] firstColumns;
  private final boolean[] complete;
  private final boolean[] sorted;

  /**
   * Describes the slots of one skip scan.
   *
   * @param slots the ranges of each slot
   * @param furtherColumns number of columns of each slot, minus one
   * @param schema the schema of the row key
   */
  SkipScanSlots(List<List<KeyRange>> slots, int[] furtherColumns, RowKeySchema schema) {
    this.slots = slots;
    this.furtherColumns = furtherColumns;
    this.schema = schema;
    this.firstColumns = new int[slots.size()];
    this.complete = new boolean[slots.size()];
    this.sorted = new boolean[slots.size()];
    int column = 0;
    for (int slot = 0; slot < slots.size(); slot++) {
      firstColumns[slot] = column;
      column += 1 + furtherColumns[slot];
      complete[slot] = furtherColumns[slot] == 0 || areComplete(slot);
      sorted[slot] = complete[slot] && areSorted(slot);
    }
  }

  /** Returns the number of slots. */
  int size() {
    return slots.size();
  }

  /** Returns the ranges of a slot. */
  List<KeyRange> ranges(int slot) {
    return slots.get(slot);
  }

  /** Returns whether the bounds of all ranges of a slot have all columns of the slot. */
  boolean isComplete(int slot) {
    return complete[slot];
  }

  /** Returns whether the ranges of a slot are in row key order. */
  boolean isSorted(int slot) {
    return sorted[slot];
  }

  /** Returns the separator that follows a value of a slot in row keys, or {@link #NO_SEPARATOR}. */
  int separator(int slot, byte[] value) {
    Field field = lastField(slot);
    if (field.getDataType().isFixedWidth()) {
      return NO_SEPARATOR;
    }
    if (isDescending(field)) {
      return value.length == 0 ? ASCENDING_SEPARATOR : DESCENDING_SEPARATOR;
    }
    return isLast(slot) ? NO_SEPARATOR : ASCENDING_SEPARATOR;
  }

  /** Returns whether a row key ends with this value of a slot. */
  boolean endsRow(int slot, byte[] value) {
    Field field = lastField(slot);
    return complete[slot]
        && isLast(slot)
        && (value.length == 0 || !field.getDataType().isFixedWidth())
        && !isDescending(field);
  }

  private boolean isLast(int slot) {
    return lastColumn(slot) == schema.getFieldCount() - 1;
  }

  private int lastColumn(int slot) {
    return firstColumns[slot] + furtherColumns[slot];
  }

  /** Returns the last column of a slot. */
  Field lastField(int slot) {
    return schema.getField(lastColumn(slot));
  }

  /** Returns whether the values of a column sort before their own prefixes. */
  static boolean isDescending(Field field) {
    return field.getSortOrder() == SortOrder.DESC && !field.getDataType().isFixedWidth();
  }

  private boolean areSorted(int slot) {
    List<KeyRange> ranges = slots.get(slot);
    BytesComparator comparator = ScanUtil.getComparator(lastField(slot));
    for (int i = 1; i < ranges.size(); i++) {
      KeyRange before = ranges.get(i - 1);
      byte[] start = ranges.get(i).getLowerRange();
      if (start.length == 0
          || before.upperUnbound()
          || (before.getUpperRange().length > 0
              && before.compareUpperToLowerBound(start, comparator) > 0)) {
        return false;
      }
    }
    return true;
  }

  private boolean areComplete(int slot) {
    for (KeyRange range : slots.get(slot)) {
      if (!(range.lowerUnbound() || hasAllColumns(slot, range.getLowerRange()))
          || !(range.upperUnbound() || hasAllColumns(slot, range.getUpperRange()))) {
        return false;
      }
    }
    return true;
  }

  /** Returns whether a row value has all columns of a slot. */
  private boolean hasAllColumns(int slot, byte[] value) {
    int last = lastColumn(slot);
    int offset = 0;
    for (int column = firstColumns[slot]; column < last; column++) {
      offset = endOfColumn(column, value, offset);
      if (offset < 0) {
        return false;
      }
    }
    Field field = schema.getField(last);
    return field.getDataType().isFixedWidth()
        ? value.length == offset + field.getByteSize()
        : value.length > offset;
  }

  /** Returns the offset of the next slot in a key, or -1 if the key ends before. */
  int endOfSlot(int slot, byte[] key, int offset) {
    int end = offset;
    int last = lastColumn(slot);
    for (int column = firstColumns[slot]; column <= last && end >= 0; column++) {
      end = endOfColumn(column, key, end);
    }
    return end;
  }

  /** Returns the offset of the next column in a key, or -1 if the key ends before. */
  private int endOfColumn(int column, byte[] key, int offset) {
    Field field = schema.getField(column);
    if (field.getDataType().isFixedWidth()) {
      int end = offset + field.getByteSize();
      return end <= key.length ? end : -1;
    }
    boolean isDescending = isDescending(field);
    if (offset >= key.length || (column == schema.getFieldCount() - 1 && !isDescending)) {
      return -1;
    }
    if (key[offset] == QueryConstants.SEPARATOR_BYTE) {
      return offset + 1;
    }
    byte separator =
        isDescending ? QueryConstants.DESC_SEPARATOR_BYTE : QueryConstants.SEPARATOR_BYTE;
    if (key[offset] == separator) {
      // No descending value is empty: the bound sorts after all values.
      return -1;
    }
    for (int end = offset + 1; end < key.length; end++) {
      if (key[end] == separator) {
        return end + 1;
      }
    }
    return -1;
  }
}
