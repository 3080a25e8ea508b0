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
package org.apache.phoenix.pruning.optimize;

import java.util.List;
import org.apache.phoenix.compile.ScanRanges;
import org.apache.phoenix.pruning.plan.KeyColumns;
import org.apache.phoenix.query.KeyRange;

/**
 * How many times a loose index scan seeks, where nothing is known of the values: to each range
 * behind each distinct prefix, with as many values of a column as {@link KeyShape} takes it to
 * have.
 */
final class PrefixCount {

  private double exponent;
  private double factor = 1;

  /** For a scan that goes by the first {@code slots} of {@code ranges}. */
  PrefixCount(KeyColumns key, ScanRanges ranges, int slots) {
    int position = 0;
    for (int i = 0; i < slots; i++) {
      List<KeyRange> slot = ranges.getRanges().get(i);
      boolean isSought = i == slots - 1 || slot.stream().allMatch(KeyRange::isSingleKey);
      if (isSought) {
        factor *= slot.size();
      }
      for (int span = ranges.getSlotSpans()[i]; span >= 0; span--, position++) {
        if (!isSought && key.isVariable(position)) {
          exponent += key.isOfDataKey(position) ? KeyShape.exponent(key, position) : 1;
        }
      }
    }
  }

  /** In a part of an index with {@code rows}; no more than these. */
  double in(double rows) {
    return Math.min(rows, factor * Math.pow(rows, Math.min(1, exponent)));
  }
}
