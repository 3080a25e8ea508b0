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

import java.io.DataInput;
import java.util.List;
import org.apache.phoenix.filter.SkipScanFilter;
import org.apache.phoenix.query.KeyRange;

/**
 * Keeps ranges of descending values that end with a prefix of their start, for the patch {@code
 * skip-scan}. Such a range is not empty, although the bytes of its end sort before those of its
 * start. Phoenix's {@code KeyRange.read} treats the range as empty (not reported).
 *
 * <p>Example: {@code SELECT * FROM T WHERE A IN (1, 2) AND B BETWEEN 'a' AND 'aa'} loses all rows
 * if B is a descending VARCHAR.
 */
public privileged aspect SkipScanReadAspect {

  /** Ranges as the server received them, or null if Phoenix reads none of them as empty. */
  private List<List<KeyRange>> SkipScanFilter.readSlots;

  /** Uses the ranges as the server received them. */
  void SkipScanFilter.restoreReadSlots() {
    if (readSlots != null) {
      init(readSlots, slotSpan, schema, includeMultipleVersions, isMultiKeyPointLookup);
      readSlots = null;
    }
  }

  KeyRange around(byte[] lower, byte[] upper) :
      call(static KeyRange KeyRange.getSingleton(byte[], boolean, byte[], boolean))
      && withincode(static KeyRange KeyRange.read(..))
      && args(lower, *, upper, *) {
    return PrefixRanges.endsWithPrefix(lower, upper) ? null : proceed(lower, upper);
  }

  /**
   * Replaces such ranges with empty ranges, as Phoenix reads them. The original ranges are kept for
   * a scan that names the patch.
   */
  before(SkipScanFilter filter, List<List<KeyRange>> slots) :
      call(void SkipScanFilter.init(List, ..))
      && withincode(void SkipScanFilter.readFields(DataInput))
      && this(filter)
      && args(slots, ..) {
    filter.readSlots = PrefixRanges.replaceWithEmpty(slots);
  }
}
