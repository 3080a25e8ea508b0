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
import org.apache.phoenix.pruning.region.RegionReport;

/** What the attributes of EXPLAIN say of regions, besides Phoenix's own. */
public interface ExplainedScan {

  /** Null if no local index is scanned, or the scan was not planned here. */
  RegionReport getRegionReport();

  /**
   * Where each scan goes; a region may be there several times. Null if Phoenix has not located the
   * regions.
   */
  List<HRegionLocation> getScanLocations();

  /** How a local index is sought from prefix to prefix; null if it is not. */
  String getLooseIndexScan();
}
