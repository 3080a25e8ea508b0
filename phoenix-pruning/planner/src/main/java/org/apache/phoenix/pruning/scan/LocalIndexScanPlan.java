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
package org.apache.phoenix.pruning.scan;

import java.util.List;
import org.apache.hadoop.hbase.HRegionLocation;

/**
 * Regions and scans that were planned for one execution of a statement. A region can have several
 * scans, or none. Immutable.
 */
final class LocalIndexScanPlan {

  private final List<HRegionLocation> regions;
  private final PlannedScans scans;
  private final long nanos;

  /**
   * Creates a plan.
   *
   * @param regions the planned regions, in key order
   * @param nanos the time that planning took, in nanoseconds
   */
  LocalIndexScanPlan(List<HRegionLocation> regions, PlannedScans scans, long nanos) {
    this.regions = regions;
    this.scans = scans;
    this.nanos = nanos;
  }

  /** Returns the planned regions, in key order. */
  List<HRegionLocation> regions() {
    return regions;
  }

  PlannedScans scans() {
    return scans;
  }

  /** Returns the time that planning took, in nanoseconds. */
  long nanos() {
    return nanos;
  }
}
