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
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.phoenix.query.KeyRange;
import org.apache.phoenix.schema.RowKeySchema;
import org.apache.phoenix.util.ScanUtil;

/**
 * Counts the columns and the nulls of row keys. An object is reused for all keys of a scan, so that
 * a row allocates nothing. Not thread-safe.
 */
public final class KeyNulls {

  private final RowKeySchema schema;
  private final int[] furtherColumns;
  private final ImmutableBytesWritable column = new ImmutableBytesWritable();

  /**
   * @param furtherColumns number of further columns of each slot
   */
  public KeyNulls(RowKeySchema schema, int[] furtherColumns) {
    this.schema = schema;
    this.furtherColumns = furtherColumns;
  }

  /** Returns whether the first range of {@code slot}, and of each later slot, contains null. */
  public static boolean allContainNull(List<List<KeyRange>> slots, int slot) {
    for (int i = slot; i < slots.size(); i++) {
      if (!containsNull(slots.get(i).get(0))) {
        return false;
      }
    }
    return true;
  }

  private static boolean containsNull(KeyRange range) {
    return range.getLowerRange().length == 0 && (range.isLowerInclusive() || range.upperUnbound());
  }

  /**
   * Returns how many zero bytes would stand for the trailing nulls of a key that ends before {@code
   * slot} if more columns followed.
   *
   * @param value last value of the key
   * @param offset offset of the key in the bytes of {@code value}
   */
  public int zeroBytesAtEnd(ImmutableBytesWritable value, int offset, int slot) {
    int last = Math.max(0, columnCount(value, offset, slot) - 1);
    int end = ScanUtil.getRowKeyPosition(furtherColumns, slot);
    int nulls = 0;
    for (int i = last; i < end; i++) {
      if (!schema.getField(i).getDataType().isFixedWidth()) {
        nulls++;
      }
    }
    return nulls;
  }

  /**
   * Returns the number of columns of the key up to the end of {@code value}, counting no further
   * than the first column of {@code slot}.
   *
   * @param offset offset of the key in the bytes of {@code value}
   */
  public int columnCount(ImmutableBytesWritable value, int offset, int slot) {
    int end = value.getOffset() + value.getLength();
    int last = ScanUtil.getRowKeyPosition(furtherColumns, slot);
    column.set(value.get(), offset, 0);
    int columns = 0;
    while (columns <= last && schema.next(column, columns, end) != null) {
      columns++;
    }
    return columns;
  }

  /**
   * Returns the key from {@code offset} up to {@code value}, followed by zero bytes. The result is
   * an empty value at the end of this key.
   */
  public static ImmutableBytesWritable withZeros(
      ImmutableBytesWritable value, int offset, int zeros) {
    int length = value.getOffset() - offset;
    byte[] key = new byte[length + zeros];
    System.arraycopy(value.get(), offset, key, 0, length);
    return new ImmutableBytesWritable(key, key.length, 0);
  }
}
