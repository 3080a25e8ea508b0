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
package org.apache.phoenix.pruning.protocol;

import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Scan;
import org.jspecify.annotations.Nullable;

/**
 * The boundaries of the region for which a local-index scan was planned. The boundaries are sent
 * with the scan. The server refuses the scan in any other region, and the client plans the scan
 * again.
 */
public final class PlannedRegion extends ScanKeyRange {

  public static final String START_ATTRIBUTE = "_PruningRegionStart";
  public static final String END_ATTRIBUTE = "_PruningRegionEnd";

  private PlannedRegion(byte[] start, byte[] end) {
    super(start, end);
  }

  public static PlannedRegion of(RegionInfo region) {
    return new PlannedRegion(region.getStartKey(), region.getEndKey());
  }

  /**
   * Returns the region with which {@code scan} was stamped, or null if the scan was not stamped.
   */
  public static @Nullable PlannedRegion of(Scan scan) {
    return read(scan, START_ATTRIBUTE, END_ATTRIBUTE, PlannedRegion::new);
  }

  /** Stamps {@code scan} as planned for this region. */
  public void stamp(Scan scan) {
    write(scan, START_ATTRIBUTE, END_ATTRIBUTE);
  }
}
