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
package io.phoenixpruning.cli.console;

import java.sql.SQLException;
import java.util.List;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.phoenix.query.ConnectionQueryServices;

/** Looks up the regions of a table. */
public final class RegionLookup {

  private RegionLookup() {}

  /**
   * Clears the client's cached region locations, and returns the current regions in key order.
   *
   * @param physicalName name of the table in HBase, with its namespace
   */
  public static List<RegionInfo> currentRegions(
      ConnectionQueryServices services, byte[] physicalName) throws SQLException {
    services.clearTableRegionCache(TableName.valueOf(physicalName));
    return services.getAllTableRegions(physicalName).stream()
        .map(HRegionLocation::getRegion)
        .toList();
  }
}
