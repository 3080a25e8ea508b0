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

import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.phoenix.filter.SkipScanFilter;
import org.apache.phoenix.schema.RowKeySchema;
import org.apache.phoenix.util.ScanUtil;

/**
 * Finds rows with nulls at the end of their keys for the patch {@code skip-scan}. A key lacks these
 * nulls, and Phoenix's {@code SkipScanFilter.navigate} then treats a whole row value as missing
 * (not reported).
 *
 * <p>Example: {@code SELECT * FROM T WHERE (A, B) >= ('a', 'b') AND C > 'c'} loses rows, or finds
 * rows that do not match, if the key columns can be null.
 */
public privileged aspect SkipScanNullsAspect {

  /** Nulls of the current key; null until a row needs it. Filters on clients read no rows. */
  private KeyNulls SkipScanFilter.nulls;

  private KeyNulls SkipScanFilter.nulls() {
    if (nulls == null) {
      nulls = new KeyNulls(schema, slotSpan);
    }
    return nulls;
  }

  /**
   * Treats a row value as complete if the key ends inside it. A key lacks trailing nulls, but
   * Phoenix's {@code SkipScanFilter.navigate} then assumes that the whole row value is missing.
   */
  int around(SkipScanFilter filter, ImmutableBytesWritable value, int position, int further) :
      call(int RowKeySchema.next(ImmutableBytesWritable, int, int, int))
      && withincode(* SkipScanFilter.navigate(..))
      && this(filter)
      && args(value, position, *, further) {
    int last = proceed(filter, value, position, further);
    return filter.isPatched && value.getLength() > 0 ? position + further : last;
  }

  /**
   * Returns whether a key that ends before {@code slot} matches. In such a key, all columns of the
   * remaining slots are null.
   */
  boolean around(SkipScanFilter filter, int slot) :
      call(boolean SkipScanFilter.allTrailingNulls(int))
      && withincode(* SkipScanFilter.navigate(..))
      && target(filter)
      && args(slot) {
    return filter.isPatched ? KeyNulls.allContainNull(filter.slots, slot) : proceed(filter, slot);
  }

  /**
   * Sets no end key after a key that ends before {@code slot}. With the end key, Phoenix would
   * include all keys that begin with this key without testing them.
   */
  int around(SkipScanFilter filter, ImmutableBytesWritable key, int offset, int slot) :
      call(int SkipScanFilter.setEndKey(ImmutableBytesWritable, int, int))
      && withincode(* SkipScanFilter.navigate(..))
      && target(filter)
      && args(key, offset, slot) {
    return !filter.isPatched
            || key.getLength() > 0
            || filter.nulls().columnCount(key, offset, slot)
                > ScanUtil.getRowKeyPosition(filter.slotSpan, slot)
        ? proceed(filter, key, offset, slot)
        : 0;
  }

  /**
   * Adds zero bytes to the seek key if the current key ends inside a row value with several nulls.
   * Phoenix's {@code SkipScanFilter.navigate} adds only one.
   */
  int around(
      SkipScanFilter filter, ImmutableBytesWritable key, int offset, int slot, boolean isAtEnd) :
      call(int SkipScanFilter.setStartKey(ImmutableBytesWritable, int, int, int, boolean))
      && withincode(* SkipScanFilter.navigate(..))
      && target(filter)
      && args(key, offset, slot, *, isAtEnd) {
    int nulls = isAtEnd && filter.isPatched ? filter.nulls().zeroBytesAtEnd(key, offset, slot) : 0;
    return nulls < 2
        ? proceed(filter, key, offset, slot, isAtEnd)
        : proceed(filter, KeyNulls.withZeros(key, offset, nulls - 1), 0, slot, isAtEnd);
  }
}
