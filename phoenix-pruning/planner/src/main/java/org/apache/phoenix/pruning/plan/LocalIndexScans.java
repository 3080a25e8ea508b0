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

import static org.apache.phoenix.coprocessorclient.BaseScannerRegionObserverConstants.SCAN_REGION_SERVER;
import static org.apache.phoenix.coprocessorclient.BaseScannerRegionObserverConstants.SCAN_START_ROW_SUFFIX;
import static org.apache.phoenix.coprocessorclient.BaseScannerRegionObserverConstants.SCAN_STOP_ROW_SUFFIX;

import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.compile.ScanRanges;
import org.apache.phoenix.iterate.ParallelScanGrouper;
import org.apache.phoenix.iterate.ParallelScansCollector;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.pruning.region.DataRowRange;
import org.apache.phoenix.pruning.region.PlannedRegion;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.schema.stats.GuidePostsInfo;
import org.apache.phoenix.util.ScanUtil;
import org.apache.phoenix.util.SchemaUtil;

/**
 * Makes the scans of a local index in the regions that were planned.
 *
 * <p>An index row starts with the start key of its region (with as many zero bytes as the end key
 * has in the first region). A scan carries its region's boundaries as start and stop row, and the
 * range of index keys as attributes without that prefix; the server puts them together.
 */
final class LocalIndexScans {

  private final QueryPlan plan;
  private final QueryPlan dataPlan;
  private final Scan scan;
  private final ParallelScanGrouper grouper;
  private final ScanRanges ranges;
  private final Integer buckets;
  private final byte[] splitPostfix;

  LocalIndexScans(QueryPlan plan, QueryPlan dataPlan, Scan scan, ParallelScanGrouper grouper) {
    PTable table = plan.getTableRef().getTable();
    this.plan = plan;
    this.dataPlan = dataPlan;
    this.scan = scan;
    this.grouper = grouper;
    this.ranges = plan.getContext().getScanRanges();
    this.buckets = table.getBucketNum();
    byte[] firstSplit = SchemaUtil.processSplit(new byte[] {0}, table.getPKColumns());
    this.splitPostfix = Arrays.copyOfRange(firstSplit, 1, firstSplit.length);
  }

  /** The scans of whole regions, which are in key order. */
  PlannedScans of(List<HRegionLocation> regions, GuidePostsInfo guideposts, boolean parallelize) {
    ParallelScansCollector collector = new ParallelScansCollector(grouper);
    PlannedScans.Estimate estimate = new PlannedScans.Estimate();
    GuidepostCursor cursor = new GuidepostCursor(guideposts);
    for (HRegionLocation region : regions) {
      addRegion(region, cursor, parallelize, collector, estimate);
    }
    return new PlannedScans(
        collector.getParallelScans(), collector.getRegionLocations(), regions.size(), estimate);
  }

  private void addRegion(
      HRegionLocation location,
      GuidepostCursor guidepost,
      boolean parallelize,
      ParallelScansCollector collector,
      PlannedScans.Estimate estimate) {
    byte[] end = location.getRegion().getEndKey();
    byte[] from = location.getRegion().getStartKey();
    byte[] estimatedFrom = from;
    guidepost.skipTo(from);
    if (!guidepost.isWithin(end)) {
      estimate.regionWithoutGuidepost();
    }
    for (; guidepost.isWithin(end); guidepost.next()) {
      boolean atEnd = Bytes.equals(guidepost.key(), end);
      List<Scan> chunk = between(location, estimatedFrom, guidepost.key(), atEnd);
      estimatedFrom = guidepost.key();
      if (!chunk.isEmpty()) {
        estimate.add(guidepost);
      }
      if (parallelize) {
        add(chunk, location, atEnd, collector);
        from = guidepost.key();
      }
    }
    add(between(location, from, end, true), location, true, collector);
  }

  private List<Scan> between(HRegionLocation location, byte[] from, byte[] to, boolean toEnd) {
    RegionInfo region = location.getRegion();
    int prefixLength = ScanUtil.getRowKeyOffset(region.getStartKey(), region.getEndKey());
    List<Scan> chunk =
        ranges.intersectScan(scan, from, to, prefixLength, splitPostfix, buckets, toEnd);
    for (Scan newScan : chunk) {
      ScanUtil.setLocalIndexAttributes(
          newScan,
          prefixLength,
          region.getStartKey(),
          region.getEndKey(),
          newScan.getStartRow(),
          newScan.getStopRow());
    }
    return chunk;
  }

  private void add(
      List<Scan> chunk, HRegionLocation location, boolean toEnd, ParallelScansCollector collector) {
    for (int i = 0; i < chunk.size(); i++) {
      add(chunk.get(i), location, toEnd && i == chunk.size() - 1, collector);
    }
  }

  private void add(
      Scan newScan, HRegionLocation location, boolean toEnd, ParallelScansCollector collector) {
    PlannedRegion.of(location.getRegion()).stamp(newScan);
    if (location.getServerName() != null) {
      newScan.setAttribute(SCAN_REGION_SERVER, location.getServerName().getVersionedBytes());
    }
    collector.addNewScan(plan, newScan, toEnd, location);
  }

  /**
   * The scans that read what {@code stale} was to read: the same range of index keys, of the data
   * rows {@code rows}, which {@code regions} hold today.
   */
  PlannedScans again(Scan stale, DataRowRange rows, List<HRegionLocation> regions)
      throws SQLException {
    ParallelScansCollector collector = new ParallelScansCollector(grouper);
    for (HRegionLocation location : regions) {
      add(inRegion(stale, rows, location.getRegion()), location, true, collector);
    }
    return new PlannedScans(
        collector.getParallelScans(),
        collector.getRegionLocations(),
        regions.size(),
        new PlannedScans.Estimate());
  }

  private Scan inRegion(Scan stale, DataRowRange rows, RegionInfo region) throws SQLException {
    Scan newScan = ScanUtil.newScan(scan);
    ScanUtil.setLocalIndexAttributes(
        newScan,
        0,
        region.getStartKey(),
        region.getEndKey(),
        stale.getAttribute(SCAN_START_ROW_SUFFIX),
        stale.getAttribute(SCAN_STOP_ROW_SUFFIX));
    if (!rows.contains(region)) {
      PTable index = plan.getTableRef().getTable();
      PhoenixConnection connection = plan.getContext().getConnection();
      rows.mark(newScan);
      IndexRowDecoding.attach(
          newScan, DataTables.of(index, dataPlan, connection), index, connection);
    }
    return newScan;
  }

  /** A scan of one whole region that finds the rows that the scans of this index would. */
  List<Scan> ofRegion(HRegionLocation location) {
    return between(
        location, location.getRegion().getStartKey(), location.getRegion().getEndKey(), true);
  }
}
