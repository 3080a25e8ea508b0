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

import static java.util.stream.Collectors.joining;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.iterate.DefaultParallelScanGrouper;
import org.apache.phoenix.iterate.ParallelScanGrouper;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.pruning.protocol.DataRowRange;
import org.apache.phoenix.pruning.protocol.PlannedRegion;
import org.apache.phoenix.pruning.prune.LocalIndexRegions;
import org.apache.phoenix.util.ScanUtil;
import org.jspecify.annotations.Nullable;

/**
 * Scans of a local index that another process has planned, such as those of a MapReduce split. When
 * they are read, their regions may have split, merged or moved.
 */
public final class ReaderScans {

  /** Plan with which a reader reads scans. */
  public interface Reader {

    /** Returns the plan for the data table, or null if there is none. */
    @Nullable QueryPlan planForDataTable();
  }

  private static final ParallelScanGrouper GROUPER = DefaultParallelScanGrouper.getInstance();

  private final QueryPlan plan;
  private final @Nullable QueryPlan dataPlan;
  private final List<Scan> scans;
  private final LocalIndexRegions regions;

  /** Scans that were returned last. */
  private List<Scan> latest;

  private ReaderScans(QueryPlan plan, List<Scan> scans) {
    this.plan = plan;
    this.dataPlan = ((Reader) plan).planForDataTable();
    this.scans = scans;
    this.latest = scans;
    // Without its subqueries, a reader does not know the WHERE. So no region is pruned.
    this.regions = new LocalIndexRegions(plan, dataPlan, PruningMode.NONE, false, GROUPER);
  }

  /**
   * Returns the scans, or null if Phoenix's own code reads them: in mode {@code stock}, and if they
   * were not planned for regions of a local index.
   *
   * @param plan the plan with which the reader reads {@code scans}
   */
  public static @Nullable ReaderScans of(QueryPlan plan, List<Scan> scans) throws SQLException {
    return PlanningMode.of(plan) != PruningMode.STOCK
            && scans.stream().allMatch(scan -> PlannedRegion.of(scan) != null)
        ? new ReaderScans(plan, scans)
        : null;
  }

  /**
   * Returns scans that read the same rows in the current regions. The locations of these regions
   * are looked up again. A scan whose region has not changed is copied. So the planned scans never
   * change, and this method can be called again if a region changes again.
   */
  public List<Scan> inCurrentRegions() throws SQLException {
    Map<DataRowRange, List<HRegionLocation>> current = new HashMap<>();
    List<Scan> all = new ArrayList<>();
    for (Scan scan : scans) {
      DataRowRange rows = DataRowRange.of(scan);
      List<HRegionLocation> found = current.get(rows);
      if (found == null) {
        found = regions.within(rows);
        current.put(rows, found);
      }
      if (found.size() == 1 && isRegion(rows, found.get(0).getRegion())) {
        all.add(ScanUtil.newScan(scan));
      } else {
        all.addAll(rebuild(scan, rows, found));
      }
    }
    latest = all;
    return all;
  }

  private static boolean isRegion(DataRowRange rows, RegionInfo region) {
    return rows.equals(DataRowRange.between(region.getStartKey(), region.getEndKey()));
  }

  /** Returns scans with the attributes and the range of index keys of {@code planned}. */
  private List<Scan> rebuild(Scan planned, DataRowRange rows, List<HRegionLocation> current)
      throws SQLException {
    List<Scan> rebuilt = new ArrayList<>();
    new RegionScanBuilder(plan, dataPlan, planned, GROUPER, Optional.empty())
        .rebuild(planned, rows, current)
        .scans()
        .forEach(rebuilt::addAll);
    return rebuilt;
  }

  /** Describes the regions for which the latest scans were made. */
  public String describeRegions() {
    return latest.stream()
            .map(scan -> String.valueOf(PlannedRegion.of(scan)))
            .distinct()
            .collect(joining(", "))
        + " of "
        + plan.getTableRef().getTable().getPhysicalName();
  }
}
