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
import org.jspecify.annotations.Nullable;

/** Finds ranges of descending values whose end is a prefix of their start. */
public final class PrefixRanges {

  private PrefixRanges() {}

  /**
   * Returns whether the upper bound is shorter than the lower bound, and the lower begins with it.
   */
  public static boolean endsWithPrefix(byte[] lower, byte[] upper) {
    return upper.length > 0 && upper.length < lower.length && Bytes.startsWith(lower, upper);
  }

  private static boolean endsWithPrefix(KeyRange range) {
    return endsWithPrefix(range.getLowerRange(), range.getUpperRange());
  }

  /**
   * Replaces each such range in the lists of {@code slots} with an empty range.
   *
   * @return a copy of the original lists, or null if no range was replaced
   */
  public static @Nullable List<List<KeyRange>> replaceWithEmpty(List<List<KeyRange>> slots) {
    if (slots.stream()
        .noneMatch(ranges -> ranges.stream().anyMatch(PrefixRanges::endsWithPrefix))) {
      return null;
    }
    List<List<KeyRange>> original = new ArrayList<>();
    for (List<KeyRange> ranges : slots) {
      original.add(new ArrayList<>(ranges));
      ranges.replaceAll(range -> endsWithPrefix(range) ? KeyRange.EMPTY_RANGE : range);
    }
    return original;
  }
}
