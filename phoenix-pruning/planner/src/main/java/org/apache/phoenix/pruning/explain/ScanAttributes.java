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

import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.phoenix.pruning.probe.ProbePlan;
import org.apache.phoenix.pruning.prune.RegionReport;
import org.apache.phoenix.pruning.scan.LooseIndexScan;
import org.jspecify.annotations.Nullable;

/**
 * Values of the attributes that EXPLAIN has in addition to those of Phoenix. Immutable. A value is
 * null if the plan does not have it.
 */
public final class ScanAttributes {

  /** Attributes of a plan about which nothing is known. */
  public static final ScanAttributes NONE = new ScanAttributes(null, null, null, null);

  private final @Nullable List<HRegionLocation> locations;
  private final @Nullable RegionReport regions;
  private final @Nullable LooseIndexScan looseScan;
  private final @Nullable ProbePlan probe;

  private ScanAttributes(
      @Nullable List<HRegionLocation> locations,
      @Nullable RegionReport regions,
      @Nullable LooseIndexScan looseScan,
      @Nullable ProbePlan probe) {
    this.locations = locations;
    this.regions = regions;
    this.looseScan = looseScan;
    this.probe = probe;
  }

  /**
   * Returns these attributes with the region of each scan.
   *
   * @param locations the region of each scan, or null if Phoenix has not located the regions
   */
  public ScanAttributes withLocations(@Nullable List<HRegionLocation> locations) {
    return new ScanAttributes(locations, regions, looseScan, probe);
  }

  ScanAttributes withRegions(RegionReport regions) {
    return new ScanAttributes(locations, regions, looseScan, probe);
  }

  ScanAttributes withLooseScan(LooseIndexScan looseScan) {
    return new ScanAttributes(locations, regions, looseScan, probe);
  }

  ScanAttributes withProbe(ProbePlan probe) {
    return new ScanAttributes(locations, regions, looseScan, probe);
  }

  public @Nullable List<HRegionLocation> locations() {
    return locations;
  }

  public @Nullable RegionReport regions() {
    return regions;
  }

  public @Nullable Integer regionsPlanned() {
    return regions == null ? null : regions.planned();
  }

  public @Nullable Integer regionsTotal() {
    return regions == null ? null : regions.total();
  }

  /** Returns the number of pruned regions by the name of the rule. */
  public @Nullable Map<String, Integer> regionsPruned() {
    return regions == null ? null : regions.prunedByRuleName();
  }

  /** Returns a description of the loose index scan. */
  public @Nullable String looseScan() {
    return looseScan == null ? null : looseScan.toString();
  }

  /** Returns a description of the region probe. */
  public @Nullable String probe() {
    return probe == null ? null : probe.toString();
  }
}
