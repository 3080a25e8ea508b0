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
package org.apache.phoenix.pruning.server.boundary;

import static org.apache.phoenix.coprocessorclient.BaseScannerRegionObserverConstants.SCAN_ACTUAL_START_ROW;

import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.pruning.layout.KeyText;
import org.apache.phoenix.pruning.protocol.PlannedRegion;
import org.apache.phoenix.schema.StaleRegionBoundaryCacheException;
import org.apache.phoenix.util.ScanUtil;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Refuses a local-index scan in any region other than the region that it was planned for.
 *
 * <p>The keys of a local index start with the start key of their region, and a merge or a split
 * rewrites them. So a scan that was planned for {@code [b, c)} must not run in {@code [a, c)}. It
 * would look for rows that start with {@code b} and miss the rows of {@code [b, c)}, which now
 * start with {@code a}. Phoenix's own check, which runs after this one, accepts any start key up to
 * {@code b}.
 *
 * <p>A client without pruning sends no {@link PlannedRegion}. But every local-index scan of such a
 * client has the start key of the planned region, and Phoenix checks the end key.
 *
 * <p>A scanner that HBase reopens in the middle of its region passes. The patch {@code
 * reopened-scan} refuses such a scan afterwards.
 */
public final class RegionBoundaryCheck {

  private static final Logger LOG = LoggerFactory.getLogger(RegionBoundaryCheck.class);

  private RegionBoundaryCheck() {}

  /**
   * Accepts a scan that was planned for {@code region} or does not use a local index.
   *
   * @throws DoNotRetryIOException if the scan was planned for another region. The cause is then
   *     {@link StaleRegionBoundaryCacheException}, which makes the client plan the scan again. Also
   *     thrown, without a cause, if the attributes of the scan are inconsistent
   */
  public static void check(Scan scan, RegionInfo region) throws DoNotRetryIOException {
    if (ScanUtil.isLocalIndex(scan) && !isPlannedFor(scan, region)) {
      String mismatch = mismatch(scan, region);
      // Does not log the scan, because its filter can hold all values of a long IN list.
      LOG.info(
          "Refused a scan in region {} of {}{}",
          region.getEncodedName(),
          region.getTable(),
          mismatch);
      StaleRegionBoundaryCacheException stale =
          new StaleRegionBoundaryCacheException(region.getTable().getNameAsString());
      throw new DoNotRetryIOException(stale.getMessage() + mismatch, stale);
    }
  }

  private static boolean isPlannedFor(Scan scan, RegionInfo region) throws DoNotRetryIOException {
    byte[] start = scan.getAttribute(PlannedRegion.START_ATTRIBUTE);
    byte[] end = scan.getAttribute(PlannedRegion.END_ATTRIBUTE);
    if (start == null && end == null) {
      byte[] stockStart = scan.getAttribute(SCAN_ACTUAL_START_ROW);
      return stockStart == null || Bytes.equals(stockStart, region.getStartKey());
    }
    requireRegion(start, end);
    return Bytes.equals(start, region.getStartKey()) && Bytes.equals(end, region.getEndKey());
  }

  /**
   * Describes the mismatch for the error message. Phoenix's client parses the code at the start of
   * the message and passes on the rest.
   */
  private static String mismatch(Scan scan, RegionInfo region) {
    return String.format(
        ". The scan starts at %s and was planned for the region from %s to %s. This region is from"
            + " %s to %s",
        KeyText.of(scan.getStartRow()),
        KeyText.of(plannedStart(scan)),
        KeyText.of(scan.getAttribute(PlannedRegion.END_ATTRIBUTE)),
        KeyText.of(region.getStartKey()),
        KeyText.of(region.getEndKey()));
  }

  private static byte @Nullable [] plannedStart(Scan scan) {
    byte[] start = scan.getAttribute(PlannedRegion.START_ATTRIBUTE);
    return start == null ? scan.getAttribute(SCAN_ACTUAL_START_ROW) : start;
  }

  private static void requireRegion(byte @Nullable [] start, byte @Nullable [] end)
      throws DoNotRetryIOException {
    boolean isRegion =
        start != null && end != null && (end.length == 0 || Bytes.compareTo(start, end) < 0);
    if (!isRegion) {
      throw new DoNotRetryIOException(
          String.format(
              "The scan does not name a region: %s is %s and %s is %s. Expected the start key and"
                  + " the end key of a region, or neither",
              PlannedRegion.START_ATTRIBUTE,
              KeyText.of(start),
              PlannedRegion.END_ATTRIBUTE,
              KeyText.of(end)));
    }
  }
}
