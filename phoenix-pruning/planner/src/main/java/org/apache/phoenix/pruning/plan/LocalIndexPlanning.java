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
import java.util.List;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.compile.StatementContext;
import org.apache.phoenix.iterate.ParallelScanGrouper;
import org.apache.phoenix.pruning.region.DataRowRange;
import org.apache.phoenix.pruning.region.RegionReport;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.schema.PTable.IndexType;
import org.apache.phoenix.schema.TableNotFoundException;
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
  private final QueryPlan dataPlan;
  private final PruningOptions options;
  private final TableRegions regions;
  private final LocalIndexScans scans;

  private RegionConstraints constraints;

  /** Null if only stale scans were planned. */
  private List<HRegionLocation> planned;

  private LocalIndexPlanning(
      QueryPlan plan,
      QueryPlan dataPlan,
      PruningOptions options,
      TableRegions regions,
      LocalIndexScans scans) {
    this.plan = plan;
    this.dataPlan = dataPlan;
    this.options = options;
    this.regions = regions;
    this.scans = scans;
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
    return new LocalIndexPlanning(
        plan,
        dataPlan,
        options,
        new TableRegions(context, grouper, table.getPhysicalName().getBytes()),
        new LocalIndexScans(plan, dataPlan, scan, grouper));
  }

  /**
   * Plans the regions that can hold a matching row, and their scans.
   *
   * @param parallelize whether a region is scanned in parallel between its guideposts
   */
  public PlannedScans plan(GuidePostsInfo guideposts, boolean parallelize) throws SQLException {
    planned = regions(all -> all.regions(regions.locator()));
    return scans.of(planned, guideposts, parallelize).withLookups(regions.lookups());
  }

  /**
   * Plans a scan again whose region is no longer as it was planned: what the scan was to read, in
   * the regions of today.
   *
   * @param stale a scan that {@link #plan} or this method made
   */
  public PlannedScans planAgain(Scan stale) throws SQLException {
    DataRowRange rows = DataRowRange.of(stale);
    List<HRegionLocation> today =
        regions(all -> all.regionsWithin(rows.start(), rows.end(), regions.locator()));
    return scans.again(stale, rows, today).withLookups(regions.lookups());
  }

  private interface Selection {
    List<HRegionLocation> of(RegionConstraints constraints) throws SQLException;
  }

  private List<HRegionLocation> regions(Selection selection) throws SQLException {
    try {
      return selection.of(constraints());
    } catch (RuntimeException e) {
      failed(e);
      constraints = KeyConstraints.unknown();
      return selection.of(constraints);
    }
  }

  private RegionConstraints constraints() {
    if (constraints == null) {
      constraints = options.mode() == PruningMode.NONE ? KeyConstraints.unknown() : ofStatement();
    }
    return constraints;
  }

  /** No query may fail because of pruning: where this fails, all regions stay. */
  private RegionConstraints ofStatement() {
    StatementContext context = plan.getContext();
    PTable index = plan.getTableRef().getTable();
    try {
      PTable dataTable = DataTables.of(index, dataPlan, context.getConnection());
      return new KeyConstraints(context.getConnection(), dataTable, PruningMetrics.GLOBAL)
          .of(boundWhere(context, index));
    } catch (TableNotFoundException e) {
      // DROP TABLE scans the indexes when it has dropped the table.
      return KeyConstraints.unknown();
    } catch (SQLException | RuntimeException e) {
      failed(e);
      return KeyConstraints.unknown();
    }
  }

  private void failed(Exception cause) {
    PruningMetrics.GLOBAL.failed(
        "of " + plan.getTableRef().getTable().getName().getString(), cause);
  }

  /** Null if the WHERE of the context is not one over {@code index}. */
  private static BoundWhere boundWhere(StatementContext context, PTable index) {
    BoundWhere where = ((BoundWhere.Holder) (Object) context).getBoundWhere();
    return where != null && where.table().getName().equals(index.getName()) ? where : null;
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
    return new RegionReport(count, Math.max(count, regions.all().size()));
  }

  /** Fails if a region that was not planned holds a matching row, if the user wants to know. */
  public void verify() throws SQLException {
    if (options.verify() && planned != null) {
      new PruningVerification(plan, regions, scans).verify(planned);
    }
  }
}
