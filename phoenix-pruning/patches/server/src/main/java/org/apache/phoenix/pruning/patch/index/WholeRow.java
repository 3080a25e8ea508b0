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
package org.apache.phoenix.pruning.patch.index;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;

/** Reads a data row of which a scan has returned only the cells of its time range. */
public final class WholeRow {

  private WholeRow() {}

  /**
   * Returns the cells of a row in the families of {@code scan}, up to the end of its time range.
   * Empty if the row has been deleted meanwhile.
   *
   * @param part the cells that the scan has returned
   */
  public static List<Cell> read(Region region, Scan scan, List<Cell> part) throws IOException {
    long end = scan.getTimeRange().getMax();
    Get get = new Get(CellUtil.cloneRow(part.get(0))).setTimeRange(0, end);
    for (byte[] family : scan.getFamilies()) {
      get.addFamily(family);
    }
    Result found = region.get(get);
    if (found.isEmpty()) {
      return Collections.emptyList();
    }
    List<Cell> whole = new ArrayList<>(found.listCells());
    if (Patches.isOn(Patch.EXPIRED_VALUES)) {
      long timeToLive = ExpiredValues.timeToLive(region);
      if (timeToLive != ExpiredValues.FOREVER) {
        ExpiredValues.removeFromLiveRow(whole, timeToLive, region, end);
      }
    }
    return whole;
  }
}
