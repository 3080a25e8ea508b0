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
package org.apache.phoenix.pruning.scan;

import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.phoenix.iterate.ParallelScansCollector;
import org.apache.phoenix.pruning.protocol.ProbedRange;
import org.apache.phoenix.pruning.stats.GuidepostCursor;

/** Scans of a local index, with estimates from statistics. */
public final class PlannedScans {

  private final List<List<Scan>> scans;
  private final List<HRegionLocation> locations;
  private final List<ProbedRange> ranges;
  private final Estimate estimate;
  private final int lookups;

  PlannedScans(ParallelScansCollector collected, List<ProbedRange> ranges, Estimate estimate) {
    this(
        collected.getParallelScans().stream()
            .filter(scans -> !scans.isEmpty())
            .collect(Collectors.toList()),
        collected.getRegionLocations(),
        ranges,
        estimate,
        0);
  }

  private PlannedScans(
      List<List<Scan>> scans,
      List<HRegionLocation> locations,
      List<ProbedRange> ranges,
      Estimate estimate,
      int lookups) {
    this.scans = scans;
    this.locations = locations;
    this.ranges = ranges;
    this.estimate = estimate;
    this.lookups = lookups;
  }

  PlannedScans withLookups(int lookups) {
    return new PlannedScans(scans, locations, ranges, estimate, lookups);
  }

  /**
   * Returns the scans in key order. No inner list is empty. The rows of the scans in one inner list
   * may be concatenated. The rows of different inner lists may have to be merged.
   */
  public List<List<Scan>> scans() {
    return scans;
  }

  /** Returns the region of each scan. */
  public List<HRegionLocation> locations() {
    return locations;
  }

  /** Returns the range of index keys that each scan reads in its region. */
  List<ProbedRange> ranges() {
    return ranges;
  }

  /** Returns the number of region locations that were looked up. */
  public int lookups() {
    return lookups;
  }

  public Estimate estimate() {
    return estimate;
  }

  /** Sums over the guideposts of the planned regions. */
  public static final class Estimate {
    private long rows;
    private long bytes;
    private long oldest = Long.MAX_VALUE;
    private boolean coversEveryRegion = true;

    void add(GuidepostCursor guidepost) {
      rows += guidepost.rows();
      bytes += guidepost.bytes();
      oldest = Math.min(oldest, guidepost.timestamp());
    }

    void addRegionWithoutGuidepost() {
      coversEveryRegion = false;
    }

    public long rows() {
      return rows;
    }

    public long bytes() {
      return bytes;
    }

    /**
     * Returns the time of the oldest guidepost in milliseconds, or {@link Long#MAX_VALUE} if there
     * is none.
     */
    public long oldestTimestamp() {
      return oldest;
    }

    /** Returns whether each planned region has a guidepost. */
    public boolean coversEveryRegion() {
      return coversEveryRegion;
    }
  }
}
