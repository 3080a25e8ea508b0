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
package org.apache.phoenix.pruning.patch.plan;

import static org.apache.phoenix.coprocessorclient.BaseScannerRegionObserverConstants.SCAN_ACTUAL_START_ROW;

import java.util.List;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.phoenix.compile.OrderByCompiler.OrderBy;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.schema.PTable.IndexType;
import org.jspecify.annotations.Nullable;

/** Decides whether the servers skip the rows of an OFFSET, and completes their scans. */
public final class ServerOffset {

  private ServerOffset() {}

  /**
   * Returns whether the client has to skip the rows, because the query reads the key in reverse, or
   * a local index. In a scan of a local index, the server adds the start of its region to the start
   * row.
   *
   * @param indexType type of the index that is read, or null for a table
   */
  public static boolean skipsNoRows(
      OrderBy order, @Nullable IndexType indexType, PhoenixConnection connection) {
    return (order == OrderBy.REV_ROW_KEY_ORDER_BY || indexType == IndexType.LOCAL)
        && Patches.isOn(Patch.SERVER_OFFSET, connection);
  }

  /** Adds the attribute with the first row to the scans that lack it. */
  public static void addStarts(List<List<Scan>> scans, PhoenixConnection connection) {
    if (Patches.isOn(Patch.SERVER_OFFSET, connection)) {
      for (List<Scan> ofRegion : scans) {
        for (Scan scan : ofRegion) {
          if (scan.getAttribute(SCAN_ACTUAL_START_ROW) == null) {
            scan.setAttribute(SCAN_ACTUAL_START_ROW, scan.getStartRow());
          }
        }
      }
    }
  }
}
