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
package org.apache.phoenix.pruning.layout;

import org.apache.hadoop.hbase.client.RegionInfo;

/**
 * Prefix of the row keys of local indexes, which places the index rows in the region of their data.
 */
public final class IndexRowPrefix {

  private IndexRowPrefix() {}

  /** Returns the common prefix of the keys of all index rows in {@code region}. */
  public static byte[] of(RegionInfo region) {
    return of(region.getStartKey(), region.getEndKey());
  }

  /**
   * Returns the common prefix of the keys of all index rows in a region. The prefix is the start
   * key of the region. In the first region of a table, the prefix consists of zero bytes and is as
   * long as the end key.
   *
   * @param start inclusive start key; empty for the first region
   * @param end exclusive end key; empty for the last region
   */
  public static byte[] of(byte[] start, byte[] end) {
    return start.length > 0 ? start : new byte[end.length];
  }
}
