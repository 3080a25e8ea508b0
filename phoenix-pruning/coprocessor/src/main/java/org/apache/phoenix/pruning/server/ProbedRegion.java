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
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.client.IsolationLevel;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.KeyValueScanner;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.RegionCoprocessorHost;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.util.Bytes;
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
   * Whether a scan would return no row, because the index has no cell in the range: also none that
   * is deleted, or not committed yet. So it reads a block of each file at most, whatever is there.
   *
   * <p>It takes the scanners of the stores, which see memory and files of one moment, and leaves
   * out what a scanner of the region does besides, which took most of the time of such a look.
   *
   * @throws IOException if the region cannot be read, or the user may not
   */
  boolean isEmpty() throws IOException {
    List<HStore> stores = storesOfIndex();
    Scan look = look(stores);
    RegionCoprocessorHost host = region.getCoprocessorHost();
    if (host != null) {
      host.preScannerOpen(look);
    }
    if (look.getFilter() != null) {
      // Some rows are not for this user.
      return false;
    }
    for (HStore store : stores) {
      if (hasReferences(store) || hasCell(store, look)) {
        return false;
      }
    }
    // The stores of a region that closes lose their files.
    return !stores.isEmpty() && region.isAvailable();
  }

  private List<HStore> storesOfIndex() {
    List<HStore> stores = new ArrayList<>();
    for (HStore store : region.getStores()) {
      if (Bytes.startsWith(
          store.getColumnFamilyDescriptor().getName(),
          QueryConstants.LOCAL_INDEX_COLUMN_FAMILY_PREFIX_BYTES)) {
        stores.add(store);
      }
    }
    return stores;
  }

  /**
   * Whether keys of files start as those of a region before, after a split or a merge. Compaction
   * ends that, and nothing brings it back as long as the region is open. (HBase's own method also
   * looks at files that have been compacted, under the lock of the store.)
   */
  private static boolean hasReferences(HStore store) {
    for (HStoreFile file : store.getStorefiles()) {
      if (file.isReference()) {
        return true;
      }
    }
    return false;
  }

  private Scan look(List<HStore> stores) {
    byte[] prefix = IndexRowPrefix.of(region.getRegionInfo());
    Scan look =
        new Scan()
            .withStartRow(key(prefix, range.start(), region.getRegionInfo().getStartKey()))
            .withStopRow(key(prefix, range.stop(), region.getRegionInfo().getEndKey()));
    stores.forEach(store -> look.addFamily(store.getColumnFamilyDescriptor().getName()));
    return look;
  }

  private boolean hasCell(HStore store, Scan look) throws IOException {
    Cell start = PrivateCellUtil.createFirstOnRow(look.getStartRow());
    List<KeyValueScanner> scanners =
        store.getScanners(
            request.cacheBlocks(),
            true,
            false,
            null,
            look.getStartRow(),
            look.includeStartRow(),
            look.getStopRow(),
            look.includeStopRow(),
            region.getReadPoint(IsolationLevel.READ_UNCOMMITTED),
            false);
    try {
      for (KeyValueScanner scanner : scanners) {
        if (scanner.shouldUseScanner(look, store, Long.MIN_VALUE)
            && scanner.seek(start)
            && isBeforeStop(scanner.peek(), look, store)) {
          return true;
        }
      }
      return false;
    } finally {
      scanners.forEach(KeyValueScanner::close);
    }
  }

  private static boolean isBeforeStop(Cell cell, Scan look, HStore store) {
    byte[] stop = look.getStopRow();
    if (stop.length == 0) {
      return true;
    }
    int order = store.getComparator().compareRows(cell, stop, 0, stop.length);
    // A coprocessor may have changed the scan.
    return look.includeStopRow() ? order <= 0 : order < 0;
  }

  private static byte[] key(byte[] prefix, byte[] withoutPrefix, byte[] ofRegion) {
    return withoutPrefix.length == 0 ? ofRegion : Bytes.add(prefix, withoutPrefix);
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
