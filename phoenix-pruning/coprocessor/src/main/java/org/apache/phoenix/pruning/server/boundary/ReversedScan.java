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

import org.apache.hadoop.hbase.client.Scan;
import org.apache.phoenix.util.ScanUtil;

/**
 * Local-index scan that the client has reversed.
 *
 * <p>Phoenix's client swaps the start row and the stop row of a scan to reverse it. For a local
 * index, these rows are the region's boundaries. Phoenix's server uses the start row as the prefix
 * of the index keys and the stop row as the region's end. With swapped rows, a scan of a table with
 * one region finds nothing. In a table with several regions, the server refuses the scan at every
 * attempt.
 */
public final class ReversedScan {

  private ReversedScan() {}

  /**
   * Swaps the start row and the stop row of {@code scan} back if it is a reversed local-index scan.
   * Phoenix reverses the scan again after it has added the prefix to the range of index keys.
   */
  public static void undoReverse(Scan scan) {
    if (ScanUtil.isLocalIndex(scan) && ScanUtil.isReversed(scan) && scan.isReversed()) {
      byte[] start = scan.getStopRow();
      boolean includeStart = scan.includeStopRow();
      scan.withStopRow(scan.getStartRow(), scan.includeStartRow());
      scan.withStartRow(start, includeStart);
      scan.setReversed(false);
    }
  }
}
