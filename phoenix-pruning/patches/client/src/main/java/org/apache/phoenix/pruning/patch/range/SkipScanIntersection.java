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
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.query.KeyRange;
import org.apache.phoenix.query.QueryConstants;
import org.apache.phoenix.schema.RowKeySchema;
import org.jspecify.annotations.Nullable;

/**
 * Narrows the ranges of a skip scan to the ranges that rows of a region, or of a part of a region,
 * can match.
 *
 * <p>Both bounds of this part may be any bytes: a row key, a prefix that ends inside a value, or a
 * row key followed by more bytes. A range is dropped only if no row key between the bounds has a
 * value in this range. The class compares a value and its separator with the bytes of a bound in
 * HBase's order of row keys.
 *
 * <p>If the ranges of a slot are in row key order, they are searched by bisection. Otherwise they
 * are tested one by one. An example is row values that lack their last columns because of nulls.
 */
public final class SkipScanIntersection {

  private final SkipScanSlots slots;

  /**
   * Creates the intersections of one skip scan.
   *
   * @param slots the ranges of each slot
   * @param furtherColumns number of columns of each slot, minus one
   * @param schema the schema of the row key
   */
  public SkipScanIntersection(
      List<List<KeyRange>> slots, int[] furtherColumns, RowKeySchema schema) {
    this.slots = new SkipScanSlots(slots, furtherColumns, schema);
  }

  /**
   * Returns whether Phoenix narrows a skip scan correctly. Phoenix does so if all ranges belong to
   * one column that is ascending or has a fixed width.
   */
  public static boolean isCorrectInPhoenix(
      List<List<KeyRange>> slots, int[] furtherColumns, RowKeySchema schema) {
    return slots.size() == 1
        && furtherColumns[0] == 0
        && !SkipScanSlots.isDescending(schema.getField(0));
  }

  /**
   * Returns the ranges of each slot that rows from {@code lower} to {@code upper} can match, or
   * null if no row there can match.
   *
   * @param lower the inclusive lower bound; empty if there is none
   * @param upper the exclusive upper bound; empty if there is none
   */
  public @Nullable List<List<KeyRange>> between(byte[] lower, byte[] upper) {
    List<List<KeyRange>> narrowed = new ArrayList<>(slots.size());
    int common = commonBytes(lower, upper);
    int offset = 0;
    for (int slot = 0; slot < slots.size(); slot++) {
      List<KeyRange> ranges = narrow(slot, lower, upper, offset);
      if (ranges.isEmpty()) {
        return null;
      }
      narrowed.add(ranges);
      int end = slots.endOfSlot(slot, lower, offset);
      if (end < 0 || end > common) {
        for (int next = slot + 1; next < slots.size(); next++) {
          narrowed.add(slots.ranges(next));
        }
        return canMatch(slot, ranges, lower, upper, offset) ? narrowed : null;
      }
      offset = end;
    }
    return narrowed;
  }

  private static int commonBytes(byte[] one, byte[] other) {
    int length = Math.min(one.length, other.length);
    int common = 0;
    while (common < length && one[common] == other[common]) {
      common++;
    }
    return common;
  }

  private List<KeyRange> narrow(int slot, byte[] lower, byte[] upper, int offset) {
    List<KeyRange> ranges = slots.ranges(slot);
    if (slots.isSorted(slot)) {
      int first = 0;
      int end = ranges.size();
      while (first < end) {
        int middle = (first + end) >>> 1;
        if (isBefore(slot, ranges.get(middle), lower, offset)) {
          first = middle + 1;
        } else {
          end = middle;
        }
      }
      int last = first;
      end = ranges.size();
      while (last < end) {
        int middle = (last + end) >>> 1;
        if (isAfter(slot, ranges.get(middle), upper, offset)) {
          end = middle;
        } else {
          last = middle + 1;
        }
      }
      return ranges.subList(first, last);
    }
    List<KeyRange> within = new ArrayList<>();
    for (KeyRange range : ranges) {
      if (!isBefore(slot, range, lower, offset) && !isAfter(slot, range, upper, offset)) {
        within.add(range);
      }
    }
    return within;
  }

  /**
   * Returns false only if no row between the bounds can match. Both bounds have the same values
   * before {@code slot}.
   *
   * @param ranges the ranges of the slot that overlap the bounds
   */
  private boolean canMatch(
      int slot, List<KeyRange> ranges, byte[] lower, byte[] upper, int offset) {
    if (ranges.size() > 2 || !slots.isSorted(slot)) {
      return true;
    }
    for (int i = 0; i < ranges.size(); i++) {
      KeyRange range = ranges.get(i);
      int afterLower = endOfLastValue(slot, range, lower, offset);
      int afterUpper = endOfFirstValue(slot, range, upper, offset);
      if ((afterLower < 0 || canFollow(slot + 1, lower, afterLower))
          && (afterUpper < 0 || canPrecede(slot + 1, upper, afterUpper))) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns whether a row that begins with the first {@code offset} bytes of a bound can sort at or
   * after the bound.
   */
  private boolean canFollow(int slot, byte[] bound, int offset) {
    if (slot == slots.size() || offset >= bound.length || !slots.isSorted(slot)) {
      return true;
    }
    List<KeyRange> ranges = slots.ranges(slot);
    KeyRange last = ranges.get(ranges.size() - 1);
    if (isBefore(slot, last, bound, offset)) {
      return false;
    }
    int end = endOfLastValue(slot, last, bound, offset);
    return end < 0 || canFollow(slot + 1, bound, end);
  }

  /**
   * Returns whether a row that begins with the first {@code offset} bytes of a bound can sort
   * before the bound.
   */
  private boolean canPrecede(int slot, byte[] bound, int offset) {
    if (offset >= bound.length) {
      // A row key ends without this separator if all later columns are null.
      return !slots.lastField(slot - 1).getDataType().isFixedWidth()
          && bound[offset - 1] == SkipScanSlots.ASCENDING_SEPARATOR;
    }
    if (slot == slots.size() || !slots.isSorted(slot)) {
      return true;
    }
    KeyRange first = slots.ranges(slot).get(0);
    if (isAfter(slot, first, bound, offset)) {
      return false;
    }
    int end = endOfFirstValue(slot, first, bound, offset);
    return end < 0 || canPrecede(slot + 1, bound, end);
  }

  /** Returns whether all rows with a value in the range come before the bound. */
  private boolean isBefore(int slot, KeyRange range, byte[] bound, int offset) {
    if (range.upperUnbound() || offset >= bound.length) {
      return false;
    }
    byte[] value = range.getUpperRange();
    if (!range.isUpperInclusive()) {
      // A descending value sorts after the values that begin with it.
      int separator =
          SkipScanSlots.isDescending(slots.lastField(slot))
              ? SkipScanSlots.DESCENDING_SEPARATOR
              : SkipScanSlots.NO_SEPARATOR;
      return value.length > 0 && compare(value, separator, bound, offset) <= 0;
    }
    int separator = slots.separator(slot, value);
    int order = compare(value, separator, bound, offset);
    return order < 0
        || (order == 0 && slots.endsRow(slot, value) && bound.length > offset + value.length);
  }

  /** Returns whether all rows with a value in the range sort at or after the bound. */
  private boolean isAfter(int slot, KeyRange range, byte[] bound, int offset) {
    byte[] value = range.getLowerRange();
    if (value.length == 0 || offset >= bound.length) {
      return false;
    }
    int separator =
        slots.isComplete(slot)
                && SkipScanSlots.isDescending(slots.lastField(slot))
                && value[value.length - 1] != QueryConstants.DESC_SEPARATOR_BYTE
            ? SkipScanSlots.DESCENDING_SEPARATOR
            : SkipScanSlots.NO_SEPARATOR;
    int order = compare(value, separator, bound, offset);
    if (order != 0) {
      return order > 0;
    }
    return bound.length == offset + lengthWithSeparator(value, separator)
        || (!range.isLowerInclusive()
            && slots.endOfSlot(slot, bound, offset)
                == offset + lengthWithSeparator(value, slots.separator(slot, value)));
  }

  /**
   * Returns the offset of the next slot in a lower bound if the bound has the last value of the
   * range in this slot. All other values of the range then come before the bound. Otherwise returns
   * -1.
   */
  private int endOfLastValue(int slot, KeyRange range, byte[] bound, int offset) {
    return range.isUpperInclusive() ? endOfValue(slot, range.getUpperRange(), bound, offset) : -1;
  }

  /**
   * Returns the offset of the next slot in an upper bound if the bound has the first value of the
   * range in this slot. All other values of the range then come after the bound. Otherwise returns
   * -1.
   */
  private int endOfFirstValue(int slot, KeyRange range, byte[] bound, int offset) {
    return range.isLowerInclusive() ? endOfValue(slot, range.getLowerRange(), bound, offset) : -1;
  }

  /**
   * Returns the offset of the next slot in a bound that has this value in the slot, or -1 if it has
   * another value.
   */
  private int endOfValue(int slot, byte[] value, byte[] bound, int offset) {
    int separator = slots.separator(slot, value);
    int end = offset + lengthWithSeparator(value, separator);
    return compare(value, separator, bound, offset) == 0
            && slots.endOfSlot(slot, bound, offset) == end
        ? end
        : -1;
  }

  /**
   * Compares a value and its separator with the bytes of a bound. Returns 0 if the bound has both.
   */
  private static int compare(byte[] value, int separator, byte[] bound, int offset) {
    int length = Math.min(value.length, bound.length - offset);
    int order = Bytes.compareTo(value, 0, length, bound, offset, length);
    if (order != 0) {
      return order;
    }
    if (length < value.length) {
      return 1;
    }
    if (separator == SkipScanSlots.NO_SEPARATOR) {
      return 0;
    }
    int end = offset + length;
    return end == bound.length ? 1 : Integer.compare(separator, bound[end] & 0xFF);
  }

  private static int lengthWithSeparator(byte[] value, int separator) {
    return value.length + (separator == SkipScanSlots.NO_SEPARATOR ? 0 : 1);
  }
}
