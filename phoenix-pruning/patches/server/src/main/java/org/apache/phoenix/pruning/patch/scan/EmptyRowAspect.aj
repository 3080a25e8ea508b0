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
package org.apache.phoenix.pruning.patch.scan;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.phoenix.coprocessor.PagingRegionScanner;
import org.apache.phoenix.coprocessorclient.BaseScannerRegionObserverConstants;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.pruning.protocol.PatchRequest;
import org.apache.phoenix.util.ScanUtil;

/**
 * Keeps reading if HBase returns an empty batch although more rows follow. After four blocks, HBase
 * does so for each filtered row, so that the scan can switch to streaming reads (HBASE-20457).
 * Phoenix's {@code UncoveredIndexRegionScanner} mistakes an empty first batch for the end of the
 * scan. Not reported.
 *
 * <p>The paging filter limits the time of this loop. Without a paging filter, only scans that look
 * up data rows are patched. Nothing limits the time of such a scan in Phoenix either.
 *
 * <p>Example: {@code SELECT K, W FROM T WHERE A BETWEEN 0 AND 63 AND V = 5} along an index on (A,
 * V) loses rows.
 */
public privileged aspect EmptyRowAspect {

  /** Set when the scanner is created. The advice for each row only reads this field. */
  private boolean PagingRegionScanner.skipsEmptyBatches;

  after(PagingRegionScanner pages, Scan scan) returning :
      execution(PagingRegionScanner.new(Region, RegionScanner, Scan))
      && this(pages)
      && args(*, *, scan) {
    pages.skipsEmptyBatches =
        PatchRequest.of(scan).has(Patch.EMPTY_BATCH)
            && (pages.pagingFilter == null
                ? ScanUtil.isLocalIndex(scan)
                    && scan.getAttribute(
                            BaseScannerRegionObserverConstants.DATA_TABLE_COLUMNS_TO_JOIN)
                        != null
                : ScanUtil.isLocalOrUncoveredGlobalIndex(scan));
  }

  boolean around(PagingRegionScanner pages, List cells) throws IOException :
      call(boolean RegionScanner.next*(List))
      && withincode(boolean PagingRegionScanner.next(List, boolean))
      && this(pages)
      && args(cells) {
    boolean hasMore = proceed(pages, cells);
    if (pages.skipsEmptyBatches) {
      while (hasMore && cells.isEmpty()) {
        hasMore = proceed(pages, cells);
      }
    }
    return hasMore;
  }
}
