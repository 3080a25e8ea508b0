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

import java.util.List;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.util.Bytes;

/** A locator over a list of known regions, such as the regions of a snapshot. */
public final class RegionList implements KeyRegionLocator {

  private final List<HRegionLocation> regions;

  /**
   * Creates a locator over a list of regions.
   *
   * @param regions regions in key order, the first of which starts with the empty key; the list is
   *     not copied
   */
  public RegionList(List<HRegionLocation> regions) {
    if (regions.isEmpty()) {
      throw new IllegalArgumentException("a table has at least one region");
    }
    this.regions = regions;
  }

  @Override
  public HRegionLocation locate(byte[] rowKey) {
    int low = 0;
    int high = regions.size() - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (Bytes.compareTo(regions.get(middle).getRegion().getStartKey(), rowKey) <= 0) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return regions.get(low);
  }
}
