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

import org.apache.phoenix.compile.ScanRanges;
import org.apache.phoenix.filter.SkipScanFilter;
import org.apache.phoenix.pruning.config.RangePatches;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.schema.RowKeySchema;
import org.apache.phoenix.schema.ValueSchema.Field;
import org.apache.phoenix.thirdparty.com.google.common.base.Optional;
import org.apache.phoenix.util.ScanUtil;

/**
 * Finds the key columns of a slot for the patch {@code skip-scan}. A row value has one slot with
 * several columns, so the number of a later slot is not the position of its column. Phoenix's
 * {@code SkipScanFilter.setStartKey} and {@code ScanRanges.create} use the number as the position
 * (not reported).
 *
 * <p>Example: {@code SELECT * FROM T WHERE (A, B) IN ((3, 4), (4, 0)) AND C IN ('a', 'ab', 'b')}
 * loses rows, or fails, if C is a descending VARCHAR.
 */
public privileged aspect SkipScanColumnsAspect {

  /**
   * Number of further columns of each slot whose ranges this thread is sorting, or null if the
   * thread sorts none.
   */
  private static final ThreadLocal<int[]> SORTED = new ThreadLocal<>();

  /**
   * Returns the last field of a slot. Phoenix's {@code SkipScanFilter.setStartKey} uses the number
   * of the slot as the position of the field.
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
    if (areSingleColumns(furtherColumns) || !RangePatches.isOn(Patch.SKIP_SCAN)) {
      return proceed(furtherColumns);
    }
    SORTED.set(furtherColumns);
    try {
      return proceed(furtherColumns);
    } finally {
      SORTED.remove();
    }
  }

  private static boolean areSingleColumns(int[] furtherColumns) {
    for (int further : furtherColumns) {
      if (further > 0) {
        return false;
      }
    }
    return true;
  }
}
