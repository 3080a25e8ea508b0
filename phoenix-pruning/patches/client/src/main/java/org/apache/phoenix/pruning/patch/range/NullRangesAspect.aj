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
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.IntPredicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.phoenix.compile.ScanRanges;
import org.apache.phoenix.compile.WhereOptimizer.KeyExpressionVisitor.KeySlots;
import org.apache.phoenix.compile.WhereOptimizer.KeyExpressionVisitor;
import org.apache.phoenix.expression.IsNullExpression;
import org.apache.phoenix.expression.OrExpression;
import org.apache.phoenix.filter.SkipScanFilter;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.config.RangePatches;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.query.KeyRange;
import org.apache.phoenix.schema.PColumn;
import org.apache.phoenix.schema.RowKeySchema;
import org.apache.phoenix.schema.SortOrder;
import org.apache.phoenix.schema.types.PDataType;
import org.apache.phoenix.schema.types.PDecimal;
import org.apache.phoenix.schema.types.PVarchar;
import org.apache.phoenix.thirdparty.com.google.common.base.Optional;
import org.apache.phoenix.util.ScanUtil;

/**
 * Keeps nulls in the key ranges to which they belong, and out of all others. Nulls sort first in
 * ascending and in descending order. In Phoenix, a range without a lower bound starts after the
 * nulls in a scan, but includes them in a {@code SkipScanFilter}.
 *
 * <ul>
 *   <li>{@code A = 1 AND (B IS NULL OR B < 5)} loses rows.
 *   <li>{@code A IN (1, 2) AND B < 5} finds rows without B.
 * </ul>
 */
public privileged aspect NullRangesAspect {

  private static final byte[] NOT_NULL = KeyRange.IS_NOT_NULL_RANGE.getLowerRange();

  /**
   * Creates no key range for IS NULL if the key can lack a descending column. A null at the end of
   * a key has no bytes, but Phoenix's {@code WhereOptimizer} seeks a byte for a null in a
   * descending column.
   */
  KeySlots around(KeyExpressionVisitor visitor, IsNullExpression isNull) :
      execution(KeySlots KeyExpressionVisitor.visitLeave(IsNullExpression, List))
      && this(visitor)
      && args(isNull, *) {
    KeySlots slots = proceed(visitor, isNull);
    return slotsWith(visitor, slots, KeyRange.IS_NULL_RANGE)
            .anyMatch(i -> canEndBeforeDescending(visitor.table.getPKColumns(), i))
        ? null
        : slots;
  }

  /**
   * Returns whether a key can lack {@code column} together with a descending column at or before
   * {@code column}.
   */
  private static boolean canEndBeforeDescending(List<PColumn> columns, int column) {
    int end = columns.size();
    boolean isDescending = false;
    while (end > 0 && canBeAbsent(columns.get(end - 1))) {
      end--;
      isDescending |= end <= column && columns.get(end).getSortOrder() == SortOrder.DESC;
    }
    return end <= column && isDescending;
  }

  /**
   * Creates no key range for an OR whose ranges together cover all values of a nullable column.
   * Phoenix's {@code WhereOptimizer} creates one range for {@code B < 'b' OR B > 'a'}, which also
   * contains the nulls.
   */
  KeySlots around(KeyExpressionVisitor visitor) :
      execution(KeySlots KeyExpressionVisitor.orKeySlots(OrExpression, List))
      && this(visitor) {
    KeySlots slots = proceed(visitor);
    return slotsWith(visitor, slots, KeyRange.EVERYTHING_RANGE)
            .anyMatch(i -> canBeAbsent(visitor.table.getPKColumns().get(i)))
        ? null
        : slots;
  }

  /**
   * Returns the positions of the key columns that have {@code range}, or none if the patch is off.
   */
  private static IntStream slotsWith(
      KeyExpressionVisitor visitor, KeySlots slots, KeyRange range) {
    if (slots == null || !Patches.isOn(Patch.NULL_RANGES, visitor.context.getConnection())) {
      return IntStream.empty();
    }
    return slots.getSlots().stream()
        .filter(Objects::nonNull)
        .filter(slot -> slot.getKeyRanges().contains(range))
        .mapToInt(slot -> slot.getPKPosition());
  }

  private static boolean canBeAbsent(PColumn column) {
    return column.isNullable() && !column.getDataType().isFixedWidth();
  }

  /**
   * Unites the ranges of values separately from IS NULL. Phoenix's {@code KeyRange.coalesce} does
   * not unite two ranges if IS NULL sorts between them.
   */
  List<KeyRange> around(List<KeyRange> ranges) :
      execution(static List KeyRange.coalesce(List))
      && args(ranges) {
    if (!RangePatches.areOn(Patch.NULL_RANGES)
        || !ranges.contains(KeyRange.IS_NULL_RANGE)
        || ranges.contains(KeyRange.EVERYTHING_RANGE)) {
      return proceed(ranges);
    }
    List<KeyRange> values = new ArrayList<>(ranges);
    values.removeAll(Arrays.asList(KeyRange.IS_NULL_RANGE, KeyRange.EMPTY_RANGE));
    List<KeyRange> united = new ArrayList<>();
    united.add(KeyRange.IS_NULL_RANGE);
    if (!values.isEmpty()) {
      united.addAll(proceed(values));
    }
    return united;
  }

  /**
   * Extends each range without a lower bound to the nulls if the slot also contains IS NULL.
   * Phoenix's {@code ScanRanges} keeps both apart, and sorts IS NULL after the range.
   */
  ScanRanges around(RowKeySchema schema, List<List<KeyRange>> slots, int[] furtherColumns) :
      execution(static ScanRanges ScanRanges.create(.., Optional))
      && args(schema, slots, furtherColumns, ..) {
    return proceed(
        schema,
        mapped(
            slots,
            furtherColumns,
            column -> !schema.getField(column).getDataType().isFixedWidth(),
            NullRangesAspect::withNull),
        furtherColumns);
  }

  private static List<KeyRange> withNull(List<KeyRange> ranges) {
    return ranges.contains(KeyRange.IS_NULL_RANGE)
        ? ranges.stream()
            .filter(range -> range != KeyRange.IS_NULL_RANGE)
            .map(range -> isFromBelow(range) ? from(KeyRange.NULL_BOUND, range) : range)
            .collect(Collectors.toList())
        : ranges;
  }

  /**
   * Excludes nulls from the ranges without a lower bound of a skip scan. Applies only to text and
   * numbers: binary values and arrays can begin with a zero byte, so nulls cannot be distinguished
   * from such values.
   */
  SkipScanFilter around(List<List<KeyRange>> slots, int[] furtherColumns, RowKeySchema schema) :
      call(SkipScanFilter.new(List, int[], RowKeySchema, boolean))
      && withincode(ScanRanges.new(..))
      && args(slots, furtherColumns, schema, *) {
    return proceed(
        mapped(
            slots,
            furtherColumns,
            column -> isTextOrNumber(schema.getField(column).getDataType()),
            NullRangesAspect::withoutNull),
        furtherColumns,
        schema);
  }

  private static boolean isTextOrNumber(PDataType<?> type) {
    return type == PVarchar.INSTANCE || type == PDecimal.INSTANCE;
  }

  private static List<KeyRange> withoutNull(List<KeyRange> ranges) {
    return ranges.stream()
        .map(range -> isFromBelow(range) ? from(NOT_NULL, range) : range)
        .collect(Collectors.toList());
  }

  private static boolean isFromBelow(KeyRange range) {
    return range.lowerUnbound() && !range.upperUnbound();
  }

  private static KeyRange from(byte[] lower, KeyRange range) {
    return KeyRange.getKeyRange(lower, true, range.getUpperRange(), range.isUpperInclusive());
  }

  /**
   * Applies {@code mapping} to each slot of a single column that has a range without a lower bound.
   * Other slots, and columns that {@code ofColumn} rejects, stay unchanged.
   */
  private static List<List<KeyRange>> mapped(
      List<List<KeyRange>> slots,
      int[] furtherColumns,
      IntPredicate ofColumn,
      UnaryOperator<List<KeyRange>> mapping) {
    if (!RangePatches.areOn(Patch.NULL_RANGES)) {
      return slots;
    }
    List<List<KeyRange>> mapped = slots;
    for (int i = 0; i < Math.min(slots.size(), furtherColumns.length); i++) {
      if (furtherColumns[i] == 0
          && isFromBelow(slots.get(i))
          && ofColumn.test(ScanUtil.getRowKeyPosition(furtherColumns, i))) {
        if (mapped == slots) {
          mapped = new ArrayList<>(slots);
        }
        mapped.set(i, mapping.apply(slots.get(i)));
      }
    }
    return mapped;
  }

  private static boolean isFromBelow(List<KeyRange> ranges) {
    for (int i = 0; i < ranges.size(); i++) {
      if (isFromBelow(ranges.get(i))) {
        return true;
      }
    }
    return false;
  }
}
