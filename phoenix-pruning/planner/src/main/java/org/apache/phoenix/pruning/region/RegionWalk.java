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
package org.apache.phoenix.pruning.region;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.pruning.key.KeySpace;

/**
 * Plans the regions that can hold a key of a key space: locate the next possible key, plan its
 * region, go on behind its end. One location lookup for each planned region, none for the others.
 */
public final class RegionWalk {

  private RegionWalk() {}

  /** The regions of a whole table that can hold a key of {@code space}, in key order. */
  public static List<HRegionLocation> plan(KeySpace space, RegionLocator locator)
      throws SQLException {
    return plan(space, HConstants.EMPTY_START_ROW, HConstants.EMPTY_END_ROW, locator);
  }

  /**
   * The regions that can hold a key of {@code space} in a range of keys, in key order.
   *
   * @param from inclusive, empty for the start of the table
   * @param to exclusive, empty for the end of the table
   */
  public static List<HRegionLocation> plan(
      KeySpace space, byte[] from, byte[] to, RegionLocator locator) throws SQLException {
    List<HRegionLocation> planned = new ArrayList<>();
    byte[] key = space.next(from);
    while (key != null && (to.length == 0 || Bytes.compareTo(key, to) < 0)) {
      HRegionLocation location = locator.locate(key);
      RegionInfo region = location.getRegion();
      if (!region.containsRow(key)) {
        throw new SQLException(
            "Looking for the region of row key "
                + Bytes.toStringBinary(key)
                + " gave "
                + region.getRegionNameAsString()
                + ", which ends at "
                + Bytes.toStringBinary(region.getEndKey())
                + "; run the statement again, and check hbase:meta for holes if it fails again");
      }
      planned.add(location);
      byte[] end = region.getEndKey();
      key = end.length == 0 ? null : space.next(end);
    }
    return planned;
  }
}
