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
package org.apache.phoenix.pruning.explain;

import java.util.List;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.phoenix.pruning.prune.RegionReport;
import org.jspecify.annotations.Nullable;

/** Attributes of EXPLAIN about regions, in addition to those of Phoenix. */
public interface ExplainedScan {

  /**
   * Returns the region report, or null if the scan reads no local index or was not planned by
   * Phoenix Pruning.
   */
  @Nullable RegionReport getRegionReport();

  /**
   * Returns the region of each scan, or null if Phoenix has not located the regions. A region may
   * occur several times.
   */
  @Nullable List<HRegionLocation> getScanLocations();

  /**
   * Returns a description of the loose index scan, or null if the scan is not a loose index scan.
   */
  @Nullable String getLooseIndexScan();
}
