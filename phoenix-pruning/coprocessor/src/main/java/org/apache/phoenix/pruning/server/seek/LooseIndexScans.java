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
package org.apache.phoenix.pruning.server.seek;

import static org.apache.phoenix.coprocessorclient.BaseScannerRegionObserverConstants.DATA_TABLE_COLUMNS_TO_JOIN;

import java.io.IOException;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.phoenix.filter.SkipScanFilter;
import org.apache.phoenix.pruning.patch.PatchSet;
import org.apache.phoenix.pruning.protocol.PatchRequest;
import org.apache.phoenix.pruning.protocol.SeekRanges;
import org.apache.phoenix.util.ScanUtil;

/** Adds a seeking filter to scans of a local index if the client requests a loose index scan. */
public final class LooseIndexScans {

  /** Maximum number of rows that are included without a test between two measurements. */
  private static final int MAX_UNTESTED_ROWS = 1_024;

  private LooseIndexScans() {}

  /**
   * Adds the filter that the attribute {@link SeekRanges} of {@code scan} describes, if the
   * attribute is set.
   *
   * @throws DoNotRetryIOException if the attribute cannot be read
   */
  public static void addFilter(Scan scan, RegionInfo region) throws DoNotRetryIOException {
    byte[] serialized = scan.getAttribute(SeekRanges.ATTRIBUTE);
    if (serialized == null || !ScanUtil.isLocalIndex(scan) || ScanUtil.isReversed(scan)) {
      return;
    }
    SkipScanFilter ranges = parseRanges(serialized);
    ranges.setOffset(ScanUtil.getRowKeyOffset(region.getStartKey(), region.getEndKey()));
    ScanUtil.andFilterAtBeginning(scan, new LooseIndexScanFilter(ranges, newPace(scan)));
  }

  /**
   * Returns the pace for {@code scan}. Tests each row if the scan looks up data rows, because a
   * test costs less than a lookup. Otherwise, up to {@link #MAX_UNTESTED_ROWS} rows are read
   * without a test, because reading a row costs less than testing it.
   */
  private static SeekPace newPace(Scan scan) {
    return new SeekPace(
        scan.getAttribute(DATA_TABLE_COLUMNS_TO_JOIN) == null ? MAX_UNTESTED_ROWS : 0);
  }

  private static SkipScanFilter parseRanges(byte[] serialized) throws DoNotRetryIOException {
    try {
      SkipScanFilter ranges = SeekRanges.read(serialized);
      ((PatchRequest.Patched) ranges).setPatches(PatchSet.ALL);
      return ranges;
    } catch (IOException | RuntimeException e) {
      throw new DoNotRetryIOException(SeekRanges.ATTRIBUTE + ": " + e.getMessage(), e);
    }
  }
}
