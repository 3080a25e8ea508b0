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

import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.coprocessor.BaseScannerRegionObserver;
import org.apache.phoenix.coprocessorclient.BaseScannerRegionObserverConstants;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.config.ServerMode;
import org.apache.phoenix.pruning.layout.KeyText;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.schema.StaleRegionBoundaryCacheException;
import org.apache.phoenix.util.ScanUtil;

/**
 * Refuses a local-index scan that does not start at the start key of its region. If a region moves,
 * HBase's client reopens a scanner at the last row that the client received. This row lacks the
 * region's prefix, to which Phoenix's {@code BaseScannerRegionObserver} appends the range of index
 * keys (not reported).
 *
 * <p>Example: {@code SELECT K FROM T WHERE V < 2} along an index on V loses the remaining rows if a
 * region moves.
 */
public privileged aspect ReopenedScanAspect {

  before(Scan scan, Region region) throws DoNotRetryIOException :
      execution(static void BaseScannerRegionObserver.throwIfScanOutOfRegion(Scan, Region))
      && args(scan, region) {
    if (isReopened(scan, region)
        && Patches.isOn(Patch.REOPENED_SCAN)
        && !ServerMode.isStock(region.getReadOnlyConfiguration())) {
      StaleRegionBoundaryCacheException stale =
          new StaleRegionBoundaryCacheException(
              region.getRegionInfo().getTable().getNameAsString());
      // Phoenix's client parses the code at the start of the message and passes on the rest.
      throw new DoNotRetryIOException(
          String.format(
              "%s. The scan starts at %s. Expected the start key of its region, %s. If the region"
                  + " has moved during the query, run the query again",
              stale.getMessage(),
              KeyText.of(scan.getStartRow()),
              KeyText.of(region.getRegionInfo().getStartKey())),
          stale);
    }
  }

  /** Leaves scans that a client has reversed to Phoenix, because their boundaries are swapped. */
  private static boolean isReopened(Scan scan, Region region) {
    return ScanUtil.isLocalIndex(scan)
        && !scan.isReversed()
        && scan.getAttribute(BaseScannerRegionObserverConstants.SCAN_ACTUAL_START_ROW) != null
        && !Bytes.equals(scan.getStartRow(), region.getRegionInfo().getStartKey());
  }
}
