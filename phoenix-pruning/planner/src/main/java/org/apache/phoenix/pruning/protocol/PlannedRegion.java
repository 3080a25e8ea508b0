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

import java.util.Arrays;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.phoenix.pruning.layout.KeyText;
import org.jspecify.annotations.Nullable;

/**
 * The boundaries of the region for which a local-index scan was planned. The boundaries are sent
 * with the scan. The server refuses the scan in any other region, and the client plans the scan
 * again.
 */
public final class PlannedRegion {

  public static final String START_ATTRIBUTE = "_PruningRegionStart";
  public static final String END_ATTRIBUTE = "_PruningRegionEnd";

  private final byte[] start;
  private final byte[] end;

  private PlannedRegion(byte[] start, byte[] end) {
    this.start = start;
    this.end = end;
  }

  public static PlannedRegion of(RegionInfo region) {
    return new PlannedRegion(region.getStartKey(), region.getEndKey());
  }

  /**
   * Returns the region with which {@code scan} was stamped, or null if the scan was not stamped.
   */
  public static @Nullable PlannedRegion of(Scan scan) {
    byte[] start = scan.getAttribute(START_ATTRIBUTE);
    byte[] end = scan.getAttribute(END_ATTRIBUTE);
    return start == null || end == null ? null : new PlannedRegion(start, end);
  }

  /** Stamps {@code scan} as planned for this region. */
  public void stamp(Scan scan) {
    scan.setAttribute(START_ATTRIBUTE, start);
    scan.setAttribute(END_ATTRIBUTE, end);
  }

  /** Returns the inclusive start key; empty for the first region. */
  public byte[] start() {
    return start;
  }

  /** Returns the exclusive end key; empty for the last region. */
  public byte[] end() {
    return end;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof PlannedRegion
        && Arrays.equals(start, ((PlannedRegion) other).start)
        && Arrays.equals(end, ((PlannedRegion) other).end);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(start) + Arrays.hashCode(end);
  }

  @Override
  public String toString() {
    return "[" + KeyText.brief(start) + ", " + KeyText.brief(end) + ")";
  }
}
