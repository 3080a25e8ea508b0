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
import org.apache.phoenix.filter.SkipScanFilter;
import org.apache.phoenix.query.KeyRange;

/**
 * Narrows a {@code SkipScanFilter} to the rows of a region, or of a part of a region, for the patch
 * {@code skip-scan}. Phoenix's {@code SkipScanFilter.intersect} leaves out values if a region ends
 * at the key of a row, or inside a descending value (not reported).
 *
 * <p>Example: {@code SELECT K1, K2 FROM E WHERE K1 IN ('a', 'b')} with the key {@code (K1 DESC,
 * K2)} loses the row (b, 1) if a region starts at the key (b, 5).
 */
public privileged aspect SkipScanRegionAspect {

  /**
   * Intersection of the ranges with regions; null until the filter is narrowed for the first time.
   */
  private SkipScanIntersection SkipScanFilter.intersection;

  /**
   * Narrows the filter. Phoenix's {@code SkipScanFilter.intersect} navigates to both bounds as if
   * they were row keys, and has two defects:
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
        || SkipScanIntersection.isCorrectInPhoenix(filter.slots, filter.slotSpan, filter.schema)) {
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
}
