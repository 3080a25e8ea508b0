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

import org.apache.hadoop.hbase.client.RegionInfo;

/** What the row keys of local indexes start with: they lie in the region of the data. */
public final class IndexRowPrefix {

  private IndexRowPrefix() {}

  /** What the keys of all index rows in {@code region} start with. */
  public static byte[] of(RegionInfo region) {
    return of(region.getStartKey(), region.getEndKey());
  }

  /**
   * What the keys of all index rows in a region start with: its start key, or in the first region
   * of a table, as many zero bytes as its end key is long.
   *
   * @param start inclusive; empty for the first region
   * @param end exclusive; empty for the last region
   */
  public static byte[] of(byte[] start, byte[] end) {
    return start.length > 0 ? start : new byte[end.length];
  }
}
