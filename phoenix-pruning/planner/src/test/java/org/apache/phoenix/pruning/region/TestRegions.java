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

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/** Regions of a test table, with a count of the lookups. */
final class TestRegions implements KeyRegionLocator {

  private static final TableName TABLE = TableName.valueOf("T");
  private static final ServerName SERVER = ServerName.valueOf("server", 1, 1);

  private final List<byte[]> boundaries;
  private final List<HRegionLocation> locations;
  private final RegionList list;
  private int lookups;

  /**
   * Creates the regions between {@code boundaries}, which ascend. There is one more region than
   * there are boundaries.
   */
  TestRegions(List<byte[]> boundaries) {
    this.boundaries = List.copyOf(boundaries);
    this.locations = new ArrayList<>();
    for (int i = 0; i <= boundaries.size(); i++) {
      locations.add(
          new HRegionLocation(
              RegionInfoBuilder.newBuilder(TABLE).setStartKey(start(i)).setEndKey(end(i)).build(),
              SERVER));
    }
    this.list = new RegionList(locations);
  }

  @Override
  public HRegionLocation locate(byte[] rowKey) {
    lookups++;
    return list.locate(rowKey);
  }

  int lookups() {
    return lookups;
  }

  int count() {
    return locations.size();
  }

  byte[] start(int region) {
    return region == 0 ? HConstants.EMPTY_START_ROW : boundaries.get(region - 1);
  }

  byte[] end(int region) {
    return region == boundaries.size() ? HConstants.EMPTY_END_ROW : boundaries.get(region);
  }

  boolean contains(int region, byte[] key) {
    byte[] end = end(region);
    return Bytes.compareTo(start(region), key) <= 0
        && (end.length == 0 || Bytes.compareTo(key, end) < 0);
  }

  /** Returns the index of the region of {@code key}, found by a linear search. */
  int indexOf(byte[] key) {
    int region = 0;
    while (!contains(region, key)) {
      region++;
    }
    return region;
  }

  /** Returns the index of each planned region. */
  List<Integer> indexesOf(List<HRegionLocation> planned) {
    return planned.stream().map(location -> indexOf(location.getRegion().getStartKey())).toList();
  }

  String describe(int region) {
    return "["
        + Bytes.toStringBinary(start(region))
        + ", "
        + Bytes.toStringBinary(end(region))
        + ")";
  }

  @Override
  public String toString() {
    return boundaries.stream().map(Bytes::toStringBinary).toList().toString();
  }
}
