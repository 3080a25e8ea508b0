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
import org.apache.phoenix.pruning.layout.KeyText;
import org.jspecify.annotations.Nullable;

/**
 * Plans the regions that can hold a key of a key space. The walk locates the next possible key,
 * plans its region and continues at the end of the region. The walk looks up one location for each
 * planned region, and none for the other regions.
 */
public final class RegionWalk {

  /** Maximum number of times that overlapping regions are looked up again. */
  private static final int MAX_REFRESHES = 10;

  private RegionWalk() {}

  /** Returns the regions of a whole table that can hold a key of {@code space}, in key order. */
  public static List<HRegionLocation> plan(KeySpace space, KeyRegionLocator locator)
      throws SQLException {
    return plan(space, HConstants.EMPTY_START_ROW, HConstants.EMPTY_END_ROW, locator);
  }

  /**
   * Returns the regions that can hold a key of {@code space} in a range of keys, in key order.
   *
   * @param from inclusive start key; empty for the start of the table
   * @param to exclusive end key; empty for the end of the table
   */
  public static List<HRegionLocation> plan(
      KeySpace space, byte[] from, byte[] to, KeyRegionLocator locator) throws SQLException {
    return plan(space, from, to, Integer.MAX_VALUE, locator);
  }

  /** Returns the first {@code limit} regions that can hold a key of {@code space}, in key order. */
  public static List<HRegionLocation> first(int limit, KeySpace space, KeyRegionLocator locator)
      throws SQLException {
    return plan(space, HConstants.EMPTY_START_ROW, HConstants.EMPTY_END_ROW, limit, locator);
  }

  private static List<HRegionLocation> plan(
      KeySpace space, byte[] from, byte[] to, int limit, KeyRegionLocator locator)
      throws SQLException {
    for (int refreshes = 0; refreshes < MAX_REFRESHES; refreshes++) {
      List<HRegionLocation> planned = walk(space, from, to, limit, locator);
      if (planned != null) {
        return planned;
      }
    }
    throw new SQLException(
        "The regions of the table overlapped in each of "
            + MAX_REFRESHES
            + " lookups. Run the statement again. If it fails again, check hbase:meta for"
            + " overlaps");
  }

  /**
   * Returns the planned regions, or null if two regions overlap. In that case, one of the regions
   * was cached before a merge or a split, and both scans would read the shared rows. The
   * overlapping regions are looked up again.
   */
  private static @Nullable List<HRegionLocation> walk(
      KeySpace space, byte[] from, byte[] to, int limit, KeyRegionLocator locator)
      throws SQLException {
    List<HRegionLocation> planned = new ArrayList<>();
    byte[] previousEnd = null;
    byte[] key = space.next(from);
    while (key != null
        && planned.size() < limit
        && (to.length == 0 || Bytes.compareTo(key, to) < 0)) {
      HRegionLocation location = locator.locate(key);
      RegionInfo region = location.getRegion();
      if (!region.containsRow(key)) {
        throw new SQLException(
            "The lookup of the row key "
                + KeyText.brief(key)
                + " returned the region "
                + region.getEncodedName()
                + ", which ends at "
                + KeyText.brief(region.getEndKey())
                + ". Run the statement again. If it fails again, check hbase:meta for holes");
      }
      if (previousEnd != null && Bytes.compareTo(region.getStartKey(), previousEnd) < 0) {
        locator.refresh(planned.get(planned.size() - 1).getRegion().getStartKey(), previousEnd);
        return null;
      }
      planned.add(location);
      previousEnd = region.getEndKey();
      key = previousEnd.length == 0 ? null : space.next(previousEnd);
    }
    return planned;
  }
}
