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

import static java.util.stream.Collectors.toList;

import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.compile.ScanRanges;
import org.apache.phoenix.compile.StatementContext;
import org.apache.phoenix.execute.ScanPlan;
import org.apache.phoenix.pruning.layout.IndexRowPrefix;
import org.apache.phoenix.pruning.layout.TableKeyColumns;
import org.apache.phoenix.pruning.prune.CandidateRegions;
import org.apache.phoenix.pruning.prune.FirstRegions;
import org.apache.phoenix.pruning.scan.LocalIndexScanPlanner;
import org.apache.phoenix.pruning.stats.RowCountBounds;
import org.apache.phoenix.pruning.stats.TableStatistics;
import org.apache.phoenix.query.KeyRange;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.schema.PTable.IndexType;
import org.apache.phoenix.schema.PTableType;
import org.apache.phoenix.util.ByteUtil;
import org.apache.phoenix.util.SchemaUtil;
import org.jspecify.annotations.Nullable;

/**
 * Plan that can answer a query, with its estimated cost. The cost consists of the scans and of the
 * rows that they read.
 *
 * <p>The number of regions is looked up. The number of rows is limited by statistics; within these
 * bounds, {@link KeySelectivity} estimates it.
 */
final class CandidatePlan {

  /** Cost of a scan in rows read: a scan takes a millisecond, a row takes microseconds. */
  private static final double SCAN = 300;

  /** Cost of a seek within a region, in rows read. */
  private static final double SEEK = 4;

  /** Number of bytes that are read in the time of one row. */
  private static final double BYTES = 200;

  /** Cost of looking up the data row of an index row in the same region, in rows read. */
  private static final double LOOKUP = 20;

  /** Cost of sorting a row, in rows read. */
  private static final double SORT = 0.5;

  /** Assumed number of regions of a table if the number is not known. */
  static final int REGIONS_OF_TABLE = 10;

  /** Assumed number of rows read for each row that passes the residual predicate. */
  private static final double ROWS_FOR_ONE = 10;

  /** Maximum number of regions, evenly spread, whose statistics are read. */
  private static final int SAMPLES = 8;

  private final QueryPlan plan;
  private final boolean isLocal;
  private final PTable table;
  private final ScanRanges ranges;
  private final KeySelectivity shape;

  /**
   * True if the range binds the first column of the data table's key, which determines the regions.
   */
  private final boolean findsRegions;

  /** Shape of the loose index scan, or null if the scan does not seek from prefix to prefix. */
  private final @Nullable LooseShape loose;

  private final CandidateRegions regions;
  private final TableStatistics statistics;
  private final double bytesPerRow;
  private final boolean isParallel;
  private final int buckets;

  private @Nullable FirstRegions sample;

  /** Estimates the seeks and the rows of a loose index scan. */
  private static final class LooseShape {

    private final KeySelectivity shape;
    private final DistinctPrefixEstimate seeks;

    /** True if the first column of the data table's key is bound, which determines the regions. */
    private final boolean findsRegions;

    LooseShape(
        PTable dataTable,
        boolean isOfTenant,
        TableKeyColumns columns,
        ScanRanges ranges,
        int slots) {
      findsRegions =
          KeySelectivity.binds(columns, ranges, slots, firstColumn(dataTable, isOfTenant));
      shape = KeySelectivity.of(columns, ranges, slots);
      seeks = new DistinctPrefixEstimate(dataTable, columns, ranges, slots);
    }
  }

  /**
   * Creates a candidate without looking up regions.
   *
   * @param dataPlan the plan for the data table; may be null
   * @param isParallel true if each region is scanned in parallel, split at its guideposts
   */
  CandidatePlan(QueryPlan plan, PTable dataTable, @Nullable QueryPlan dataPlan, boolean isParallel)
      throws SQLException {
    StatementContext context = plan.getContext();
    boolean isOfTenant = context.getConnection().getTenantId() != null;
    this.plan = plan;
    this.table = plan.getTableRef().getTable();
    this.isLocal = table.getIndexType() == IndexType.LOCAL;
    this.ranges = context.getScanRanges();
    TableKeyColumns columns = new TableKeyColumns(table, isOfTenant);
    this.shape = KeySelectivity.of(columns, ranges);
    this.findsRegions =
        KeySelectivity.binds(
            columns, ranges, ranges.getRanges().size(), firstColumn(dataTable, isOfTenant));
    this.loose =
        LocalIndexScanPlanner.looseScan(plan)
            .map(scan -> new LooseShape(dataTable, isOfTenant, columns, ranges, scan.slots()))
            .orElse(null);
    this.regions = CandidateRegions.of(plan, dataPlan);
    this.statistics = TableStatistics.of(context.getConnection(), table);
    this.isParallel = isParallel;
    Integer ofData = dataTable.getBucketNum();
    this.buckets = ofData == null ? 1 : ofData;
    this.bytesPerRow =
        statistics.isKnown() ? statistics.bytesPerRow() : SchemaUtil.estimateRowSize(table);
  }

  /**
   * Returns the name of the first column of the data table's key that is not the same for all rows.
   */
  private static String firstColumn(PTable dataTable, boolean isOfTenant) {
    TableKeyColumns key = new TableKeyColumns(dataTable, isOfTenant);
    int first = 0;
    while (first < key.count() - 1 && !key.isVariable(first)) {
      first++;
    }
    return key.name(first);
  }

  QueryPlan plan() {
    return plan;
  }

  String name() {
    return table.getName().getString();
  }

  boolean isLocal() {
    return isLocal;
  }

  boolean isGlobal() {
    return !isLocal && table.getType() == PTableType.INDEX;
  }

  /** Looks up the first regions, at most {@code limit}, unless all regions have been found. */
  void look(int limit) throws SQLException {
    if (sample == null || !sample.isAll()) {
      sample = regions.first(limit);
    }
  }

  private FirstRegions found() {
    return Objects.requireNonNull(sample, "look was not called");
  }

  /** Returns the number of regions that have been found. */
  int regions() {
    return found().regions().size();
  }

  /** Returns whether all regions have been found. */
  boolean isWhole() {
    return found().isAll();
  }

  /** Returns the number of regions of the data table, or 0 if it is not known. */
  int regionsOfTable() {
    boolean isAll = found().isAll() && ranges.isEverything() && !isLocal && !isGlobal();
    return isAll ? regions() : 0;
  }

  /**
   * Returns the number of data rows in the regions that have been found, or empty for a global
   * index.
   */
  OptionalDouble dataRows(TableStatistics ofData) {
    if (isGlobal()) {
      return OptionalDouble.empty();
    }
    if (!ofData.isKnown()) {
      return OptionalDouble.of(regions() * TableStatistics.DEFAULT_ROWS_PER_REGION);
    }
    RowCountBounds bounds =
        sum(
            location ->
                ofData.within(
                    location.getRegion().getStartKey(), location.getRegion().getEndKey()));
    return OptionalDouble.of((bounds.min() + bounds.max()) / 2.0);
  }

  /**
   * Estimates the cost of scanning the regions that have been found.
   *
   * @param ofTable the number of rows of the data table
   * @param ofRegions the number of these rows in the regions that have been found; for a global
   *     index, the lowest such number of any candidate
   */
  PlanEstimate estimate(double ofTable, double ofRegions) {
    RowCountBounds bounds = isCounted() ? sum(this::within) : null;
    double inRange = within(bounds, rows(ofTable, ofRegions));
    double rows = limited(loose == null ? inRange : looseRows(loose, inRange, ofTable, ofRegions));
    double scans = bounds == null || !isParallel ? regions() : bounds.scans();
    double cost = scans * SCAN + rows * (1 + bytesPerRow / BYTES);
    if (loose != null) {
      cost += Math.min(seeks(loose, inRange) * SEEK, inRange);
    }
    if (!plan.getContext().getDataColumns().isEmpty()) {
      cost += rows * LOOKUP;
      if (isGlobal()) {
        cost += Math.min(rows, REGIONS_OF_TABLE) * SCAN;
      }
    }
    boolean isGrouped = !plan.getGroupBy().isEmpty() && !plan.getGroupBy().isOrderPreserving();
    if (isGrouped || !plan.getOrderBy().getOrderByExpressions().isEmpty()) {
      cost += rows * SORT;
    }
    return new PlanEstimate(
        regions(), isWhole(), rows, rows * bytesPerRow, inRange * bytesPerRow, cost);
  }

  /**
   * Returns whether statistics cover the scanned rows. Statistics may be older than a local index.
   */
  private boolean isCounted() {
    return statistics.isKnown() && (!isLocal || sum(this::withinIndex).scans() > regions());
  }

  /** Returns the bounds from statistics on the number of rows of a local index in a region. */
  private RowCountBounds withinIndex(HRegionLocation location) {
    byte[] id = table.getviewIndexIdType().toBytes(table.getViewIndexId());
    byte[] first = ByteUtil.concat(IndexRowPrefix.of(location.getRegion()), id);
    byte[] behind = ByteUtil.nextKey(first);
    return statistics.within(first, behind == null ? location.getRegion().getEndKey() : behind);
  }

  /**
   * Returns the number of rows in the range that match all conditions by which the loose index scan
   * seeks.
   */
  private double looseRows(LooseShape loose, double inRange, double ofTable, double ofRegions) {
    double ofKeys = ofRegions;
    if (loose.shape.bindsDataKey()) {
      double guess = ofTable * loose.shape.partOfDataKey(ofTable);
      ofKeys = loose.findsRegions ? withinRegions(loose.shape, ofRegions, guess) : guess;
    }
    return Math.min(inRange, ofKeys * loose.shape.partOfIndexed(ofTable));
  }

  private double seeks(LooseShape loose, double inRange) {
    double ofRegion = inRange / Math.max(1, regions());
    return regions()
        * samples().stream()
            .map(HRegionLocation::getRegion)
            .mapToDouble(
                region -> loose.seeks.in(ofRegion, region.getStartKey(), region.getEndKey()))
            .average()
            .orElse(0);
  }

  private static double within(@Nullable RowCountBounds bounds, double rows) {
    return bounds == null ? rows : Math.max(bounds.min(), Math.min(bounds.max(), rows));
  }

  private double rows(double ofTable, double ofRegions) {
    if (ranges.isPointLookup()) {
      return ranges.getPointLookupCount();
    }
    double ofKeys = isGlobal() && !shape.bindsDataKey() ? ofTable : ofRegions;
    if (shape.bindsDataKey()) {
      double guess = ofTable * shape.partOfDataKey(ofTable);
      ofKeys =
          isGlobal() || !findsRegions
              ? Math.min(ofRegions, guess)
              : withinRegions(shape, ofRegions, guess);
    }
    return ofKeys * shape.partOfIndexed(ofTable);
  }

  /**
   * Limits a guess for ranges of the data table's key to what the found regions allow. Only the
   * first and the last region of a range can also hold rows outside the range. On average, half of
   * their rows are outside.
   */
  private double withinRegions(KeySelectivity shape, double ofRegions, double guess) {
    double ranges = shape.dataKeyRanges() * buckets;
    double count = Math.max(1, regions());
    double least = ofRegions * Math.max(0, 1 - 2 * ranges / count);
    double most = ofRegions * Math.max(1.0 / 3, 1 - ranges / count);
    return Math.max(least, Math.min(most, guess));
  }

  /** Extrapolates a sum over all found regions from a few samples. */
  private RowCountBounds sum(Function<HRegionLocation, RowCountBounds> ofRegion) {
    List<HRegionLocation> samples = samples();
    RowCountBounds sum =
        samples.stream().map(ofRegion).reduce(RowCountBounds.NONE, RowCountBounds::plus);
    return samples.isEmpty() ? sum : sum.times((double) regions() / samples.size());
  }

  private List<HRegionLocation> samples() {
    int count = Math.min(SAMPLES, regions());
    return IntStream.range(0, count)
        .mapToObj(i -> found().regions().get(i * regions() / count))
        .collect(toList());
  }

  /** Returns the bounds from statistics on the number of rows that the scan of a region reads. */
  private RowCountBounds within(HRegionLocation location) {
    RegionInfo region = location.getRegion();
    KeyRange range = ranges.getScanRange();
    byte[] start = region.getStartKey();
    byte[] end = region.getEndKey();
    if (isLocal) {
      byte[] prefix = IndexRowPrefix.of(region);
      return statistics.within(
          ByteUtil.concat(prefix, range.getLowerRange()),
          range.upperUnbound() ? end : ByteUtil.concat(prefix, range.getUpperRange()));
    }
    byte[] lower = ofBucket(range.getLowerRange(), start);
    byte[] upper = ofBucket(range.getUpperRange(), start);
    boolean endsBefore = end.length > 0 && Bytes.compareTo(end, upper) < 0;
    return statistics.within(
        Bytes.compareTo(lower, start) > 0 ? lower : start,
        range.upperUnbound() || endsBefore ? end : upper);
  }

  /**
   * Returns {@code key} with the salt byte of a region. The range of a salted table is that of the
   * first bucket, and each region is assumed to hold one bucket.
   */
  private byte[] ofBucket(byte[] key, byte[] regionStart) {
    if (!ranges.isSalted() || key.length == 0 || regionStart.length == 0) {
      return key;
    }
    byte[] ofBucket = key.clone();
    ofBucket[0] = regionStart[0];
    return ofBucket;
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
    return Math.min(rows, regions() * (limit + offset) * ROWS_FOR_ONE);
  }
}
