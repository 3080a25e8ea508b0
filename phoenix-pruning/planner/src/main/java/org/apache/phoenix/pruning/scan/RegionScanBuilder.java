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

import static org.apache.phoenix.coprocessorclient.BaseScannerRegionObserverConstants.DELETE_AGG;
import static org.apache.phoenix.coprocessorclient.BaseScannerRegionObserverConstants.SCAN_REGION_SERVER;
import static org.apache.phoenix.coprocessorclient.BaseScannerRegionObserverConstants.SCAN_START_ROW_SUFFIX;
import static org.apache.phoenix.coprocessorclient.BaseScannerRegionObserverConstants.SCAN_STOP_ROW_SUFFIX;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.compile.ScanRanges;
import org.apache.phoenix.iterate.ParallelScanGrouper;
import org.apache.phoenix.iterate.ParallelScansCollector;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.pruning.layout.DataTables;
import org.apache.phoenix.pruning.layout.IndexRowPrefix;
import org.apache.phoenix.pruning.protocol.DataRowFilter;
import org.apache.phoenix.pruning.protocol.DataRowRange;
import org.apache.phoenix.pruning.protocol.PlannedRegion;
import org.apache.phoenix.pruning.protocol.ProbedRange;
import org.apache.phoenix.pruning.stats.GuidepostCursor;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.schema.stats.GuidePostsInfo;
import org.apache.phoenix.util.ScanUtil;
import org.apache.phoenix.util.SchemaUtil;
import org.jspecify.annotations.Nullable;

/**
 * Creates the scans of a local index in the planned regions.
 *
 * <p>An index row starts with the start key of its region. In the first region, it starts with as
 * many zero bytes as the end key has. A scan has the boundaries of its region as start and stop
 * row. Attributes of the scan hold the range of index keys without this prefix, which the server
 * adds.
 */
final class RegionScanBuilder {

  private final QueryPlan plan;
  private final @Nullable QueryPlan dataPlan;
  private final Scan scan;
  private final ParallelScanGrouper grouper;
  private final ScanRanges ranges;
  private final @Nullable Integer buckets;
  private final byte[] splitPostfix;
  private final Optional<LooseIndexScan> loose;

  /** Creates a builder of scans like {@code scan}, which seek by {@code loose} if it is present. */
  RegionScanBuilder(
      QueryPlan plan,
      @Nullable QueryPlan dataPlan,
      Scan scan,
      ParallelScanGrouper grouper,
      Optional<LooseIndexScan> loose) {
    PTable table = plan.getTableRef().getTable();
    this.plan = plan;
    this.dataPlan = dataPlan;
    this.scan = scan;
    this.grouper = grouper;
    this.ranges = plan.getContext().getScanRanges();
    this.buckets = table.getBucketNum();
    this.loose = loose;
    byte[] firstSplit = SchemaUtil.processSplit(new byte[] {0}, table.getPKColumns());
    this.splitPostfix = Arrays.copyOfRange(firstSplit, 1, firstSplit.length);
  }

  /**
   * Returns the scans of whole regions.
   *
   * @param regions in key order
   * @param parallelize whether a region is scanned in parallel between its guideposts
   */
  PlannedScans build(
      List<HRegionLocation> regions, GuidePostsInfo guideposts, boolean parallelize) {
    ParallelScansCollector collector = new ParallelScansCollector(grouper);
    PlannedScans.Estimate estimate = new PlannedScans.Estimate();
    GuidepostCursor cursor = new GuidepostCursor(guideposts);
    List<ProbedRange> probedRanges = new ArrayList<>(regions.size());
    for (HRegionLocation region : regions) {
      addRegion(region, cursor, parallelize, collector, probedRanges, estimate);
    }
    return new PlannedScans(collector, probedRanges, estimate);
  }

  private void addRegion(
      HRegionLocation location,
      GuidepostCursor guidepost,
      boolean parallelize,
      ParallelScansCollector collector,
      List<ProbedRange> probedRanges,
      PlannedScans.Estimate estimate) {
    RegionInfo region = location.getRegion();
    byte[] from = region.getStartKey();
    byte[] estimateFrom = from;
    byte[] prefix = IndexRowPrefix.of(region);
    List<Scan> chunks = new ArrayList<>();
    guidepost.skipTo(from);
    if (!guidepost.isWithin(region.getEndKey())) {
      estimate.addRegionWithoutGuidepost();
    }
    for (; guidepost.isWithin(region.getEndKey()); guidepost.next()) {
      byte[] key = guidepost.key();
      if (!Bytes.startsWith(key, prefix)) {
        // Collected before a merge: this region has the counted rows, but with another prefix now.
        estimate.add(guidepost);
        continue;
      }
      List<Scan> chunk = scansBetween(region, estimateFrom, key, false);
      estimateFrom = key;
      if (!chunk.isEmpty()) {
        estimate.add(guidepost);
      }
      if (parallelize) {
        chunks.addAll(chunk);
        from = key;
      }
    }
    chunks.addAll(scansBetween(region, from, region.getEndKey(), true));
    add(chunks, location, collector, probedRanges);
  }

  private List<Scan> scansBetween(RegionInfo region, byte[] from, byte[] to, boolean toEnd) {
    byte[] prefix = IndexRowPrefix.of(region);
    List<Scan> chunk =
        ranges.intersectScan(scan, from, to, prefix.length, splitPostfix, buckets, toEnd);
    for (Scan newScan : chunk) {
      ScanUtil.setLocalIndexAttributes(
          newScan,
          0,
          region.getStartKey(),
          region.getEndKey(),
          withoutPrefix(newScan.getStartRow(), prefix),
          withoutPrefix(newScan.getStopRow(), prefix));
    }
    return chunk;
  }

  /**
   * Removes the prefix of index rows from a key. Returns an empty key if the key does not have this
   * prefix. Before the subqueries have run, EXPLAIN does not know the ranges of index keys. A scan
   * without ranges starts and stops with its region, so its keys have no prefix.
   */
  private static byte[] withoutPrefix(byte[] key, byte[] prefix) {
    return Bytes.startsWith(key, prefix)
        ? Arrays.copyOfRange(key, prefix.length, key.length)
        : HConstants.EMPTY_BYTE_ARRAY;
  }

  /**
   * Adds all scans of a region. The last scan is marked, because the next scan is in another
   * region.
   */
  private void add(
      List<Scan> scans,
      HRegionLocation location,
      ParallelScansCollector collector,
      List<ProbedRange> probedRanges) {
    for (int i = 0; i < scans.size(); i++) {
      Scan newScan = scans.get(i);
      PlannedRegion.of(location.getRegion()).stamp(newScan);
      loose.ifPresent(seeks -> seeks.mark(newScan));
      if (location.getServerName() != null) {
        newScan.setAttribute(SCAN_REGION_SERVER, location.getServerName().getVersionedBytes());
      }
      collector.addNewScan(plan, newScan, i == scans.size() - 1, location);
      probedRanges.add(
          ProbedRange.sharingKeys(
              probedRanges.isEmpty() ? null : probedRanges.get(probedRanges.size() - 1),
              location.getRegion().getEncodedName(),
              newScan.getAttribute(SCAN_START_ROW_SUFFIX),
              newScan.getAttribute(SCAN_STOP_ROW_SUFFIX)));
    }
  }

  /**
   * Returns the scans that replace {@code stale}, with the same range of index keys.
   *
   * @param rows the data rows whose index rows {@code stale} was to read
   * @param regions the regions that hold these rows now
   */
  PlannedScans rebuild(Scan stale, DataRowRange rows, List<HRegionLocation> regions)
      throws SQLException {
    ParallelScansCollector collector = new ParallelScansCollector(grouper);
    List<ProbedRange> probedRanges = new ArrayList<>(regions.size());
    for (HRegionLocation location : regions) {
      add(
          Collections.singletonList(copyInRegion(stale, rows, location.getRegion())),
          location,
          collector,
          probedRanges);
    }
    return new PlannedScans(collector, probedRanges, new PlannedScans.Estimate());
  }

  private Scan copyInRegion(Scan stale, DataRowRange rows, RegionInfo region) throws SQLException {
    Scan newScan = ScanUtil.newScan(scan);
    // The client reverses a scan once, when it opens the scanner. This copy must not be reversed
    // yet.
    newScan.setReversed(false);
    ScanUtil.setLocalIndexAttributes(
        newScan,
        0,
        region.getStartKey(),
        region.getEndKey(),
        stale.getAttribute(SCAN_START_ROW_SUFFIX),
        stale.getAttribute(SCAN_STOP_ROW_SUFFIX));
    restrict(newScan, rows, region);
    return newScan;
  }

  /** Restricts a scan of {@code region} to the index rows whose data rows are in {@code rows}. */
  private void restrict(Scan newScan, DataRowRange rows, RegionInfo region) throws SQLException {
    if (!rows.contains(region)) {
      PTable scanned = plan.getTableRef().getTable();
      PhoenixConnection connection = plan.getContext().getConnection();
      PTable owner = owner(scanned, connection);
      Optional<PTable> index = indexOf(owner, scanned);
      if (scan.getAttribute(DELETE_AGG) != null && !index.isPresent()) {
        // The index was dropped, and nobody can compute the data rows of its rows. But this region
        // may delete more than its part, because other scans delete the same rows.
        return;
      }
      DataRowRange part = rows.within(region);
      part.mark(newScan);
      ScanUtil.andFilterAtBeginning(
          newScan, DataRowFilter.of(part, region, owner, index.orElse(scanned), connection));
    }
  }

  /**
   * Returns the table or view that {@code index} was created on. A query of a view can scan an
   * index that the view inherits. Its rows also have the columns that the view fixes.
   */
  private PTable owner(PTable index, PhoenixConnection connection) throws SQLException {
    PTable queried = DataTables.of(index, dataPlan, connection);
    return queried.getName().getString().equals(index.getParentName().getString())
        ? queried
        : DataTables.of(index, null, connection);
  }

  /** Returns the index that {@code scanned} is for its owner. Views that inherit it rename it. */
  private static Optional<PTable> indexOf(PTable owner, PTable scanned) {
    return owner.getIndexes().stream()
        .filter(own -> Objects.equals(own.getViewIndexId(), scanned.getViewIndexId()))
        .findFirst();
  }

  /**
   * Returns scans of {@code region} with the planned ranges of index keys, restricted to {@code
   * rows}.
   */
  List<Scan> buildForRows(DataRowRange rows, RegionInfo region) throws SQLException {
    List<Scan> scans = scansBetween(region, region.getStartKey(), region.getEndKey(), true);
    for (Scan newScan : scans) {
      PlannedRegion.of(region).stamp(newScan);
      restrict(newScan, rows, region);
    }
    return scans;
  }
}
