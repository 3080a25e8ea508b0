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
package org.apache.phoenix.pruning.weave;

import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.phoenix.compile.ScanRanges;
import org.apache.phoenix.filter.SkipScanFilter;
import org.apache.phoenix.query.KeyRange;
import org.apache.phoenix.schema.RowKeySchema;
import org.apache.phoenix.schema.ValueSchema.Field;
import org.apache.phoenix.thirdparty.com.google.common.base.Optional;
import org.apache.phoenix.util.ByteUtil;
import org.apache.phoenix.util.ScanUtil;
import org.apache.phoenix.util.ScanUtil.BytesComparator;

/** Keeps skip scans from stepping over rows. */
public privileged aspect SkipScanAspect {

  /**
   * The filter reads the key that it steps to in a buffer, and before it has finished writes another
   * one there. If that begins with a value of another length, it finds none where it looks: {@code
   * K1 IN ('aa', 'b') AND K2 < 2 AND K3 = 2}.
   */
  before(SkipScanFilter filter) :
      call(void SkipScanFilter.setStartKey())
      && withincode(* SkipScanFilter.navigate(..))
      && target(filter) {
    if (filter.ptr.get() == filter.startKey) {
      filter.startKey = new byte[filter.startKey.length];
    }
  }

  /**
   * What follows a descending value of variable width, and the 0xFF behind it, is not a value (after
   * {@code b} not {@code a}, which {@code aa} comes before), but begins with one and a zero byte.
   */
  after(SkipScanFilter filter, byte[] key, int length) :
      call(static boolean ByteUtil.nextKey(byte[], int))
      && withincode(* SkipScanFilter.navigate(..))
      && this(filter)
      && args(key, length) {
    ImmutableBytesWritable value = filter.ptr;
    if (value.getOffset() + value.getLength() == length - 1 && key[length - 1] == 0) {
      value.set(key, value.getOffset(), value.getLength() + 1);
    }
  }

  /**
   * Whether the first columns begin behind a region, where Phoenix compares them with all columns of
   * its end, of which those of a descending value that is the same seem to be a longer, lesser one.
   */
  int around(SkipScanFilter filter, KeyRange range, byte[] end, BytesComparator comparator) :
      call(int KeyRange.compareLowerToUpperBound(byte[], BytesComparator))
      && withincode(boolean SkipScanFilter.intersect(..))
      && this(filter)
      && target(range)
      && args(end, comparator) {
    ImmutableBytesWritable firstColumns = filter.ptr;
    int order = range.compareLowerToUpperBound(firstColumns, comparator);
    return order == 0 && firstColumns.getLength() < end.length ? -1 : order;
  }

  /** Of a row value, a key does not have the last columns that are null. */
  int around(ImmutableBytesWritable value, int position, int further) :
      call(int RowKeySchema.next(ImmutableBytesWritable, int, int, int))
      && withincode(* SkipScanFilter.navigate(..))
      && args(value, position, *, further) {
    int last = proceed(value, position, further);
    return value.getLength() > 0 ? position + further : last;
  }

  /**
   * The field that a slot ends with, of which the filter takes the one with the slot's number: a
   * row value before it has several.
   */
  Field around(SkipScanFilter filter, int slot) :
      call(Field RowKeySchema.getField(int))
      && withincode(int SkipScanFilter.setStartKey(..))
      && this(filter)
      && args(slot) {
    return proceed(filter, ScanUtil.getRowKeyPosition(filter.slotSpan, slot + 1) - 1);
  }

  /** The same, where the ranges of a slot are sorted. */
  Field around(int[] furtherColumns, int slot) :
      call(Field RowKeySchema.getField(int))
      && withincode(static ScanRanges ScanRanges.create(.., Optional))
      && args(slot)
      && cflow(
          execution(static ScanRanges ScanRanges.create(.., Optional))
          && args(*, *, furtherColumns, ..)) {
    return proceed(
        furtherColumns,
        slot < furtherColumns.length ? ScanUtil.getRowKeyPosition(furtherColumns, slot) : slot);
  }
}
