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
package org.apache.phoenix.pruning.optimize;

import java.sql.SQLException;
import java.util.Objects;
import java.util.OptionalDouble;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.execute.ScanPlan;
import org.apache.phoenix.pruning.layout.TableKeyColumns;
import org.apache.phoenix.pruning.prune.CandidateRegions;
import org.apache.phoenix.pruning.prune.FirstRegions;
import org.apache.phoenix.pruning.scan.LooseIndexScanPlanner;
import org.apache.phoenix.pruning.stats.RowCountBounds;
import org.apache.phoenix.pruning.stats.TableStatistics;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.schema.PTable.IndexType;
import org.apache.phoenix.schema.PTableType;
import org.jspecify.annotations.Nullable;

/**
 * Plan that can answer a query, with the regions that it scans and its estimated cost. The regions
 * are located, and the rows are estimated: {@link RangeCardinality} guesses their number, {@link
 * ScanStatistics} bounds the guess, and {@link CostModel} computes the cost.
 */
final class CandidatePlan {

  /** Assumed number of regions of a table if the number is not known. */
  static final int REGIONS_OF_TABLE = 10;

  /** Assumed number of rows read for each row that passes the residual predicate. */
  private static final double ROWS_PER_MATCH = 10;

  private final QueryPlan plan;
  private final PTable table;
  private final CandidateRegions regions;
  private final ScanStatistics statistics;
  private final RangeCardinality cardinality;

  /** Estimate of the loose index scan, or null if the scan does not seek from prefix to prefix. */
  private final @Nullable LooseScanCardinality looseCardinality;

  private final double bytesPerRow;
  private final boolean isParallel;

  private @Nullable FirstRegions located;

  /**
   * Creates a candidate without looking up regions.
   *
   * @param dataPlan the plan for the data table; may be null
   * @param isParallel true if each region is scanned in parallel, split at its guideposts
   */
  CandidatePlan(QueryPlan plan, PTable dataTable, @Nullable QueryPlan dataPlan, boolean isParallel)
      throws SQLException {
    boolean isOfTenant = plan.getContext().getConnection().getTenantId() != null;
    this.plan = plan;
    this.table = plan.getTableRef().getTable();
    TableKeyColumns columns = new TableKeyColumns(table, isOfTenant);
    TableKeyColumns dataKey = new TableKeyColumns(dataTable, isOfTenant);
    Integer dataBuckets = dataTable.getBucketNum();
    int buckets = dataBuckets == null ? 1 : dataBuckets;
    this.cardinality = new RangeCardinality(plan, isGlobal(), columns, dataKey, buckets);
    this.looseCardinality =
        LooseIndexScanPlanner.plan(plan)
            .map(
                scan ->
                    new LooseScanCardinality(
                        dataTable,
                        columns,
                        dataKey,
                        plan.getContext().getScanRanges(),
                        scan.slots(),
                        buckets))
            .orElse(null);
    this.regions = CandidateRegions.of(plan, dataPlan);
    this.statistics = new ScanStatistics(plan);
    this.bytesPerRow = statistics.bytesPerRow();
    this.isParallel = isParallel;
  }

  QueryPlan plan() {
    return plan;
  }

  /** Returns the name of the table or index that the plan scans. */
  String name() {
    return table.getName().getString();
  }

  boolean isLocal() {
    return table.getIndexType() == IndexType.LOCAL;
  }

  boolean isGlobal() {
    return !isLocal() && table.getType() == PTableType.INDEX;
  }

  /** Looks up the first regions, at most {@code limit}, unless all regions have been located. */
  void locate(int limit) throws SQLException {
    if (located == null || !located.isAll()) {
      located = regions.first(limit);
    }
  }

  private FirstRegions located() {
    return Objects.requireNonNull(located, "locate was not called");
  }

  /** Returns the number of regions that have been located. */
  int regions() {
    return located().regions().size();
  }

  /**
   * Returns the number of regions of the data table, or 0 unless this plan scans the whole table
   * and all regions have been located.
   */
  int regionsOfTable() {
    boolean isWholeTable =
        located().isAll()
            && plan.getContext().getScanRanges().isEverything()
            && !isLocal()
            && !isGlobal();
    return isWholeTable ? regions() : 0;
  }

  /**
   * Returns the number of data rows in the located regions, or empty for a global index.
   *
   * @param dataStatistics the statistics of the data table
   */
  OptionalDouble dataRows(TableStatistics dataStatistics) {
    if (isGlobal()) {
      return OptionalDouble.empty();
    }
    if (!dataStatistics.isKnown()) {
      return OptionalDouble.of(regions() * TableStatistics.DEFAULT_ROWS_PER_REGION);
    }
    RowCountBounds bounds =
        new RegionSample(located().regions())
            .sum(
                location ->
                    dataStatistics.within(
                        location.getRegion().getStartKey(), location.getRegion().getEndKey()));
    return OptionalDouble.of((bounds.min() + bounds.max()) / 2.0);
  }

  /**
   * Estimates the cost of scanning the located regions.
   *
   * @param ofTable the number of rows of the data table
   * @param ofRegions the number of these rows in the located regions; for a global index, the
   *     lowest such number of any candidate
   */
  PlanEstimate estimate(double ofTable, double ofRegions) {
    RegionSample sample = new RegionSample(located().regions());
    RowCountBounds bounds = statistics.bounds(sample);
    double inRange = bounded(cardinality.rows(ofTable, ofRegions, regions()), bounds);
    double matching = inRange;
    double seeks = 0;
    if (looseCardinality != null) {
      matching = looseCardinality.rows(inRange, ofTable, ofRegions, regions());
      seeks = looseCardinality.seeks(inRange, sample);
    }
    double rows = limited(matching);
    double scans = bounds == null || !isParallel ? regions() : bounds.scans();
    return new PlanEstimate(
        regions(),
        located().isAll(),
        rows,
        rows * bytesPerRow,
        inRange * bytesPerRow,
        CostModel.of(plan, bytesPerRow, isGlobal()).cost(scans, rows, seeks, inRange));
  }

  private static double bounded(double rows, @Nullable RowCountBounds bounds) {
    return bounds == null ? rows : Math.max(bounds.min(), Math.min(bounds.max(), rows));
  }

  /**
   * Limits the number of rows to what LIMIT and OFFSET need. The scan of each region stops when it
   * has as many rows as the query needs.
   */
  private double limited(double rows) {
    Integer limit = plan.getLimit();
    boolean stops =
        limit != null
            && plan instanceof ScanPlan
            && plan.getOrderBy().getOrderByExpressions().isEmpty();
    if (!stops) {
      return rows;
    }
    double offset = plan.getOffset() == null ? 0 : plan.getOffset();
    return Math.min(rows, regions() * (limit + offset) * ROWS_PER_MATCH);
  }
}
