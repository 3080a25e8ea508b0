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
package org.apache.phoenix.pruning.plan;

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
import org.apache.phoenix.pruning.metrics.ClientPruningMetrics;
import org.apache.phoenix.pruning.metrics.PruningCounts;
import org.apache.phoenix.pruning.metrics.PruningMetric;
import org.apache.phoenix.pruning.probe.ExclusionCheck;
import org.apache.phoenix.pruning.probe.ProbePlan;
import org.apache.phoenix.pruning.probe.RegionProbe;
import org.apache.phoenix.pruning.region.DataRowRange;
import org.apache.phoenix.pruning.region.RegionReport;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.schema.PTable.IndexType;
import org.apache.phoenix.schema.stats.GuidePostsInfo;

/**
 * Plans the scans of one local index for one execution of a statement: which regions, by the WHERE
 * that the scans run, and which scans in each.
 */
public final class LocalIndexPlanning {

  /** Where Phoenix's result iterators keep their planning. */
  public interface Holder {

    /** Null if stock's code planned the scans. */
    LocalIndexPlanning getLocalIndexPlanning();

    void setLocalIndexPlanning(LocalIndexPlanning planning);
  }

  private final QueryPlan plan;
  private final PruningOptions options;
  private final LocalIndexRegions regions;
  private final LocalIndexScans scans;
  private final Optional<LooseIndexScan> loose;

  /** Null if only stale scans were planned. */
  private List<HRegionLocation> planned;

  private long planningNanos;

  /** Several scans may have the same region; null as above. */
  private PlannedScans plannedScans;

  private LocalIndexPlanning(
      QueryPlan plan,
      PruningOptions options,
      LocalIndexRegions regions,
      LocalIndexScans scans,
      Optional<LooseIndexScan> loose) {
    this.plan = plan;
    this.options = options;
    this.regions = regions;
    this.scans = scans;
    this.loose = loose;
  }

  /**
   * The planning for {@code scan}; null where stock's code has to plan it: it is not of a local
   * index, or the user chose so.
   *
   * @param dataPlan the plan for the data table; may be null
   */
  public static LocalIndexPlanning of(
      QueryPlan plan, QueryPlan dataPlan, Scan scan, ParallelScanGrouper grouper)
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
    return new LocalIndexPlanning(
        plan,
        options,
        new LocalIndexRegions(plan, dataPlan, options.mode(), true, grouper),
        new LocalIndexScans(plan, dataPlan, scan, grouper, loose),
        loose);
  }

  /**
   * The regions to which a hash join has to send what it has read of a build side: those that can
   * hold a row with one of its keys; null where stock's code has to choose them.
   *
   * @param isWhereKnown false if subqueries in the WHERE have not been executed yet
   */
  public static List<HRegionLocation> joined(QueryPlan probe, boolean isWhereKnown)
      throws SQLException {
    // What verifies looks into the other regions, too.
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

  /** How {@code plan} seeks from prefix to prefix in each region; empty if it does not. */
  public static Optional<LooseIndexScan> looseScan(QueryPlan plan) throws SQLException {
    if (!isFor(plan)) {
      return Optional.empty();
    }
    try {
      return LooseIndexScan.of(plan);
    } catch (RuntimeException e) {
      PruningMetrics.GLOBAL.notSought(plan.getTableRef().getTable().getName().getString(), e);
      return Optional.empty();
    }
  }

  /** Whether the regions of what {@code plan} scans are chosen by its conditions. */
  public static boolean isFor(QueryPlan plan) throws SQLException {
    return modeOf(plan) == PruningMode.EXACT;
  }

  /** Whether it is not stock's code that plans what {@code plan} scans. */
  public static boolean plans(QueryPlan plan) throws SQLException {
    return modeOf(plan) != PruningMode.STOCK;
  }

  /** Whether it is not stock's code that plans scans of {@code table}. */
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
    plannedScans =
        scans.of(planned, guideposts, parallelize).withLookups(regions.ofTable().lookups());
    planningNanos = System.nanoTime() - start;
    return plannedScans;
  }

  /**
   * Plans a scan again whose region is no longer as it was planned: what the scan was to read, in
   * the regions of today.
   *
   * @param stale a scan that {@link #plan} or this method made
   */
  public PlannedScans planAgain(Scan stale) throws SQLException {
    DataRowRange rows = DataRowRange.of(stale);
    return scans.again(stale, rows, regions.within(rows)).withLookups(regions.ofTable().lookups());
  }

  /**
   * How many regions were planned, of how many; null if only stale scans were planned. Looks up all
   * regions, so for EXPLAIN only.
   */
  public RegionReport report() throws SQLException {
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
   * Asks the servers which of the planned scans can return a row, and counts what was planned and
   * asked.
   *
   * @param template from which they were planned
   * @param scansOfRegions what {@link #plan} gave
   * @param locations the region of each scan
   * @param isSerial whether they are sent one after the other, until there are enough rows
   * @return the scans that have to be sent, and those whose rows are known already
   */
  public List<List<Scan>> probe(
      Scan template,
      List<List<Scan>> scansOfRegions,
      List<HRegionLocation> locations,
      boolean isSerial)
      throws SQLException {
    if (planned == null) {
      return scansOfRegions;
    }
    PruningCounts ofStatement =
        ((PruningCounts.Holder) (Object) plan.getContext().getOverallQueryMetrics())
            .getPruningCounts();
    List<PruningCounts> counts = Arrays.asList(ClientPruningMetrics.global(), ofStatement);
    counts.forEach(this::count);
    return options.mode() == PruningMode.EXACT
        ? new RegionProbe(
                plan,
                options.probe(),
                counts,
                options.verify() ? verification()::verify : ExclusionCheck.NONE)
            .ask(template, scansOfRegions, locations, plannedScans.ranges(), isSerial)
        : scansOfRegions;
  }

  private void count(PruningCounts counts) {
    int count = planned.size();
    int total = Math.max(count, regions.ofTable().knownCount().orElse(0));
    counts.add(PruningMetric.REGIONS_PLANNED, count);
    counts.add(PruningMetric.REGIONS_TOTAL, total);
    counts.add(PruningMetric.REGIONS_PRUNED_BY_PRIMARY_KEY, total - count);
    counts.add(PruningMetric.REGION_LOCATION_LOOKUPS, regions.ofTable().lookups());
    counts.add(PruningMetric.PLANNING_TIME_MICROS, TimeUnit.NANOSECONDS.toMicros(planningNanos));
  }

  /** What servers would be asked, if the statement were executed; empty if they would not be. */
  public Optional<ProbePlan> probePlan() {
    return planned == null || options.mode() != PruningMode.EXACT
        ? Optional.empty()
        : RegionProbe.planned(plan, options.probe(), plannedScans.locations());
  }

  /** How the scans seek from prefix to prefix; empty if they do not. */
  public Optional<LooseIndexScan> looseScan() {
    return loose;
  }

  /** Fails if a region that was not planned holds a matching row, if the user wants to know. */
  public void verify() throws SQLException {
    if (options.verify() && planned != null) {
      verification().verify(planned);
    }
  }

  private PruningVerification verification() throws SQLException {
    return new PruningVerification(plan, regions, scans);
  }
}
