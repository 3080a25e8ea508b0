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

import java.io.DataInput;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.filter.Filter.ReturnCode;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.compile.ScanRanges;
import org.apache.phoenix.filter.SkipScanFilter;
import org.apache.phoenix.pruning.config.RangePatches;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.pruning.patch.PatchRequest;
import org.apache.phoenix.pruning.patch.PatchSet;
import org.apache.phoenix.query.KeyRange.Bound;
import org.apache.phoenix.query.KeyRange;
import org.apache.phoenix.schema.RowKeySchema;
import org.apache.phoenix.schema.SortOrder;
import org.apache.phoenix.schema.ValueSchema.Field;
import org.apache.phoenix.schema.types.PDataType;
import org.apache.phoenix.schema.types.PDecimal;
import org.apache.phoenix.schema.types.PVarchar;
import org.apache.phoenix.thirdparty.com.google.common.base.Optional;
import org.apache.phoenix.util.ByteUtil;
import org.apache.phoenix.util.ScanUtil;

/** Prevents Phoenix's {@code SkipScanFilter} from skipping rows that match. */
public privileged aspect SkipScanAspect {

  /**
   * Number of further columns of each slot whose ranges this thread is sorting, or null if the
   * thread sorts none.
   */
  private static final ThreadLocal<int[]> SORTED = new ThreadLocal<>();

  declare parents : SkipScanFilter implements PatchRequest.Patched;

  private boolean SkipScanFilter.isPatched;

  /**
   * Spare buffer for {@code startKey}. The two buffers alternate, so that a seek allocates none.
   */
  private byte[] SkipScanFilter.otherStartKey;

  /** Buffer for a column of a key; null until a row needs it. Filters on clients read no rows. */
  private ImmutableBytesWritable SkipScanFilter.column;

  /** Ranges as the server received them, or null if Phoenix reads none of them as empty. */
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
   * Switches to the other buffer if the filter still reads from {@code startKey}. Phoenix's {@code
   * SkipScanFilter.navigate} reads the key of a seek in this buffer while it writes the next key
   * there.
   *
   * <p>If the next key begins with a value of another length, the filter reads at wrong offsets:
   * {@code K1 IN ('aa', 'b') AND K2 < 2 AND K3 = 2} loses rows.
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
   * Computes the next key after a value of variable width and its separator. Phoenix's {@code
   * ByteUtil.nextKey} only increments the separator.
   *
   * <ul>
   *   <li>After an ascending value, the next key is a longer value with its own separator. After
   *       {@code a} and 0x00 comes {@code a}, 0x01 and 0x00.
   *   <li>After a descending value and its separator 0xFF, the next key begins with a value and a
   *       zero byte, but is not a value itself. In descending order, {@code aa} comes between
   *       {@code b} and {@code a}.
   * </ul>
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

  /** Length of the key to seek to, or 0 if the filter's own length is right. */
  private int SkipScanFilter.endOfHint;

  /**
   * Seeks past the greatest value of a column. Phoenix's {@code SkipScanFilter.navigate} has two
   * defects here (not reported).
   *
   * <ul>
   *   <li>If all bytes of the key are 0xFF, no greater key exists, and the scan must end. Phoenix
   *       seeks to the current row again, and {@code K1 > 0 AND K2 = 5} fails after K1 =
   *       2,147,483,647.
   *   <li>Otherwise the column before, or the separator between the two columns, is incremented.
   *       After {@code a}, 0x00 and the greatest INTEGER comes {@code a} and 0x01. Phoenix appends
   *       the next columns to this key, and {@code K1 >= 'a' AND K2 >= 0 AND K3 = 5} loses rows
   *       whose K1 is {@code a} and 0x01.
   * </ul>
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

  /**
   * Returns the exclusive end of the incremented byte. All bytes after it were 0xFF and are now 0.
   */
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
   * Ends the key of a seek after an excluded lower bound. Phoenix's {@code ScanUtil.setKey}
   * increments the separator after the bound and then appends the next columns (not reported).
   *
   * <p>Example: {@code K1 > 'a' AND K2 >= 'b'} seeks to {@code a}, 0x01 and {@code b}, and skips
   * rows whose K1 is {@code a} and 0x01. A DECIMAL often has this byte: the bytes of 3,600,001
   * begin with those of 3,600,000.
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

  /**
   * Ends the first key of a scan after an excluded lower bound, as the previous advice ends a seek
   * key.
   */
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

  /**
   * Intersection of the ranges with regions; null until the filter is narrowed for the first time.
   */
  private SkipScanIntersection SkipScanFilter.intersection;

  /**
   * Narrows the filter to the rows of a region, or of a part of a region. Phoenix's {@code
   * SkipScanFilter.intersect} navigates to both bounds as if they were row keys, and has two
   * defects:
   *
   * <ul>
   *   <li>If the upper bound is the key of a row, Phoenix steps back to the previous range and
   *       skips values. {@code A IN (-1, 2) AND C IN (-1, 0)} over the key {@code (A DESC, B, C)}
   *       loses rows (not reported).
   *   <li>Phoenix treats a descending value that a bound cuts off as a complete value.
   * </ul>
   *
   * <p>Phoenix's own code runs if the ranges belong to one column that is ascending or has a fixed
   * width.
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
   * Returns the last field of a slot. Phoenix's {@code SkipScanFilter.setStartKey} uses the number
   * of the slot as the position of the field, which is wrong if this or an earlier slot has several
   * columns.
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

  /**
   * Returns the first field of a slot whose ranges are sorted. Phoenix's {@code ScanRanges.create}
   * also uses the number of the slot as the position of the field.
   */
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

  /** Passes the numbers of columns to the previous advice if a slot has several columns. */
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
   * column is not empty, although the bytes of its end sort before those of its start. Phoenix's
   * {@code KeyRange.read} takes such a range for an empty one.
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

  /**
   * Replaces ranges whose end is a prefix of their start with empty ranges, as Phoenix reads them.
   * The original ranges are kept for a scan that names this patch.
   */
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

  /**
   * Returns whether a key matches that ends before {@code slot}, so that all columns of the
   * remaining slots are null.
   */
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
            || columns(filter, key, offset, slot) > ScanUtil.getRowKeyPosition(filter.slotSpan, slot)
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
    int nulls = isAtEnd && filter.isPatched ? nullsAtEnd(filter, key, offset, slot) : 0;
    return nulls < 2
        ? proceed(filter, key, offset, slot, isAtEnd)
        : proceed(filter, withZeros(key, offset, nulls - 1), 0, slot, isAtEnd);
  }

  /**
   * Returns how many zero bytes a key that ends before {@code slot} would have for its nulls if
   * more columns followed.
   */
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

  /**
   * Returns the number of columns of the key up to the end of {@code value}, counting no further
   * than the first column of {@code slot}.
   */
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
   * Finds an earlier column by reading the key from its start. Phoenix's {@code
   * RowKeySchema.reposition} reads backward to the previous separator, but misses a separator with
   * which the key begins.
   *
   * <p>A key begins with a separator if its first column is null: {@code K1 IS NULL AND K2 IN ('a',
   * 'b') AND K3 < 4}.
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
