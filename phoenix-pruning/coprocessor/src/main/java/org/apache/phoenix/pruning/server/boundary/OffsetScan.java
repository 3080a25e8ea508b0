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
import static org.apache.phoenix.coprocessorclient.BaseScannerRegionObserverConstants.SCAN_OFFSET;

import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.Scan;

/**
 * Scan for which Phoenix's server skips the rows of an OFFSET.
 *
 * <p>The server compares the start row of the scan with an attribute. If a client sends no such
 * attribute, the server fails after it has locked the region for a read, and does not unlock it.
 * Then the region cannot be closed, moved or split until the server restarts.
 */
public final class OffsetScan {

  private OffsetScan() {}

  /**
   * Returns whether {@code scan} has an OFFSET for the server, but no attribute with its start row.
   */
  public static boolean lacksStart(Scan scan) {
    return scan.getAttribute(SCAN_OFFSET) != null
        && scan.getAttribute(SCAN_ACTUAL_START_ROW) == null;
  }

  /**
   * Returns the error for a scan that lacks its start. The server cannot add the start itself. If a
   * region has moved, HBase opens the scan again at a later row, and the server would skip the rows
   * of the OFFSET twice.
   */
  public static DoNotRetryIOException refused() {
    return new DoNotRetryIOException(
        "A scan has the attribute "
            + SCAN_OFFSET
            + ", but not "
            + SCAN_ACTUAL_START_ROW
            + ". Expected both. Use the client jar of this project with the patch server-offset, or"
            + " leave the OFFSET out");
  }
}
