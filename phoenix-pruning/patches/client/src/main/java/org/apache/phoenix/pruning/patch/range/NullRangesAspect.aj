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
import org.apache.phoenix.compile.ScanRanges;
import org.apache.phoenix.filter.SkipScanFilter;
import org.apache.phoenix.pruning.config.RangePatches;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.query.KeyRange;
import org.apache.phoenix.schema.RowKeySchema;
import org.apache.phoenix.thirdparty.com.google.common.base.Optional;

/**
 * Keeps nulls in the key ranges to which they belong, and out of all others. Nulls sort first in
 * ascending and in descending order. Phoenix's {@code ScanUtil.setKey} starts a range without a
 * lower bound after the nulls, but {@code SkipScanFilter} includes the nulls (not reported). For
 * row values, {@code setKey} can also skip the least values of the first column.
 *
 * <p>Example: {@code SELECT K FROM T WHERE A IN (1, 2) AND B < 5} along an index on {@code (A, B)}
 * also finds rows in which B is null. With {@code A = 1 AND (B IS NULL OR B < 5)}, the query loses
 * rows.
 */
public privileged aspect NullRangesAspect {

  /**
   * Unites the ranges of values separately from IS NULL. Phoenix's {@code KeyRange.coalesce} does
   * not unite two ranges if IS NULL sorts between them.
   */
  List<KeyRange> around(List<KeyRange> ranges) :
      execution(static List KeyRange.coalesce(List))
      && args(ranges) {
    if (!RangePatches.isOn(Patch.NULL_RANGES)
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
        RangePatches.isOn(Patch.NULL_RANGES)
            ? NullRanges.withNulls(slots, furtherColumns, schema)
            : slots,
        furtherColumns);
  }

  /** Excludes nulls from the ranges without a lower bound of a skip scan. */
  SkipScanFilter around(List<List<KeyRange>> slots, int[] furtherColumns, RowKeySchema schema) :
      call(SkipScanFilter.new(List, int[], RowKeySchema, boolean))
      && withincode(ScanRanges.new(..))
      && args(slots, furtherColumns, schema, *) {
    return proceed(
        RangePatches.isOn(Patch.NULL_RANGES)
            ? NullRanges.withoutNulls(slots, furtherColumns, schema)
            : slots,
        furtherColumns,
        schema);
  }
}
