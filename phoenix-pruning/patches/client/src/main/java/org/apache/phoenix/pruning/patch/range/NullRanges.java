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
import java.util.function.IntPredicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.apache.phoenix.query.KeyRange;
import org.apache.phoenix.schema.PColumn;
import org.apache.phoenix.schema.RowKeySchema;
import org.apache.phoenix.schema.SortOrder;
import org.apache.phoenix.schema.ValueSchema;
import org.apache.phoenix.schema.types.PDataType;
import org.apache.phoenix.schema.types.PDecimal;
import org.apache.phoenix.schema.types.PVarchar;
import org.apache.phoenix.util.ScanUtil;

/**
 * Adds nulls to key ranges, or removes them.
 *
 * <p>In all methods, {@code slots} has the ranges of each slot, and {@code furtherColumns} the
 * number of further columns of each slot. The lists that are passed never change.
 */
public final class NullRanges {

  /** Lower bound of all values of text and numbers. */
  static final byte[] NOT_NULL = KeyRange.IS_NOT_NULL_RANGE.getLowerRange();

  private NullRanges() {}

  /**
   * Returns whether a key can lack {@code column} together with a descending column at or before
   * {@code column}. A null at the end of a key has no bytes, but Phoenix seeks a byte for a null in
   * a descending column.
   *
   * @param columns all columns of the key
   * @param column position in the key
   */
  public static boolean canEndBeforeDescending(List<PColumn> columns, int column) {
    int end = columns.size();
    boolean isDescending = false;
    while (end > 0 && canBeAbsent(columns.get(end - 1))) {
      end--;
      isDescending |= end <= column && columns.get(end).getSortOrder() == SortOrder.DESC;
    }
    return end <= column && isDescending;
  }

  /** Returns whether a key can have no bytes for {@code column}. */
  public static boolean canBeAbsent(PColumn column) {
    return column.isNullable() && !column.getDataType().isFixedWidth();
  }

  /**
   * Extends each range without a lower bound to the nulls if its slot also contains IS NULL.
   *
   * <p>Also extends it if the slot has row values whose first column has a fixed width, but whose
   * last column has a variable width. The first column has no nulls, but Phoenix excludes nulls
   * because of the last one, by starting at the byte 1 of the first column.
   */
  public static List<List<KeyRange>> withNulls(
      List<List<KeyRange>> slots, int[] furtherColumns, RowKeySchema schema) {
    List<List<KeyRange>> mapped =
        mapColumns(
            slots, furtherColumns, column -> !isFixedWidth(column, schema), NullRanges::withNull);
    for (int i = 0; i < Math.min(slots.size(), furtherColumns.length); i++) {
      int slot = i;
      mapped =
          mapSlots(
              mapped,
              furtherColumns,
              other -> other == slot && startsAfterLeastValues(slot, furtherColumns, schema),
              ranges ->
                  withLowerBound(
                      slot < slots.size() - 1
                          ? leastRowValue(slot, furtherColumns, schema)
                          : KeyRange.NULL_BOUND,
                      ranges));
    }
    return mapped;
  }

  /**
   * Returns a lower bound of all row values of a slot that other slots follow. Phoenix appends a
   * separator and the bounds of these slots. After an empty lower bound, the result could be
   * greater than a key that begins with zeros.
   */
  private static byte[] leastRowValue(int slot, int[] furtherColumns, RowKeySchema schema) {
    int first = ScanUtil.getRowKeyPosition(furtherColumns, slot);
    int last = first + furtherColumns[slot];
    int length = 0;
    for (int i = first; i < last; i++) {
      ValueSchema.Field field = schema.getField(i);
      // A null is one separator.
      length += isFixedWidth(i, schema) ? field.getByteSize() : 1;
    }
    ValueSchema.Field field = schema.getField(last);
    if (field.getSortOrder() == SortOrder.DESC) {
      // Phoenix appends 0xFF, unless the bound is empty. Values of the column begin above zero.
      return field.isNullable() ? KeyRange.NULL_BOUND : new byte[length + 1];
    }
    return new byte[length];
  }

  private static boolean startsAfterLeastValues(
      int slot, int[] furtherColumns, RowKeySchema schema) {
    int first = ScanUtil.getRowKeyPosition(furtherColumns, slot);
    return isFixedWidth(first, schema) && !isFixedWidth(first + furtherColumns[slot], schema);
  }

  private static boolean isFixedWidth(int column, RowKeySchema schema) {
    return schema.getField(column).getDataType().isFixedWidth();
  }

  private static List<KeyRange> withNull(List<KeyRange> ranges) {
    return ranges.contains(KeyRange.IS_NULL_RANGE)
        ? fromNull(
            ranges.stream()
                .filter(range -> range != KeyRange.IS_NULL_RANGE)
                .collect(Collectors.toList()))
        : ranges;
  }

  private static List<KeyRange> fromNull(List<KeyRange> ranges) {
    return withLowerBound(KeyRange.NULL_BOUND, ranges);
  }

  /**
   * Excludes nulls from ranges without a lower bound. Applies only to text and numbers: binary
   * values and arrays can begin with a zero byte, so nulls cannot be distinguished from such
   * values.
   */
  public static List<List<KeyRange>> withoutNulls(
      List<List<KeyRange>> slots, int[] furtherColumns, RowKeySchema schema) {
    return mapColumns(
        slots,
        furtherColumns,
        column -> isTextOrNumber(schema.getField(column).getDataType()),
        NullRanges::withoutNull);
  }

  /** Returns whether no value of a type begins with a zero byte. */
  public static boolean isTextOrNumber(PDataType<?> type) {
    return type == PVarchar.INSTANCE || type == PDecimal.INSTANCE;
  }

  private static List<KeyRange> withoutNull(List<KeyRange> ranges) {
    return withLowerBound(NOT_NULL, ranges);
  }

  private static List<KeyRange> withLowerBound(byte[] lower, List<KeyRange> ranges) {
    return ranges.stream()
        .map(
            range ->
                isUnboundedBelow(range)
                    ? KeyRange.getKeyRange(
                        lower, true, range.getUpperRange(), range.isUpperInclusive())
                    : range)
        .collect(Collectors.toList());
  }

  /**
   * Applies {@code mapping} to each slot of a single column that has a range without a lower bound.
   * Other slots, and columns that {@code isAffected} rejects, stay unchanged.
   */
  private static List<List<KeyRange>> mapColumns(
      List<List<KeyRange>> slots,
      int[] furtherColumns,
      IntPredicate isAffected,
      UnaryOperator<List<KeyRange>> mapping) {
    return mapSlots(
        slots,
        furtherColumns,
        slot ->
            furtherColumns[slot] == 0
                && isAffected.test(ScanUtil.getRowKeyPosition(furtherColumns, slot)),
        mapping);
  }

  /**
   * Applies {@code mapping} to each slot that has a range without a lower bound, and that {@code
   * isAffected} accepts.
   */
  private static List<List<KeyRange>> mapSlots(
      List<List<KeyRange>> slots,
      int[] furtherColumns,
      IntPredicate isAffected,
      UnaryOperator<List<KeyRange>> mapping) {
    List<List<KeyRange>> mapped = slots;
    for (int i = 0; i < Math.min(slots.size(), furtherColumns.length); i++) {
      if (isUnboundedBelow(slots.get(i)) && isAffected.test(i)) {
        if (mapped == slots) {
          mapped = new ArrayList<>(slots);
        }
        mapped.set(i, mapping.apply(slots.get(i)));
      }
    }
    return mapped;
  }

  private static boolean isUnboundedBelow(List<KeyRange> ranges) {
    for (int i = 0; i < ranges.size(); i++) {
      if (isUnboundedBelow(ranges.get(i))) {
        return true;
      }
    }
    return false;
  }

  private static boolean isUnboundedBelow(KeyRange range) {
    return range.lowerUnbound() && !range.upperUnbound();
  }
}
