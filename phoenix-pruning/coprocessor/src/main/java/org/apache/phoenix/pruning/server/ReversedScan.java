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

import org.apache.hadoop.hbase.client.Scan;
import org.apache.phoenix.util.ScanUtil;

/**
 * A scan of a local index that the client has turned around.
 *
 * <p>Phoenix's client swaps the start and the stop row of a scan that it wants reversed. Those of a
 * local index are the region's boundaries, and Phoenix's server takes the start row as the prefix
 * of the index keys, and the stop row as the region's end: turned around, the scan finds nothing in
 * a table of one region, and is refused for ever in any other.
 */
public final class ReversedScan {

  private ReversedScan() {}

  /**
   * Gives {@code scan}, if it is one, the boundaries that it was planned with. Phoenix turns it
   * around again as soon as it has put the prefix before the range of index keys.
   */
  public static void turnBack(Scan scan) {
    if (ScanUtil.isLocalIndex(scan) && ScanUtil.isReversed(scan) && scan.isReversed()) {
      byte[] start = scan.getStopRow();
      boolean includeStart = scan.includeStopRow();
      scan.withStopRow(scan.getStartRow(), scan.includeStartRow());
      scan.withStartRow(start, includeStart);
      scan.setReversed(false);
    }
  }
}
