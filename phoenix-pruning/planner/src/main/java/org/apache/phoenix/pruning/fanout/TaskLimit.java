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
package org.apache.phoenix.pruning.fanout;

import java.util.List;
import java.util.function.IntSupplier;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.jspecify.annotations.Nullable;

/**
 * Limits how many tasks of a statement run at a time. The limit is lower while other connections
 * run short statements.
 */
final class TaskLimit implements IntSupplier {

  private final PhoenixConnection connection;
  private final ShortQueryTracker shortQueries;
  private final int fullLimit;
  private final @Nullable List<HRegionLocation> regions;

  /** Limit while short statements run; 0 until computed. */
  private int reducedLimit;

  /**
   * Creates the limit of one statement.
   *
   * @param regions the regions of the scans, or null if short statements do not change the limit
   */
  TaskLimit(
      PhoenixConnection connection,
      ShortQueryTracker shortQueries,
      int fullLimit,
      @Nullable List<HRegionLocation> regions) {
    this.connection = connection;
    this.shortQueries = shortQueries;
    this.fullLimit = fullLimit;
    this.regions = regions;
  }

  @Override
  public int getAsInt() {
    return regions != null && shortQueries.hasRecentOfOthers(connection)
        ? Math.min(fullLimit, reducedLimit(regions))
        : fullLimit;
  }

  /**
   * Returns the limit while short statements run: one scan for every second region server, but at
   * least 2.
   */
  private int reducedLimit(List<HRegionLocation> regions) {
    if (reducedLimit == 0) {
      long servers = regions.stream().map(HRegionLocation::getServerName).distinct().count();
      reducedLimit = (int) Math.max(2, servers / 2);
    }
    return reducedLimit;
  }
}
