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
package org.apache.phoenix.pruning.explain;

import java.util.Locale;
import org.apache.phoenix.compile.ScanRanges;

/** The access method of a scan. */
public enum ScanType {
  /** Reads rows by their complete row keys. EXPLAIN prints POINT LOOKUP. */
  POINT,

  /** Reads one range of row keys. */
  RANGE,

  /** Reads several ranges of row keys, and seeks from one range to the next. */
  SKIP,

  /** Seeks to the key ranges within each prefix. EXPLAIN prints LOOSE INDEX SCAN. */
  LOOSE,

  /** Reads all rows. */
  FULL,

  /** Reads nothing, because no row can match. EXPLAIN prints DEGENERATE SCAN. */
  NONE;

  static ScanType of(ScanRanges ranges, ExplainedScan scan) {
    if (ranges == ScanRanges.NOTHING) {
      return NONE;
    }
    if (ranges.isEverything()) {
      return FULL;
    }
    if (ranges.isPointLookup()) {
      return POINT;
    }
    if (scan.getLooseIndexScan() != null) {
      return LOOSE;
    }
    return ranges.useSkipScanFilter() ? SKIP : RANGE;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
