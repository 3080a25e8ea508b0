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

import java.io.DataInput;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.filter.Filter.ReturnCode;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.compile.ScanRanges;
import org.apache.phoenix.filter.SkipScanFilter;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.pruning.patch.PatchRequest;
import org.apache.phoenix.pruning.patch.PatchSet;
import org.apache.phoenix.pruning.patch.RangePatches;
import org.apache.phoenix.pruning.plan.SkipScanIntersection;
import org.apache.phoenix.query.KeyRange;
import org.apache.phoenix.query.KeyRange.Bound;
import org.apache.phoenix.schema.RowKeySchema;
import org.apache.phoenix.schema.SortOrder;
import org.apache.phoenix.schema.ValueSchema.Field;
import org.apache.phoenix.schema.types.PDataType;
import org.apache.phoenix.schema.types.PDecimal;
import org.apache.phoenix.schema.types.PVarchar;
import org.apache.phoenix.thirdparty.com.google.common.base.Optional;
import org.apache.phoenix.util.ByteUtil;
import org.apache.phoenix.util.ScanUtil;

/** Keeps skip scans from stepping over rows. */
public privileged aspect SkipScanAspect {

  /** Number of further columns of each slot whose ranges this thread sorts now. */
  private static final ThreadLocal<int[]> SORTED = new ThreadLocal<>();

  declare parents : SkipScanFilter implements PatchRequest.Patched;

  private boolean SkipScanFilter.isPatched;

  /** The buffer that is not {@code startKey}. The two take turns, so that no seek allocates one. */
  private byte[] SkipScanFilter.otherStartKey;

  /** Made when a row needs it first: clients make filters that read no row. */
  private ImmutableBytesWritable SkipScanFilter.column;

  /** The ranges that a server has read, if Phoenix reads some of them as empty; otherwise null. */
  private List<List<KeyRange>> SkipScanFilter.readSlots;

  public void SkipScanFilter.setPatches(PatchSet patches) {
    isPatched = patches.has(Patch.SKIP_SCAN);
    if (isPatched && readSlots != null) {
      init(readSlots, slotSpan, schema, includeMultipleVersions, isMultiKeyPointLookup);
      readSlots = null;
    }
  }

  after() returning(SkipScanFilter filter) :
      call(SkipScanFilter.new(List, int[], RowKeySchema, boolean))
      && withincode(ScanRanges.new(..)) {
    filter.isPatched = RangePatches.areOn(Patch.SKIP_SCAN);
  }

  after(SkipScanFilter copy, SkipScanFilter original) returning :
      execution(SkipScanFilter.new(SkipScanFilter, ..)) && this(copy) && args(original, ..) {
    copy.isPatched = original.isPatched;
  }

  after(SkipScanFilter filter) returning(SkipScanFilter part) :
      execution(SkipScanFilter SkipScanFilter.intersect(byte[], byte[])) && this(filter) {
    if (part != null) {
      part.isPatched = filter.isPatched;
    }
  }

  /**
   * The filter reads the key that it steps to in a buffer, and before it has finished writes another
   * one there. If that begins with a value of another length, it finds none where it looks: {@code
   * K1 IN ('aa', 'b') AND K2 < 2 AND K3 = 2}.
   */
  before(SkipScanFilter filter) :
      call(void SkipScanFilter.setStartKey())
      && withincode(* SkipScanFilter.navigate(..))
      && target(filter) {
    byte[] inUse = filter.startKey;
    if (filter.isPatched && filter.ptr.get() == inUse) {
      byte[] other = filter.otherStartKey;
      filter.startKey = other == null || other.length < inUse.length ? new byte[inUse.length] : other;
      filter.otherStartKey = inUse;
    }
  }

  /**
   * Makes the next key after a value of variable width and its separator, where Phoenix only adds one
   * to the separator. After an ascending value comes a longer one with its own separator: after
   * {@code a} and 0x00 comes {@code a}, 0x01 and 0x00. After a descending value and its 0xFF comes a
   * key that begins with a value and a zero byte, but not a value itself: {@code aa} comes between
   * {@code b} and {@code a}.
   */
  after(SkipScanFilter filter, byte[] key, int length) returning(boolean hasNext) :
      call(static boolean ByteUtil.nextKey(byte[], int))
      && withincode(* SkipScanFilter.navigate(..))
      && this(filter)
      && args(key, length) {
    if (!filter.isPatched) {
      return;
    }
    if (!hasNext) {
      filter.isDone = true;
      return;
    }
    ImmutableBytesWritable value = filter.ptr;
    boolean isVariable = value.getOffset() + value.getLength() == length - 1;
    int end = endOfIncremented(key, length);
    boolean isCarried = isVariable ? end <= value.getOffset() : end < length;
    filter.endOfHint = isCarried ? end : 0;
    if (isVariable && !isCarried) {
      if (key[length - 1] == 0) {
        value.set(key, value.getOffset(), value.getLength() + 1);
      } else {
        insertZero(filter, length);
      }
    }
  }

  /** Where the key to seek to ends, if not 0. */
  private int SkipScanFilter.endOfHint;

  /**
   * Passes the greatest value of a column. If all bytes of the key are 0xFF, no greater key exists
   * and the scan ends. Phoenix seeks to the current row again, and {@code K1 > 0 AND K2 = 5} fails
   * after K1 = 2,147,483,647. Otherwise the column before is incremented, or the separator between
   * them. After {@code a}, 0x00 and the greatest INTEGER comes {@code a} and 0x01. Phoenix appends
   * the next columns to this key, and {@code K1 >= 'a' AND K2 >= 0 AND K3 = 5} loses rows whose K1 is
   * {@code a} and 0x01. Not reported.
   */
  ReturnCode around(SkipScanFilter filter) :
      execution(ReturnCode SkipScanFilter.navigate(..)) && this(filter) {
    ReturnCode code = proceed(filter);
    if (code == ReturnCode.SEEK_NEXT_USING_HINT) {
      if (filter.isDone) {
        return ReturnCode.NEXT_ROW;
      }
      if (filter.endOfHint > 0) {
        filter.startKeyLength = filter.endOfHint;
        filter.endOfHint = 0;
      }
    }
    return code;
  }

  /** Returns the end of the byte that was incremented: those after it were 0xFF, and are 0. */
  private static int endOfIncremented(byte[] key, int length) {
    int end = length;
    while (key[end - 1] == 0) {
      end--;
    }
    return end;
  }

  private static void insertZero(SkipScanFilter filter, int position) {
    byte[] key = filter.startKey;
    byte[] with = key;
    if (filter.startKeyLength == key.length) {
      with = new byte[key.length + 1];
      System.arraycopy(key, 0, with, 0, position);
      filter.startKey = with;
    }
    System.arraycopy(key, position, with, position + 1, filter.startKeyLength - position);
    with[position] = 0;
    filter.startKeyLength++;
  }

  /**
   * Ends the key of a seek behind a value that is excluded. Phoenix adds one to the separator behind
   * such a value, and then appends the next columns: {@code K1 > 'a' AND K2 >= 'b'} seeks to {@code
   * a}, 0x01 and {@code b}, and passes over rows whose K1 is {@code a} and 0x01. A DECIMAL often
   * has that byte: 3,600,001 begins with 3,600,000. Not reported.
   */
  int around(SkipScanFilter filter, int[] position, Bound bound, int from, int to) :
      call(static int ScanUtil.setKey(..))
      && withincode(int SkipScanFilter.setKey(..))
      && this(filter)
      && args(*, *, *, position, bound, *, *, from, to) {
    if (!filter.isPatched || bound != Bound.LOWER) {
      return proceed(filter, position, bound, from, to);
    }
    int end = from;
    while (end < to && !excludesLonger(filter, end, position[end])) {
      end++;
    }
    return proceed(filter, position, bound, from, Math.min(to, end + 1));
  }

  private static boolean excludesLonger(SkipScanFilter filter, int slot, int range) {
    return excludesLonger(
        filter.slots.get(slot).get(range), filter.schema, filter.slotSpan, slot);
  }

  private static boolean excludesLonger(
      KeyRange range, RowKeySchema schema, int[] furtherColumns, int slot) {
    return !range.isLowerInclusive()
        && !range.lowerUnbound()
        && canContainIncrementedSeparator(
            schema.getField(ScanUtil.getRowKeyPosition(furtherColumns, slot) + furtherColumns[slot]));
  }

  /**
   * Returns whether a longer value can contain the incremented separator: 0x01, or 0x00 if the
   * column is descending. 0x00 is 0xFF inverted, which neither UTF-8 text nor a DECIMAL contains.
   */
  private static boolean canContainIncrementedSeparator(Field column) {
    PDataType<?> type = column.getDataType();
    return !type.isFixedWidth()
        && (column.getSortOrder() == SortOrder.ASC
            || type != PVarchar.INSTANCE && type != PDecimal.INSTANCE);
  }

  /** Ends the first key of a scan in the same way. */
  byte[] around(RowKeySchema schema, List<List<KeyRange>> slots, int[] furtherColumns) :
      call(static byte[] ScanUtil.getMinKey(RowKeySchema, List, int[]))
      && withincode(static ScanRanges ScanRanges.create(.., Optional))
      && args(schema, slots, furtherColumns) {
    int end = 0;
    while (end < slots.size()
        && !excludesLonger(slots.get(end).get(0), schema, furtherColumns, end)) {
      end++;
    }
    return proceed(
        schema,
        end < slots.size() - 1 && RangePatches.areOn(Patch.SKIP_SCAN)
            ? slots.subList(0, end + 1)
            : slots,
        furtherColumns);
  }

  /** Null until the filter is narrowed for the first time. */
  private SkipScanIntersection SkipScanFilter.intersection;

  /**
   * Narrows the filter to the rows of a region, or of a part of a region. Phoenix navigates to both
   * bounds as if they were row keys. If the upper bound is the key of a row, Phoenix steps back to
   * the previous range and skips values: {@code A IN (-1, 2) AND C IN (-1, 0)} over the key
   * {@code (A DESC, B, C)} loses rows (not reported). Phoenix also treats a descending value that a
   * bound cuts off as a complete value. Phoenix's own code runs if the ranges belong to one column
   * that is ascending or has a fixed width.
   */
  boolean around(
      SkipScanFilter filter, byte[] lower, byte[] upper, List<List<KeyRange>> narrowed) :
      execution(boolean SkipScanFilter.intersect(byte[], byte[], List))
      && this(filter)
      && args(lower, upper, narrowed) {
    if (!filter.isPatched
        || !filter.schema.rowKeyOrderOptimizable()
        || SkipScanIntersection.isRightInPhoenix(filter.slots, filter.slotSpan, filter.schema)) {
      return proceed(filter, lower, upper, narrowed);
    }
    if (filter.intersection == null) {
      filter.intersection =
          new SkipScanIntersection(filter.slots, filter.slotSpan, filter.schema);
    }
    List<List<KeyRange>> ranges = filter.intersection.between(lower, upper);
    if (ranges != null && narrowed != null) {
      narrowed.addAll(ranges);
    }
    return ranges != null;
  }

  /** Of a row value, a key does not have the last columns that are null. */
  int around(SkipScanFilter filter, ImmutableBytesWritable value, int position, int further) :
      call(int RowKeySchema.next(ImmutableBytesWritable, int, int, int))
      && withincode(* SkipScanFilter.navigate(..))
      && this(filter)
      && args(value, position, *, further) {
    int last = proceed(filter, value, position, further);
    return filter.isPatched && value.getLength() > 0 ? position + further : last;
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
    return proceed(
        filter,
        filter.isPatched ? ScanUtil.getRowKeyPosition(filter.slotSpan, slot + 1) - 1 : slot);
  }

  /** The same, where the ranges of a slot are sorted. */
  Field around(int slot) :
      call(Field RowKeySchema.getField(int))
      && withincode(static ScanRanges ScanRanges.create(.., Optional))
      && args(slot) {
    int[] furtherColumns = SORTED.get();
    return proceed(
        furtherColumns != null && slot < furtherColumns.length
            ? ScanUtil.getRowKeyPosition(furtherColumns, slot)
            : slot);
  }

  /** Says to the advice above which columns the slots have, if one has several. */
  ScanRanges around(int[] furtherColumns) :
      execution(static ScanRanges ScanRanges.create(.., Optional))
      && args(*, *, furtherColumns, ..) {
    if (areOfOneColumn(furtherColumns) || !RangePatches.areOn(Patch.SKIP_SCAN)) {
      return proceed(furtherColumns);
    }
    SORTED.set(furtherColumns);
    try {
      return proceed(furtherColumns);
    } finally {
      SORTED.remove();
    }
  }

  private static boolean areOfOneColumn(int[] furtherColumns) {
    for (int further : furtherColumns) {
      if (further > 0) {
        return false;
      }
    }
    return true;
  }

  /**
   * Keeps a range whose end is a prefix of its start. {@code BETWEEN 'a' AND 'aa'} of a descending
   * column is not empty, although the bytes of its end are less than those of its start.
   */
  KeyRange around(byte[] lower, byte[] upper) :
      call(static KeyRange KeyRange.getSingleton(byte[], boolean, byte[], boolean))
      && withincode(static KeyRange KeyRange.read(..))
      && args(lower, *, upper, *) {
    return endsBehindLonger(lower, upper) ? null : proceed(lower, upper);
  }

  private static boolean endsBehindLonger(byte[] lower, byte[] upper) {
    return upper.length > 0 && upper.length < lower.length && Bytes.startsWith(lower, upper);
  }

  private static boolean endsBehindLonger(KeyRange range) {
    return endsBehindLonger(range.getLowerRange(), range.getUpperRange());
  }

  private static boolean anyEndsBehindLonger(List<List<KeyRange>> slots) {
    for (List<KeyRange> ranges : slots) {
      for (KeyRange range : ranges) {
        if (endsBehindLonger(range)) {
          return true;
        }
      }
    }
    return false;
  }

  /** Phoenix reads such a range as an empty one. It is kept for a scan that names this patch. */
  before(SkipScanFilter filter, List<List<KeyRange>> slots) :
      call(void SkipScanFilter.init(List, ..))
      && withincode(void SkipScanFilter.readFields(DataInput))
      && this(filter)
      && args(slots, ..) {
    if (anyEndsBehindLonger(slots)) {
      filter.readSlots = new ArrayList<>();
      for (List<KeyRange> ranges : slots) {
        filter.readSlots.add(new ArrayList<>(ranges));
        ranges.replaceAll(range -> endsBehindLonger(range) ? KeyRange.EMPTY_RANGE : range);
      }
    }
  }

  /** Returns true if a key matches that ends before this slot, so that all its columns are null. */
  boolean around(SkipScanFilter filter, int slot) :
      call(boolean SkipScanFilter.allTrailingNulls(int))
      && withincode(* SkipScanFilter.navigate(..))
      && target(filter)
      && args(slot) {
    if (!filter.isPatched) {
      return proceed(filter, slot);
    }
    for (int i = slot; i < filter.slots.size(); i++) {
      if (!hasNull(filter.slots.get(i).get(0))) {
        return false;
      }
    }
    return true;
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
    return !filter.isPatched
            || key.getLength() > 0
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
    int nulls = isAtEnd && filter.isPatched ? nullsAtEnd(filter, key, offset, slot) : 0;
    return nulls < 2
        ? proceed(filter, key, offset, slot, isAtEnd)
        : proceed(filter, withZeros(key, offset, nulls - 1), 0, slot, isAtEnd);
  }

  /** Returns the number of zero bytes that a key that ends before a slot would have if more followed. */
  private static int nullsAtEnd(
      SkipScanFilter filter, ImmutableBytesWritable value, int offset, int slot) {
    int last = Math.max(0, columns(filter, value, offset, slot) - 1);
    int end = ScanUtil.getRowKeyPosition(filter.slotSpan, slot);
    int nulls = 0;
    for (int i = last; i < end; i++) {
      if (!filter.schema.getField(i).getDataType().isFixedWidth()) {
        nulls++;
      }
    }
    return nulls;
  }

  /** Returns the number of columns of the key before the value, up to the first one of a slot. */
  private static int columns(
      SkipScanFilter filter, ImmutableBytesWritable value, int offset, int slot) {
    int end = value.getOffset() + value.getLength();
    int last = ScanUtil.getRowKeyPosition(filter.slotSpan, slot);
    if (filter.column == null) {
      filter.column = new ImmutableBytesWritable();
    }
    ImmutableBytesWritable column = filter.column;
    column.set(value.get(), offset, 0);
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
      SkipScanFilter filter,
      RowKeySchema schema,
      ImmutableBytesWritable value,
      int from,
      int to,
      int begin,
      int end,
      int further) :
      call(Boolean RowKeySchema.reposition(ImmutableBytesWritable, int, int, int, int, int))
      && within(SkipScanFilter)
      && this(filter)
      && target(schema)
      && args(value, from, to, begin, end, further) {
    if (to >= from || !filter.isPatched) {
      return proceed(filter, schema, value, from, to, begin, end, further);
    }
    return schema.iterator(value.get(), begin, end - begin, value, to + 1, further);
  }
}
