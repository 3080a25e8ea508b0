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

import java.util.stream.IntStream;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.util.Bytes;
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
   * What follows a value of variable width and the separator behind it, where Phoenix adds one to
   * that. Behind an ascending value, what follows is a longer one with its own separator: after
   * {@code a} and 0x00 comes {@code a}, 0x01 and 0x00. Behind a descending one, and its 0xFF, it is
   * not a value (after {@code b} not {@code a}, which {@code aa} comes before), but begins with one
   * and a zero byte.
   */
  after(SkipScanFilter filter, byte[] key, int length) :
      call(static boolean ByteUtil.nextKey(byte[], int))
      && withincode(* SkipScanFilter.navigate(..))
      && this(filter)
      && args(key, length) {
    ImmutableBytesWritable value = filter.ptr;
    if (value.getOffset() + value.getLength() == length - 1) {
      if (key[length - 1] == 0) {
        value.set(key, value.getOffset(), value.getLength() + 1);
      } else {
        filter.startKey = withZero(key, length);
        filter.startKeyLength++;
      }
    }
  }

  private static byte[] withZero(byte[] key, int position) {
    byte[] with = new byte[key.length + 1];
    System.arraycopy(key, 0, with, 0, position);
    System.arraycopy(key, position, with, position + 1, key.length - position);
    return with;
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

  /**
   * Whether the range that a server has read is null or empty. {@code BETWEEN 'a' AND 'aa'} of a
   * descending column is not, although the bytes that it ends with are less than the first ones.
   */
  KeyRange around(byte[] lower, byte[] upper) :
      call(static KeyRange KeyRange.getSingleton(byte[], boolean, byte[], boolean))
      && withincode(static KeyRange KeyRange.read(..))
      && args(lower, *, upper, *) {
    boolean endsBehindLonger =
        upper.length > 0 && upper.length < lower.length && Bytes.startsWith(lower, upper);
    return endsBehindLonger ? null : proceed(lower, upper);
  }

  /** Whether a key matches that has nothing of this slot and those behind it, which is null there. */
  boolean around(SkipScanFilter filter, int slot) :
      call(boolean SkipScanFilter.allTrailingNulls(int))
      && withincode(* SkipScanFilter.navigate(..))
      && target(filter)
      && args(slot) {
    return filter.slots.subList(slot, filter.slots.size()).stream()
        .map(ranges -> ranges.get(0))
        .allMatch(SkipScanAspect::hasNull);
  }

  private static boolean hasNull(KeyRange range) {
    return range.getLowerRange().length == 0
        && (range.isLowerInclusive() || range.upperUnbound());
  }

  /** Without such a key's next one Phoenix includes all that begin with it. */
  int around(SkipScanFilter filter, ImmutableBytesWritable key, int offset, int slot) :
      call(int SkipScanFilter.setEndKey(ImmutableBytesWritable, int, int))
      && withincode(* SkipScanFilter.navigate(..))
      && target(filter)
      && args(key, offset, slot) {
    return key.getLength() > 0
            || columns(filter, key, offset, slot) > ScanUtil.getRowKeyPosition(filter.slotSpan, slot)
        ? proceed(filter, key, offset, slot)
        : 0;
  }

  /** Of a row value that ends with nulls Phoenix seeks one too few. */
  int around(
      SkipScanFilter filter, ImmutableBytesWritable key, int offset, int slot, boolean isAtEnd) :
      call(int SkipScanFilter.setStartKey(ImmutableBytesWritable, int, int, int, boolean))
      && withincode(* SkipScanFilter.navigate(..))
      && target(filter)
      && args(key, offset, slot, *, isAtEnd) {
    int nulls = isAtEnd ? nullsAtEnd(filter, key, offset, slot) : 0;
    return nulls < 2
        ? proceed(filter, key, offset, slot, isAtEnd)
        : proceed(filter, withZeros(key, offset, nulls - 1), 0, slot, isAtEnd);
  }

  /** How many zero bytes a key that ends before a slot would have there if something followed. */
  private static int nullsAtEnd(
      SkipScanFilter filter, ImmutableBytesWritable value, int offset, int slot) {
    int last = Math.max(0, columns(filter, value, offset, slot) - 1);
    return (int)
        IntStream.range(last, ScanUtil.getRowKeyPosition(filter.slotSpan, slot))
            .filter(i -> !filter.schema.getField(i).getDataType().isFixedWidth())
            .count();
  }

  /** How many columns the key has until the value, up to the first one of a slot. */
  private static int columns(
      SkipScanFilter filter, ImmutableBytesWritable value, int offset, int slot) {
    int end = value.getOffset() + value.getLength();
    int last = ScanUtil.getRowKeyPosition(filter.slotSpan, slot);
    ImmutableBytesWritable column = new ImmutableBytesWritable(value.get(), offset, 0);
    int columns = 0;
    while (columns <= last && filter.schema.next(column, columns, end) != null) {
      columns++;
    }
    return columns;
  }

  private static ImmutableBytesWritable withZeros(
      ImmutableBytesWritable value, int offset, int zeros) {
    int length = value.getOffset() - offset;
    byte[] key = new byte[length + zeros];
    System.arraycopy(value.get(), offset, key, 0, length);
    return new ImmutableBytesWritable(key, key.length, 0);
  }

  /**
   * Phoenix goes back in a key to the separator before, but not to one that the key begins with, as
   * the first column is null: {@code K1 IS NULL AND K2 IN ('a', 'b') AND K3 < 4}.
   */
  Boolean around(
      RowKeySchema schema, ImmutableBytesWritable value, int from, int to, int begin, int end) :
      execution(Boolean RowKeySchema.reposition(ImmutableBytesWritable, int, int, int, int))
      && this(schema)
      && args(value, from, to, begin, end) {
    return to < from
        ? schema.iterator(value.get(), begin, end - begin, value, to + 1)
        : proceed(schema, value, from, to, begin, end);
  }
}
