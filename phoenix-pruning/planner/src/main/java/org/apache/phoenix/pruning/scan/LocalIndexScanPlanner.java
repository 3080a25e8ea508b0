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

import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.iterate.ParallelScanGrouper;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.pruning.config.PruningOptions;
import org.apache.phoenix.pruning.metrics.PruningCounts;
import org.apache.phoenix.pruning.probe.ExclusionCheck;
import org.apache.phoenix.pruning.probe.RegionProbe;
import org.apache.phoenix.pruning.protocol.DataRowRange;
import org.apache.phoenix.pruning.prune.LocalIndexRegions;
import org.apache.phoenix.schema.stats.GuidePostsInfo;
import org.jspecify.annotations.Nullable;

/**
 * Plans the scans of one local index for one execution of a statement. The phases are:
 *
 * <ol>
 *   <li>Plan the regions by the WHERE of the scans.
 *   <li>Build the scans of each region.
 *   <li>If verification is on, search the pruned regions for matching rows.
 *   <li>Probe the servers.
 * </ol>
 */
public final class LocalIndexScanPlanner {

  /** Stores the planner in Phoenix's result iterators. */
  public interface Holder {

    /** Returns the planner, or null if Phoenix's own code planned the scans. */
    @Nullable LocalIndexScanPlanner getLocalIndexScanPlanner();

    void setLocalIndexScanPlanner(LocalIndexScanPlanner planner);
  }

  private final QueryPlan plan;
  private final PruningOptions options;
  private final LocalIndexRegions regions;
  private final RegionScanBuilder builder;
  private final Optional<LooseIndexScan> loose;

  /** Planned regions and scans, or null if only stale scans were planned again. */
  private @Nullable LocalIndexScanPlan planned;

  private LocalIndexScanPlanner(
      QueryPlan plan,
      PruningOptions options,
      LocalIndexRegions regions,
      RegionScanBuilder builder,
      Optional<LooseIndexScan> loose) {
    this.plan = plan;
    this.options = options;
    this.regions = regions;
    this.builder = builder;
    this.loose = loose;
  }

  /**
   * Returns the planner for {@code scan}, or null if Phoenix's own code has to plan it. Phoenix
   * plans every scan that does not read a local index, and all scans in mode {@code stock}.
   *
   * @param dataPlan the plan for the data table, or null
   */
  public static @Nullable LocalIndexScanPlanner of(
      QueryPlan plan, @Nullable QueryPlan dataPlan, Scan scan, ParallelScanGrouper grouper)
      throws SQLException {
    if (PlanningMode.of(plan) == PruningMode.STOCK) {
      return null;
    }
    PruningOptions options = PruningOptions.of(plan.getContext().getConnection());
    Optional<LooseIndexScan> loose = LooseIndexScanPlanner.plan(plan);
    return new LocalIndexScanPlanner(
        plan,
        options,
        new LocalIndexRegions(plan, dataPlan, options.mode(), true, grouper),
        new RegionScanBuilder(plan, dataPlan, scan, grouper, loose),
        loose);
  }

  /**
   * Plans the regions that can hold a matching row, and their scans.
   *
   * @param parallelize whether a region is scanned in parallel between its guideposts
   */
  public PlannedScans plan(GuidePostsInfo guideposts, boolean parallelize) throws SQLException {
    long start = System.nanoTime();
    List<HRegionLocation> matching = regions.planned();
    PlannedScans scans =
        builder.build(matching, guideposts, parallelize).withLookups(regions.ofTable().lookups());
    planned = new LocalIndexScanPlan(matching, scans, System.nanoTime() - start);
    return scans;
  }

  /**
   * Plans a scan again whose region has changed since it was planned. The new scans read the same
   * rows in the current regions.
   *
   * @param stale a scan from {@link #plan} or from this method
   */
  public PlannedScans replan(Scan stale) throws SQLException {
    DataRowRange rows = DataRowRange.of(stale);
    return builder
        .rebuild(stale, rows, regions.within(rows))
        .withLookups(regions.ofTable().lookups());
  }

  /**
   * Throws an exception if verification is on and a region that was not planned holds a matching
   * row.
   */
  public void verify() throws SQLException {
    if (options.verify() && planned != null) {
      verifier().verifyPruned(planned.regions());
    }
  }

  private PruningVerifier verifier() throws SQLException {
    return new PruningVerifier(plan, regions, builder);
  }

  /**
   * Asks the servers which of the planned scans can return a row. Adds the planned regions and the
   * answers to the metrics.
   *
   * @param template the scan from which the planned scans were made
   * @param scans the scans that {@link #plan} returned
   * @param locations the region of each scan
   * @param isSerial whether scans are sent one after the other until there are enough rows
   * @return the scans that have to be sent, and the scans whose rows are already known
   */
  public List<List<Scan>> probe(
      Scan template, List<List<Scan>> scans, List<HRegionLocation> locations, boolean isSerial)
      throws SQLException {
    LocalIndexScanPlan executed = planned;
    if (executed == null) {
      return scans;
    }
    List<PruningCounts> counts = PlanningMetrics.countsFor(plan);
    counts.forEach(each -> PlanningMetrics.add(executed, regions.ofTable(), each));
    return options.mode() == PruningMode.EXACT
        ? new RegionProbe(
                plan,
                options.probe(),
                counts,
                options.verify() ? verifier()::verifyExcluded : ExclusionCheck.NONE)
            .probe(template, scans, locations, executed.scans().ranges(), isSerial)
        : scans;
  }

  /** Returns the report for EXPLAIN, or null if EXPLAIN does not show the planned regions. */
  @Nullable LocalIndexScanReport report() {
    return options.explainRegions()
        ? new LocalIndexScanReport(plan, options, regions, loose, planned)
        : null;
  }
}
