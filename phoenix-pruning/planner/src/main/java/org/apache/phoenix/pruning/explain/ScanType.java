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

/** How a scan finds its rows. */
public enum ScanType {
  /** By whole row keys; EXPLAIN says POINT LOOKUP. */
  POINT,

  /** By one range of row keys. */
  RANGE,

  /** By several ranges of row keys, with seeks from one to the next. */
  SKIP,

  /** By seeks to the ranges behind each prefix; EXPLAIN says LOOSE INDEX SCAN. */
  LOOSE,

  /** All rows. */
  FULL,

  /** No row can match, and none is read; EXPLAIN says DEGENERATE SCAN. */
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
