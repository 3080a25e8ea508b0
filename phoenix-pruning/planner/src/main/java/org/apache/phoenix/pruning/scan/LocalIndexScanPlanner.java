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
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.compile.StatementContext;
import org.apache.phoenix.iterate.DefaultParallelScanGrouper;
import org.apache.phoenix.iterate.ParallelScanGrouper;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.pruning.config.PruningOptions;
import org.apache.phoenix.pruning.metrics.ClientPruningMetrics;
import org.apache.phoenix.pruning.metrics.Fallbacks;
import org.apache.phoenix.pruning.metrics.PruningCounts;
import org.apache.phoenix.pruning.metrics.PruningMetric;
import org.apache.phoenix.pruning.probe.ExclusionCheck;
import org.apache.phoenix.pruning.probe.ProbePlan;
import org.apache.phoenix.pruning.probe.RegionProbe;
import org.apache.phoenix.pruning.protocol.DataRowRange;
import org.apache.phoenix.pruning.prune.LocalIndexRegions;
import org.apache.phoenix.pruning.prune.RegionReport;
import org.apache.phoenix.pruning.where.JoinConditions;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.schema.PTable.IndexType;
import org.apache.phoenix.schema.stats.GuidePostsInfo;
import org.jspecify.annotations.Nullable;

/**
 * Plans the scans of one local index for one execution of a statement: first the regions, by the
 * WHERE of the scans, and then the scans in each region.
 */
public final class LocalIndexScanPlanner {

  /** Stores the planning in Phoenix's result iterators. */
  public interface Holder {

    /** Returns the planning, or null if Phoenix's own code planned the scans. */
    @Nullable LocalIndexScanPlanner getLocalIndexPlanning();

    void setLocalIndexPlanning(LocalIndexScanPlanner planning);
  }

  private final QueryPlan plan;
  private final PruningOptions options;
  private final LocalIndexRegions regions;
  private final RegionScanBuilder scans;
  private final Optional<LooseIndexScan> loose;

  /** Planned regions, or null if only stale scans were planned. */
  private @Nullable List<HRegionLocation> planned;

  private long planningNanos;

  /**
   * Planned scans, or null if only stale scans were planned. Several scans may have the same
   * region.
   */
  private @Nullable PlannedScans plannedScans;

  private LocalIndexScanPlanner(
      QueryPlan plan,
      PruningOptions options,
      LocalIndexRegions regions,
      RegionScanBuilder scans,
      Optional<LooseIndexScan> loose) {
    this.plan = plan;
    this.options = options;
    this.regions = regions;
    this.scans = scans;
    this.loose = loose;
  }

  /**
   * Returns the planning for {@code scan}, or null if Phoenix's own code has to plan it. Phoenix
   * plans every scan that does not read a local index, and all scans in mode {@code stock}.
   *
   * @param dataPlan the plan for the data table, or null
   */
  public static @Nullable LocalIndexScanPlanner of(
      QueryPlan plan, @Nullable QueryPlan dataPlan, Scan scan, ParallelScanGrouper grouper)
      throws SQLException {
    PTable table = plan.getTableRef().getTable();
    if (table.getIndexType() != IndexType.LOCAL) {
      return null;
    }
    StatementContext context = plan.getContext();
    PruningOptions options = PruningOptions.of(context.getConnection());
    if (options.mode() == PruningMode.STOCK) {
      return null;
    }
    Optional<LooseIndexScan> loose = looseScan(plan);
    return new LocalIndexScanPlanner(
        plan,
        options,
        new LocalIndexRegions(plan, dataPlan, options.mode(), true, grouper),
        new RegionScanBuilder(plan, dataPlan, scan, grouper, loose),
        loose);
  }

  /**
   * Returns the regions to which a hash join has to send the rows of a build side. These regions
   * can hold a row with a key of the build side. Returns null if Phoenix's own code has to choose
   * the regions.
   *
   * @param isWhereKnown false if subqueries in the WHERE have not been executed yet
   */
  public static @Nullable List<HRegionLocation> joined(QueryPlan probe, boolean isWhereKnown)
      throws SQLException {
    // Verification also reads the other regions.
    return !isFor(probe) || PruningOptions.of(probe.getContext().getConnection()).verify()
        ? null
        : new LocalIndexRegions(
                probe,
                null,
                PruningMode.EXACT,
                isWhereKnown,
                DefaultParallelScanGrouper.getInstance())
            .planned();
  }

  /** Returns the loose index scan of {@code plan}, or empty if the plan does not seek. */
  public static Optional<LooseIndexScan> looseScan(QueryPlan plan) throws SQLException {
    if (!isFor(plan)) {
      return Optional.empty();
    }
    try {
      return LooseIndexScan.of(plan);
    } catch (RuntimeException e) {
      Fallbacks.GLOBAL.notSought(plan.getTableRef().getTable().getName().getString(), e);
      return Optional.empty();
    }
  }

  /** Returns whether the regions that {@code plan} scans are pruned by its conditions. */
  public static boolean isFor(QueryPlan plan) throws SQLException {
    return modeOf(plan) == PruningMode.EXACT;
  }

  /** Returns whether this class, and not Phoenix's own code, plans the scans of {@code plan}. */
  public static boolean plans(QueryPlan plan) throws SQLException {
    return modeOf(plan) != PruningMode.STOCK;
  }

  /** Returns whether this class, and not Phoenix's own code, plans scans of {@code table}. */
  public static boolean plans(PTable table, PhoenixConnection connection) throws SQLException {
    return modeOf(table, connection) != PruningMode.STOCK;
  }

  private static PruningMode modeOf(QueryPlan plan) throws SQLException {
    return plan.getTableRef() == null
        ? PruningMode.STOCK
        : modeOf(plan.getTableRef().getTable(), plan.getContext().getConnection());
  }

  private static PruningMode modeOf(PTable table, PhoenixConnection connection)
      throws SQLException {
    return table.getIndexType() == IndexType.LOCAL
        ? PruningOptions.modeOf(connection)
        : PruningMode.STOCK;
  }

  /**
   * Plans the regions that can hold a matching row, and their scans.
   *
   * @param parallelize whether a region is scanned in parallel between its guideposts
   */
  public PlannedScans plan(GuidePostsInfo guideposts, boolean parallelize) throws SQLException {
    long start = System.nanoTime();
    planned = regions.planned();
    PlannedScans made =
        scans.of(planned, guideposts, parallelize).withLookups(regions.ofTable().lookups());
    plannedScans = made;
    planningNanos = System.nanoTime() - start;
    return made;
  }

  /**
   * Plans a scan again whose region has changed since it was planned. The new scans read the same
   * rows in the current regions.
   *
   * @param stale a scan from {@link #plan} or from this method
   */
  public PlannedScans planAgain(Scan stale) throws SQLException {
    DataRowRange rows = DataRowRange.of(stale);
    return scans.again(stale, rows, regions.within(rows)).withLookups(regions.ofTable().lookups());
  }

  /** Returns whether EXPLAIN shows the planned regions. */
  boolean isExplained() {
    return options.explainRegions();
  }

  /**
   * Returns the numbers of planned and of all regions, or null if only stale scans were planned.
   * Looks up all regions, so it is for EXPLAIN only.
   */
  public @Nullable RegionReport report() throws SQLException {
    if (planned == null) {
      return null;
    }
    int count = planned.size();
    return new RegionReport(
        count,
        Math.max(count, regions.ofTable().all().size()),
        JoinConditions.of(plan.getContext()).dynamicColumns());
  }

  /**
   * Asks the servers which of the planned scans can return a row. Adds the planned regions and the
   * answers to the metrics.
   *
   * @param template the scan from which the planned scans were made
   * @param scansOfRegions the scans that {@link #plan} returned
   * @param locations the region of each scan
   * @param isSerial whether scans are sent one after the other until there are enough rows
   * @return the scans that have to be sent, and the scans whose rows are already known
   */
  public List<List<Scan>> probe(
      Scan template,
      List<List<Scan>> scansOfRegions,
      List<HRegionLocation> locations,
      boolean isSerial)
      throws SQLException {
    PlannedScans made = plannedScans;
    if (planned == null || made == null) {
      return scansOfRegions;
    }
    int regionsPlanned = planned.size();
    PruningCounts ofStatement =
        ((PruningCounts.Holder) (Object) plan.getContext().getOverallQueryMetrics())
            .getPruningCounts();
    List<PruningCounts> counts = Arrays.asList(ClientPruningMetrics.global(), ofStatement);
    counts.forEach(each -> count(each, regionsPlanned));
    return options.mode() == PruningMode.EXACT
        ? new RegionProbe(
                plan,
                options.probe(),
                counts,
                options.verify() ? verification()::verify : ExclusionCheck.NONE)
            .probe(template, scansOfRegions, locations, made.ranges(), isSerial)
        : scansOfRegions;
  }

  private void count(PruningCounts counts, int count) {
    int total = Math.max(count, regions.ofTable().knownCount().orElse(0));
    counts.add(PruningMetric.REGIONS_PLANNED, count);
    counts.add(PruningMetric.REGIONS_TOTAL, total);
    counts.add(PruningMetric.REGIONS_PRUNED_BY_PRIMARY_KEY, total - count);
    counts.add(PruningMetric.REGION_LOCATION_LOOKUPS, regions.ofTable().lookups());
    counts.add(PruningMetric.PLANNING_TIME_MICROS, TimeUnit.NANOSECONDS.toMicros(planningNanos));
  }

  /**
   * Returns the servers that an execution of the statement would probe, or empty if it would probe
   * none.
   */
  public Optional<ProbePlan> probePlan() {
    PlannedScans made = plannedScans;
    return made == null || options.mode() != PruningMode.EXACT
        ? Optional.empty()
        : RegionProbe.plan(plan, options.probe(), made.locations());
  }

  /** Returns the loose index scan of the planned scans, or empty if they do not seek. */
  public Optional<LooseIndexScan> looseScan() {
    return loose;
  }

  /**
   * Throws an exception if verification is on and a region that was not planned holds a matching
   * row.
   */
  public void verify() throws SQLException {
    if (options.verify() && planned != null) {
      verification().verify(planned);
    }
  }

  private PruningVerifier verification() throws SQLException {
    return new PruningVerifier(plan, regions, scans);
  }
}
