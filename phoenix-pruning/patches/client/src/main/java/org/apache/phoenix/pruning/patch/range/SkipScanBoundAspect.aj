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

import java.util.List;
import org.apache.phoenix.compile.ScanRanges;
import org.apache.phoenix.filter.SkipScanFilter;
import org.apache.phoenix.pruning.config.RangePatches;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.query.KeyRange.Bound;
import org.apache.phoenix.query.KeyRange;
import org.apache.phoenix.schema.RowKeySchema;
import org.apache.phoenix.thirdparty.com.google.common.base.Optional;
import org.apache.phoenix.util.ScanUtil;

/**
 * Ends a key after an excluded lower bound. Phoenix's {@code ScanUtil.setKey} increments the
 * separator after the bound and then appends the next columns (not reported).
 *
 * <p>Example: {@code K1 > 'a' AND K2 >= 'b'} seeks to {@code a}, 0x01 and {@code b}, and skips rows
 * whose K1 is {@code a} and 0x01. A DECIMAL often has this byte: the bytes of 3,600,001 begin with
 * those of 3,600,000.
 */
public privileged aspect SkipScanBoundAspect {

  /** Ends the key of a seek. */
  int around(SkipScanFilter filter, int[] position, Bound bound, int from, int to) :
      call(static int ScanUtil.setKey(..))
      && withincode(int SkipScanFilter.setKey(..))
      && this(filter)
      && args(*, *, *, position, bound, *, *, from, to) {
    if (!filter.isPatched || bound != Bound.LOWER) {
      return proceed(filter, position, bound, from, to);
    }
    int end = from;
    while (end < to
        && !ExcludedBounds.excludesLonger(
            filter.slots.get(end).get(position[end]), filter.schema, filter.slotSpan, end)) {
      end++;
    }
    return proceed(filter, position, bound, from, Math.min(to, end + 1));
  }

  /** Ends the first key of a scan. */
  byte[] around(RowKeySchema schema, List<List<KeyRange>> slots, int[] furtherColumns) :
      call(static byte[] ScanUtil.getMinKey(RowKeySchema, List, int[]))
      && withincode(static ScanRanges ScanRanges.create(.., Optional))
      && args(schema, slots, furtherColumns) {
    int end = 0;
    while (end < slots.size()
        && !ExcludedBounds.excludesLonger(slots.get(end).get(0), schema, furtherColumns, end)) {
      end++;
    }
    return proceed(
        schema,
        end < slots.size() - 1 && RangePatches.isOn(Patch.SKIP_SCAN)
            ? slots.subList(0, end + 1)
            : slots,
        furtherColumns);
  }
}
