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

import static org.apache.phoenix.coprocessorclient.BaseScannerRegionObserverConstants.DATA_TABLE_COLUMNS_TO_JOIN;

import java.io.IOException;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.phoenix.filter.SkipScanFilter;
import org.apache.phoenix.pruning.plan.LooseIndexScan;
import org.apache.phoenix.util.ScanUtil;

/** Lets scans of a local index seek from prefix to prefix whose client wants it. */
public final class LooseIndexScans {

  /** How many rows are read on between two measurements. */
  private static final int READ_ON = 1_024;

  private LooseIndexScans() {}

  /**
   * Adds the filter to {@code scan} that a {@link LooseIndexScan} describes, if it has one.
   *
   * @throws DoNotRetryIOException if what the client sent describes none
   */
  public static void addFilter(Scan scan, RegionInfo region) throws DoNotRetryIOException {
    byte[] serialized = scan.getAttribute(LooseIndexScan.ATTRIBUTE);
    if (serialized == null || !ScanUtil.isLocalIndex(scan) || ScanUtil.isReversed(scan)) {
      return;
    }
    SkipScanFilter ranges = read(serialized);
    ranges.setOffset(ScanUtil.getRowKeyOffset(region.getStartKey(), region.getEndKey()));
    ScanUtil.andFilterAtBeginning(scan, new LooseIndexScanFilter(ranges, pace(scan)));
  }

  /**
   * To test whether a row matches costs less than to look up its data row, but not than to read it.
   */
  private static SeekPace pace(Scan scan) {
    return new SeekPace(scan.getAttribute(DATA_TABLE_COLUMNS_TO_JOIN) == null ? READ_ON : 0);
  }

  private static SkipScanFilter read(byte[] serialized) throws DoNotRetryIOException {
    try {
      return LooseIndexScan.read(serialized);
    } catch (IOException e) {
      throw new DoNotRetryIOException(LooseIndexScan.ATTRIBUTE + ": " + e.getMessage(), e);
    }
  }
}
