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
import org.apache.phoenix.pruning.config.RangePatches;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.query.KeyRange;

/**
 * Bounds the memory that IN lists need. If there is a list for each key column, Phoenix's {@code
 * ScanRanges} makes every key that the lists describe (not reported). Three lists of 150 values
 * describe 3,375,000 keys, which do not fit into 5 GB. This patch makes a skip scan of the lists,
 * which reads the same rows.
 *
 * <p>The skip scan must also be correct on servers with Phoenix's own jar. Therefore the patch does
 * not apply to row values and nulls, and it needs {@link Patch#SKIP_SCAN}.
 *
 * <p>Example: {@code SELECT * FROM T WHERE A IN (...) AND B IN (...) AND C IN (...)} with long
 * lists for the key {@code (A, B, C)} fails, because the client runs out of memory.
 */
public aspect PointKeysAspect {

  /** Maximum number of keys that are made of several lists. These keys take about 100 MB. */
  private static final long MAX_KEYS = 100_000;

  boolean around(List<List<KeyRange>> ranges, int[] furtherColumns) :
      execution(static boolean ScanRanges.isPointLookup(*, List, int[], boolean))
      && args(*, ranges, furtherColumns, *) {
    return proceed(ranges, furtherColumns)
        && !(makeManyKeys(ranges)
            && areLists(ranges, furtherColumns)
            && RangePatches.isOn(Patch.POINT_KEYS));
  }

  /**
   * Returns whether there are more than {@code MAX_KEYS} keys, and more than the longest list has
   * values.
   */
  private static boolean makeManyKeys(List<List<KeyRange>> ranges) {
    long keys = 1;
    int longest = 1;
    for (List<KeyRange> slot : ranges) {
      // Neither factor is greater than Integer.MAX_VALUE.
      keys = Math.min(keys * slot.size(), Integer.MAX_VALUE);
      longest = Math.max(longest, slot.size());
    }
    return keys > MAX_KEYS && keys > longest;
  }

  private static boolean areLists(List<List<KeyRange>> ranges, int[] furtherColumns) {
    for (int further : furtherColumns) {
      if (further > 0) {
        return false;
      }
    }
    for (List<KeyRange> slot : ranges) {
      if (slot.contains(KeyRange.IS_NULL_RANGE)) {
        return false;
      }
    }
    return true;
  }
}
