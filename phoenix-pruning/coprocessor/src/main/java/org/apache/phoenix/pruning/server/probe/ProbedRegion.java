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
package org.apache.phoenix.pruning.server.probe;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.client.IsolationLevel;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.KeyValueScanner;
import org.apache.hadoop.hbase.regionserver.RegionInternals;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.coprocessorclient.BaseScannerRegionObserverConstants;
import org.apache.phoenix.filter.PagingFilter;
import org.apache.phoenix.pruning.layout.IndexRowPrefix;
import org.apache.phoenix.pruning.protocol.PlannedRegion;
import org.apache.phoenix.pruning.protocol.ProbeRequest;
import org.apache.phoenix.pruning.protocol.ProbedRange;
import org.apache.phoenix.query.QueryConstants;
import org.apache.phoenix.util.ScanUtil;
import org.jspecify.annotations.Nullable;

/** Key range of a local index in one region, as a probe reads it. */
final class ProbedRegion {

  private final HRegion region;
  private final ProbedRange range;
  private final ProbeRequest request;

  /** Creates the probe of a range of {@code request} in {@code region}. */
  ProbedRegion(HRegion region, ProbedRange range, ProbeRequest request) {
    this.region = region;
    this.range = range;
    this.request = request;
  }

  /**
   * Returns true if the index has no cell in the range, not even a deleted or uncommitted cell.
   * Returns false if there may be a cell, or if the check cannot run now. The check reads at most
   * one block of each file, unless {@link #hasReferences}.
   *
   * <p>The check uses the scanners of the stores, which see memory and files at the same point in
   * time. A scanner of the region would do additional work, which would take most of the time.
   *
   * @param deadlineNanos time at which to stop before the next file; the range then counts as not
   *     empty
   * @throws IOException if the region cannot be read, or the user may not read it
   */
  boolean isEmpty(long deadlineNanos) throws IOException {
    List<HStore> stores = indexStores();
    Scan checkScan = newCheckScan(stores);
    region.getCoprocessorHost().preScannerOpen(checkScan);
    if (checkScan.getFilter() != null) {
      // A coprocessor has added a filter, so some rows may be hidden from this user.
      return false;
    }
    if (!RegionInternals.tryReadLock(region)) {
      return false;
    }
    try {
      for (HStore store : stores) {
        if (mayHaveCell(store, checkScan, deadlineNanos)) {
          return false;
        }
      }
      // A region that closes removes the files from its stores.
      return !stores.isEmpty() && region.isAvailable();
    } finally {
      RegionInternals.readUnlock(region);
    }
  }

  /** Returns whether coprocessors can add rows to the result of a scan. */
  boolean canHooksAddRows() {
    return ForeignHooks.canAddRows(region.getCoprocessorHost());
  }

  private List<HStore> indexStores() {
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
   * Returns whether the index has files of a parent region, after a split or a merge. Compaction
   * removes these files, and no new ones appear while the region is open. (HBase's own method also
   * checks compacted files and holds the store's lock.)
   */
  boolean hasReferences() {
    for (HStore store : indexStores()) {
      for (HStoreFile file : store.getStorefiles()) {
        if (file.isReference()) {
          return true;
        }
      }
    }
    return false;
  }

  private Scan newCheckScan(List<HStore> stores) {
    byte[] prefix = IndexRowPrefix.of(region.getRegionInfo());
    Scan checkScan =
        new Scan()
            .withStartRow(rowKey(prefix, range.start(), region.getRegionInfo().getStartKey()))
            .withStopRow(rowKey(prefix, range.stop(), region.getRegionInfo().getEndKey()));
    stores.forEach(store -> checkScan.addFamily(store.getColumnFamilyDescriptor().getName()));
    return checkScan;
  }

  private boolean mayHaveCell(HStore store, Scan checkScan, long deadlineNanos) throws IOException {
    Cell start = PrivateCellUtil.createFirstOnRow(checkScan.getStartRow());
    List<KeyValueScanner> scanners =
        store.getScanners(
            request.cacheBlocks(),
            true,
            false,
            null,
            checkScan.getStartRow(),
            checkScan.includeStartRow(),
            checkScan.getStopRow(),
            checkScan.includeStopRow(),
            region.getReadPoint(IsolationLevel.READ_UNCOMMITTED),
            false);
    try {
      for (KeyValueScanner scanner : scanners) {
        if (System.nanoTime() - deadlineNanos > 0 || Thread.currentThread().isInterrupted()) {
          return true;
        }
        if (scanner.shouldUseScanner(checkScan, store, Long.MIN_VALUE)
            && scanner.seek(start)
            && isBeforeStop(scanner.peek(), checkScan, store)) {
          return true;
        }
      }
      return false;
    } finally {
      scanners.forEach(KeyValueScanner::close);
    }
  }

  private static boolean isBeforeStop(Cell cell, Scan checkScan, HStore store) {
    byte[] stop = checkScan.getStopRow();
    if (stop.length == 0) {
      return true;
    }
    int order = store.getComparator().compareRows(cell, stop, 0, stop.length);
    // A coprocessor may have made the stop row inclusive.
    return checkScan.includeStopRow() ? order <= 0 : order < 0;
  }

  private static byte[] rowKey(byte[] prefix, byte[] withoutPrefix, byte[] regionKey) {
    return withoutPrefix.length == 0 ? regionKey : Bytes.add(prefix, withoutPrefix);
  }

  /**
   * Returns all rows that the client's scan would return, or null if there are too many or reading
   * them takes too long.
   *
   * @param maxBytes maximum size of the rows' cells in bytes
   * @param millis maximum time to read, in milliseconds
   */
  @Nullable List<Result> readRows(int maxBytes, long millis) throws IOException {
    return new ProbedRows(region, newScan(millis), maxBytes, millis).read();
  }

  /**
   * Returns the page size with which Phoenix's paging filter reads for {@code millis}: the filter
   * stops after 0.3 of its page. Phoenix's other scanners take twice as long. {@link
   * TimeLimitedScanner} stops them.
   */
  static long pageMillis(long millis) {
    return Math.max(1, millis) * 10 / 3 + 1;
  }

  /** Returns the scan that a server would run for the client's request. */
  private Scan newScan(long millis) throws IOException {
    RegionInfo info = region.getRegionInfo();
    Scan scan = request.newScan();
    scan.withStartRow(info.getStartKey());
    scan.withStopRow(info.getEndKey());
    ScanUtil.setLocalIndexAttributes(
        scan, 0, info.getStartKey(), info.getEndKey(), range.start(), range.stop());
    PlannedRegion.of(info).stamp(scan);
    // A client's scan has no paging filter, and this filter would keep its own page size.
    while (scan.getFilter() instanceof PagingFilter) {
      scan.setFilter(((PagingFilter) scan.getFilter()).getDelegateFilter());
    }
    scan.setAttribute(
        BaseScannerRegionObserverConstants.SERVER_PAGE_SIZE_MS, Bytes.toBytes(pageMillis(millis)));
    if (scan.getLoadColumnFamiliesOnDemandValue() == null) {
      scan.setLoadColumnFamiliesOnDemand(region.isLoadingCfsOnDemandDefault());
    }
    if (!scan.hasFamilies()) {
      region.getTableDescriptor().getColumnFamilyNames().forEach(scan::addFamily);
    }
    return scan;
  }
}
