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
package org.apache.phoenix.pruning.server;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.RegionCoprocessorHost;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.regionserver.ScannerContext;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.apache.phoenix.coprocessorclient.BaseScannerRegionObserverConstants;
import org.apache.phoenix.pruning.probe.ProbeRequest;
import org.apache.phoenix.pruning.probe.ProbedRange;
import org.apache.phoenix.pruning.region.IndexRowPrefix;
import org.apache.phoenix.pruning.region.PlannedRegion;
import org.apache.phoenix.query.QueryConstants;
import org.apache.phoenix.util.ScanUtil;

/** What one region has for a range of the keys of a local index. */
final class ProbedRegion {

  private final HRegion region;
  private final ProbedRange range;
  private final ProbeRequest request;

  /** A range of {@code request} in a region. */
  ProbedRegion(HRegion region, ProbedRange range, ProbeRequest request) {
    this.region = region;
    this.range = range;
    this.request = request;
  }

  /**
   * Whether a scan would return no row, by the first cell of the index that is there, deleted or
   * not. So it takes no longer where there are many deleted ones.
   *
   * @param millis after which the answer is no
   * @throws IOException if the region cannot be read, or the user may not
   */
  boolean isEmpty(long millis) throws IOException {
    Scan look = look();
    if (look == null) {
      return false;
    }
    RegionCoprocessorHost host = region.getCoprocessorHost();
    if (host != null) {
      host.preScannerOpen(look);
    }
    if (look.getFilter() != null) {
      // Some rows are not for this user.
      return false;
    }
    try (RegionScanner scanner = region.getScanner(look)) {
      List<Cell> cells = new ArrayList<>();
      ScannerContext first =
          ScannerContext.newBuilder()
              .setBatchLimit(1)
              .setTimeLimit(
                  ScannerContext.LimitScope.BETWEEN_CELLS,
                  EnvironmentEdgeManager.currentTime() + millis)
              .build();
      return !scanner.next(cells, first) && cells.isEmpty();
    }
  }

  /** Null where the files cannot be looked at so. */
  private Scan look() {
    byte[] prefix = IndexRowPrefix.of(region.getRegionInfo());
    Scan look =
        new Scan()
            .withStartRow(key(prefix, range.start(), region.getRegionInfo().getStartKey()))
            .withStopRow(key(prefix, range.stop(), region.getRegionInfo().getEndKey()))
            .setRaw(true)
            .setReadType(Scan.ReadType.PREAD)
            .setCacheBlocks(request.cacheBlocks());
    for (HStore store : region.getStores()) {
      if (isOfIndex(store)) {
        if (store.hasReferences()) {
          // After a split or a merge their keys start as those of the region before.
          return null;
        }
        look.addFamily(store.getColumnFamilyDescriptor().getName());
      }
    }
    return look.hasFamilies() ? look : null;
  }

  private static byte[] key(byte[] prefix, byte[] withoutPrefix, byte[] ofRegion) {
    return withoutPrefix.length == 0 ? ofRegion : Bytes.add(prefix, withoutPrefix);
  }

  private static boolean isOfIndex(HStore store) {
    return store.getColumnFamilyName().startsWith(QueryConstants.LOCAL_INDEX_COLUMN_FAMILY_PREFIX);
  }

  /**
   * All rows that the client's scan would return, by the way that it would take through the
   * coprocessors of the region; null if they are too many, or reading them takes too long.
   *
   * @param maxBytes of their cells
   * @param millis for so long they may be read
   */
  List<Result> rows(int maxBytes, long millis) throws IOException {
    Scan scan = scan(millis);
    RegionCoprocessorHost host = region.getCoprocessorHost();
    host.preScannerOpen(scan);
    RegionScanner core = region.getScanner(scan);
    RegionScanner scanner = core;
    try {
      scanner = host.postScannerOpen(scan, core);
      return rows(scanner, scan.getLimit(), maxBytes, millis);
    } finally {
      if (!host.preScannerClose(scanner)) {
        scanner.close();
        host.postScannerClose(scanner);
      }
    }
  }

  /** As a server makes it of what a client sends. */
  private Scan scan(long millis) throws IOException {
    RegionInfo info = region.getRegionInfo();
    Scan scan = request.newScan();
    scan.withStartRow(info.getStartKey());
    scan.withStopRow(info.getEndKey());
    ScanUtil.setLocalIndexAttributes(
        scan, 0, info.getStartKey(), info.getEndKey(), range.start(), range.stop());
    PlannedRegion.of(info).stamp(scan);
    scan.setAttribute(
        BaseScannerRegionObserverConstants.SERVER_PAGE_SIZE_MS, Bytes.toBytes(Math.max(1, millis)));
    if (scan.getLoadColumnFamiliesOnDemandValue() == null) {
      scan.setLoadColumnFamiliesOnDemand(region.isLoadingCfsOnDemandDefault());
    }
    if (!scan.hasFamilies()) {
      region.getTableDescriptor().getColumnFamilyNames().forEach(scan::addFamily);
    }
    return scan;
  }

  private List<Result> rows(RegionScanner scanner, int limit, int maxBytes, long millis)
      throws IOException {
    long deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    List<Result> rows = new ArrayList<>();
    long bytes = 0;
    region.startRegionOperation(Region.Operation.SCAN);
    try {
      boolean hasMore = true;
      while (hasMore && (limit <= 0 || rows.size() < limit)) {
        List<Cell> cells = new ArrayList<>();
        hasMore = scanner.nextRaw(cells);
        if (!cells.isEmpty()) {
          Result row = Result.create(cells);
          bytes += size(row);
          if (ScanUtil.isDummy(row) || bytes > maxBytes) {
            return null;
          }
          rows.add(row);
        }
        if (hasMore && System.nanoTime() > deadlineNanos) {
          return null;
        }
      }
    } finally {
      region.closeRegionOperation(Region.Operation.SCAN);
    }
    // The cells may be in memory that is used anew when the scanner is closed.
    return rows.stream().map(ProbedRegion::copy).collect(Collectors.toList());
  }

  private static Result copy(Result row) {
    List<Cell> cells = new ArrayList<>(row.size());
    for (Cell cell : row.rawCells()) {
      cells.add(KeyValueUtil.copyToNewKeyValue(cell));
    }
    return Result.create(cells);
  }

  /** In bytes, of the cells. */
  static int size(Result row) {
    return Arrays.stream(row.rawCells()).mapToInt(Cell::getSerializedSize).sum();
  }
}
