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

import java.util.Collections;
import java.util.Map;
import java.util.OptionalInt;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.compile.ScanRanges;
import org.apache.phoenix.pruning.prune.PruningRule;
import org.apache.phoenix.pruning.prune.RegionReport;

/** The regions that a scan reads, as far as EXPLAIN reports them. Immutable. */
final class PlannedRegions {

  /** Regions of a scan that reads nothing. */
  private static final PlannedRegions NONE =
      new PlannedRegions(
          OptionalInt.of(0), OptionalInt.empty(), Collections.<PruningRule, Integer>emptyMap());

  private final OptionalInt planned;
  private final OptionalInt total;
  private final Map<PruningRule, Integer> pruned;

  private PlannedRegions(OptionalInt planned, OptionalInt total, Map<PruningRule, Integer> pruned) {
    this.planned = planned;
    this.total = total;
    this.pruned = pruned;
  }

  /** Returns the regions of {@code scan}, which reads {@code ranges}. */
  static PlannedRegions of(ScanRanges ranges, ExplainedScan scan) {
    if (ranges == ScanRanges.NOTHING) {
      return NONE;
    }
    RegionReport report = scan.getRegionReport();
    if (report != null) {
      return new PlannedRegions(
          OptionalInt.of(report.planned()), OptionalInt.of(report.total()), report.prunedByRule());
    }
    // Phoenix does not look up the region of a single row key. A single key is in one region.
    boolean isSingleKey = ranges.isPointLookup() && ranges.getPointLookupCount() == 1;
    return new PlannedRegions(
        isSingleKey ? OptionalInt.of(1) : located(scan),
        OptionalInt.empty(),
        Collections.<PruningRule, Integer>emptyMap());
  }

  /**
   * Returns the number of regions of the scans, or empty if Phoenix has not located them. A region
   * may have several scans.
   */
  private static OptionalInt located(ExplainedScan scan) {
    return scan.getScanLocations() == null
        ? OptionalInt.empty()
        : OptionalInt.of(
            (int)
                scan.getScanLocations().stream()
                    .map(location -> Bytes.toStringBinary(location.getRegion().getStartKey()))
                    .distinct()
                    .count());
  }

  OptionalInt planned() {
    return planned;
  }

  OptionalInt total() {
    return total;
  }

  Map<PruningRule, Integer> pruned() {
    return pruned;
  }
}
