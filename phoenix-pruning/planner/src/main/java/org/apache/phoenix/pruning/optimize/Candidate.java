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
import org.apache.phoenix.pruning.plan.CandidateRegions;
import org.apache.phoenix.pruning.plan.KeyColumns;
import org.apache.phoenix.pruning.plan.LocalIndexPlanning;
import org.apache.phoenix.pruning.plan.RegionSample;
import org.apache.phoenix.pruning.plan.RowBounds;
import org.apache.phoenix.pruning.plan.TableStatistics;
import org.apache.phoenix.pruning.region.IndexRowPrefix;
import org.apache.phoenix.query.KeyRange;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.schema.PTable.IndexType;
import org.apache.phoenix.schema.PTableType;
import org.apache.phoenix.util.ByteUtil;
import org.apache.phoenix.util.SchemaUtil;

/**
 * One of the plans that answer a query, and what it is estimated to cost: its scans, and the rows
 * that they read.
 *
 * <p>How many regions it scans is looked up. How many rows it reads there is known only as far as
 * statistics tell; within what they allow, it is what {@link KeyShape} guesses.
 */
final class Candidate {

  /** What a scan costs in rows that are read: a millisecond against microseconds. */
  private static final double SCAN = 300;

  /** What a seek within a region costs. */
  private static final double SEEK = 4;

  /** How many bytes are read in the time of a row. */
  private static final double BYTES = 200;

  /** What it costs to look up the data row of an index row in the same region. */
  private static final double LOOKUP = 20;

  /** What it costs to sort a row. */
  private static final double SORT = 0.5;

  /** How many regions a table is taken to have where nothing is known of them. */
  static final int REGIONS_OF_TABLE = 10;

  /** How many rows are read for one that is left, by conditions that are no key ranges. */
  private static final double ROWS_FOR_ONE = 10;

  /** Statistics are looked into for so many regions, evenly spread. */
  private static final int SAMPLES = 8;

  private final QueryPlan plan;
  private final boolean isLocal;
  private final PTable table;
  private final ScanRanges ranges;
  private final KeyShape shape;

  /**
   * Whether the range binds the first column of the data table's key, by which regions are found.
   */
  private final boolean findsRegions;

  /** Null if the scan does not seek from prefix to prefix. */
  private final LooseShape loose;

  private final CandidateRegions regions;
  private final TableStatistics statistics;
  private final double bytesPerRow;
  private final boolean isParallel;
  private final int buckets;

  private RegionSample sample;

  /** What a loose index scan reads. */
  private static final class LooseShape {

    private final KeyShape shape;
    private final PrefixCount seeks;

    /** Whether the first column of the data table's key is bound, by which regions are found. */
    private final boolean findsRegions;

    LooseShape(
        PTable dataTable, boolean isOfTenant, KeyColumns columns, ScanRanges ranges, int slots) {
      findsRegions = KeyShape.binds(columns, ranges, slots, firstColumn(dataTable, isOfTenant));
      shape = KeyShape.of(columns, ranges, slots);
      seeks = new PrefixCount(dataTable, columns, ranges, slots);
    }
  }

  /**
   * A candidate of which no region has been looked up.
   *
   * @param dataPlan the plan for the data table; may be null
   * @param isParallel whether a region is scanned in parallel between its guideposts
   */
  Candidate(QueryPlan plan, PTable dataTable, QueryPlan dataPlan, boolean isParallel)
      throws SQLException {
    StatementContext context = plan.getContext();
    boolean isOfTenant = context.getConnection().getTenantId() != null;
    this.plan = plan;
    this.table = plan.getTableRef().getTable();
    this.isLocal = table.getIndexType() == IndexType.LOCAL;
    this.ranges = context.getScanRanges();
    KeyColumns columns = new KeyColumns(table, isOfTenant);
    this.shape = KeyShape.of(columns, ranges);
    this.findsRegions =
        KeyShape.binds(
            columns, ranges, ranges.getRanges().size(), firstColumn(dataTable, isOfTenant));
    this.loose =
        LocalIndexPlanning.looseScan(plan)
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

  /** The first column of the data table's key by which rows differ. */
  private static String firstColumn(PTable dataTable, boolean isOfTenant) {
    KeyColumns key = new KeyColumns(dataTable, isOfTenant);
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

  /** Looks for regions, up to {@code limit} of them, if not all have been found. */
  void look(int limit) throws SQLException {
    if (sample == null || !sample.isAll()) {
      sample = regions.first(limit);
    }
  }

  /** How many regions have been found. */
  int regions() {
    return sample.regions().size();
  }

  /** Whether the regions that have been found are all. */
  boolean isWhole() {
    return sample.isAll();
  }

  /** How many regions the data table has; 0 if that is not known. */
  int regionsOfTable() {
    boolean isAll = sample.isAll() && ranges.isEverything() && !isLocal && !isGlobal();
    return isAll ? regions() : 0;
  }

  /** How many data rows the regions have that were found; none for a global index. */
  OptionalDouble dataRows(TableStatistics ofData) {
    if (isGlobal()) {
      return OptionalDouble.empty();
    }
    if (!ofData.isKnown()) {
      return OptionalDouble.of(regions() * TableStatistics.ROWS_OF_REGION);
    }
    RowBounds bounds =
        sum(
            location ->
                ofData.within(
                    location.getRegion().getStartKey(), location.getRegion().getEndKey()));
    return OptionalDouble.of((bounds.least() + bounds.most()) / 2.0);
  }

  /**
   * What the regions cost that have been found.
   *
   * @param ofTable how many rows the data table has
   * @param ofRegions how many of them are in the regions that were found; for a global index, where
   *     no other candidate finds fewer
   */
  PlanEstimate estimate(double ofTable, double ofRegions) {
    RowBounds bounds = isCounted() ? sum(this::within) : null;
    double inRange = within(bounds, rows(ofTable, ofRegions));
    double rows = limited(loose == null ? inRange : looseRows(inRange, ofTable, ofRegions));
    double scans = bounds == null || !isParallel ? regions() : bounds.scans();
    double cost = scans * SCAN + rows * (1 + bytesPerRow / BYTES);
    if (loose != null) {
      cost += Math.min(seeks(inRange) * SEEK, inRange);
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

  /** Whether statistics tell of the rows; they may be older than a local index. */
  private boolean isCounted() {
    return statistics.isKnown() && (!isLocal || sum(this::withinIndex).scans() > regions());
  }

  /** What statistics say of all rows of a local index in a region. */
  private RowBounds withinIndex(HRegionLocation location) {
    byte[] id = table.getviewIndexIdType().toBytes(table.getViewIndexId());
    byte[] first = ByteUtil.concat(IndexRowPrefix.of(location.getRegion()), id);
    byte[] behind = ByteUtil.nextKey(first);
    return statistics.within(first, behind == null ? location.getRegion().getEndKey() : behind);
  }

  /** Of the rows in its range, those that match all conditions that it seeks by. */
  private double looseRows(double inRange, double ofTable, double ofRegions) {
    double ofKeys = ofRegions;
    if (loose.shape.bindsDataKey()) {
      double guess = ofTable * loose.shape.partOfDataKey(ofTable);
      ofKeys = loose.findsRegions ? withinRegions(loose.shape, ofRegions, guess) : guess;
    }
    return Math.min(inRange, ofKeys * loose.shape.partOfIndexed(ofTable));
  }

  private double seeks(double inRange) {
    double ofRegion = inRange / Math.max(1, regions());
    return regions()
        * samples().stream()
            .map(HRegionLocation::getRegion)
            .mapToDouble(
                region -> loose.seeks.in(ofRegion, region.getStartKey(), region.getEndKey()))
            .average()
            .orElse(0);
  }

  private static double within(RowBounds bounds, double rows) {
    return bounds == null ? rows : Math.max(bounds.least(), Math.min(bounds.most(), rows));
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
   * A guess for ranges of the data table's key that the regions allow: of those of a range, only
   * the first and the last can hold other rows, too, and on average do so by half.
   */
  private double withinRegions(KeyShape shape, double ofRegions, double guess) {
    double ranges = shape.dataKeyRanges() * buckets;
    double count = Math.max(1, regions());
    double least = ofRegions * Math.max(0, 1 - 2 * ranges / count);
    double most = ofRegions * Math.max(1.0 / 3, 1 - ranges / count);
    return Math.max(least, Math.min(most, guess));
  }

  /** The sum over all regions that were found, of a few of them. */
  private RowBounds sum(Function<HRegionLocation, RowBounds> ofRegion) {
    List<HRegionLocation> samples = samples();
    RowBounds sum = samples.stream().map(ofRegion).reduce(RowBounds.NONE, RowBounds::plus);
    return samples.isEmpty() ? sum : sum.times((double) regions() / samples.size());
  }

  private List<HRegionLocation> samples() {
    int count = Math.min(SAMPLES, regions());
    return IntStream.range(0, count)
        .mapToObj(i -> sample.regions().get(i * regions() / count))
        .collect(toList());
  }

  /** What statistics say of the scan of a region. */
  private RowBounds within(HRegionLocation location) {
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

  /** Of a salted table, the range is that of the first bucket; regions are of one each. */
  private byte[] ofBucket(byte[] key, byte[] regionStart) {
    if (!ranges.isSalted() || key.length == 0 || regionStart.length == 0) {
      return key;
    }
    byte[] ofBucket = key.clone();
    ofBucket[0] = regionStart[0];
    return ofBucket;
  }

  /** A scan of each region stops when it has as many rows as the query wants. */
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
