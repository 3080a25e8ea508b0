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
package org.apache.phoenix.pruning.server;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.phoenix.pruning.plan.PruningMode;
import org.apache.phoenix.pruning.plan.PruningOptions;

/**
 * Whether a region is served as stock's server would: {@code phoenix.pruning.mode} is {@code stock}
 * in the server's hbase-site.xml, or among the values of the table, which come first. Any other
 * value leaves it to check scans strictly, as without one.
 */
public final class ServerMode {

  private ServerMode() {}

  public static boolean isStock(Region region) {
    return region instanceof HRegion && isStock(((HRegion) region).getReadOnlyConfiguration());
  }

  /** Whether regions with this configuration are. */
  public static boolean isStock(Configuration ofRegion) {
    return PruningMode.STOCK.name().equalsIgnoreCase(ofRegion.getTrimmed(PruningOptions.MODE));
  }
}
