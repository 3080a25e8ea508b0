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
package org.apache.phoenix.pruning.prune;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.compile.ScanRanges;
import org.apache.phoenix.iterate.DefaultParallelScanGrouper;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.pruning.region.KeyRegionLocator;
import org.apache.phoenix.pruning.region.TableRegions;
import org.apache.phoenix.schema.PTable.IndexType;
import org.jspecify.annotations.Nullable;

/**
 * Regions that a plan would scan if it were chosen. Only as many regions are looked up as the
 * comparison with other plans needs.
 */
public final class CandidateRegions {

  private interface Source {
    FirstRegions first(int limit) throws SQLException;
  }

  private final Source source;

  private CandidateRegions(Source source) {
    this.source = source;
  }

  /**
   * Returns the regions of {@code plan}, which scans one table or index.
   *
   * @param dataPlan the plan for the data table, or null
   */
  public static CandidateRegions of(QueryPlan plan, @Nullable QueryPlan dataPlan) {
    if (plan.getTableRef().getTable().getIndexType() == IndexType.LOCAL) {
      return new CandidateRegions(
          new LocalIndexRegions(
                  plan, dataPlan, PruningMode.EXACT, true, DefaultParallelScanGrouper.getInstance())
              ::first);
    }
    TableRegions regions =
        new TableRegions(
            plan.getContext(),
            DefaultParallelScanGrouper.getInstance(),
            plan.getTableRef().getTable().getPhysicalName().getBytes());
    return new CandidateRegions(
        limit ->
            scanned(
                limit,
                plan.getContext().getScan(),
                plan.getContext().getScanRanges(),
                regions.locator()));
  }

  /**
   * Returns the regions in the key range of the scan that intersect its key ranges, as Phoenix
   * chooses them.
   */
  private static FirstRegions scanned(
      int limit, Scan scan, ScanRanges ranges, KeyRegionLocator locator) throws SQLException {
    List<HRegionLocation> scanned = new ArrayList<>();
    // The scan of a salted table has the key range of the first bucket.
    byte[] key = ranges.isSalted() ? HConstants.EMPTY_START_ROW : scan.getStartRow();
    byte[] stop = ranges.isSalted() ? HConstants.EMPTY_END_ROW : scan.getStopRow();
    for (int looked = 0; looked < limit; looked++) {
      HRegionLocation location = locator.locate(key);
      RegionInfo region = location.getRegion();
      if (ranges.intersectRegion(region.getStartKey(), region.getEndKey(), false)) {
        scanned.add(location);
      }
      key = region.getEndKey();
      if (key.length == 0 || (stop.length > 0 && Bytes.compareTo(key, stop) >= 0)) {
        return new FirstRegions(scanned, true);
      }
    }
    return new FirstRegions(scanned, false);
  }

  /** Returns the first regions of the plan. Examines at most {@code limit} regions. */
  public FirstRegions first(int limit) throws SQLException {
    return source.first(limit);
  }
}
