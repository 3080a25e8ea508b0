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

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.iterate.DefaultParallelScanGrouper;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.pruning.config.PruningOptions;
import org.apache.phoenix.pruning.prune.LocalIndexRegions;
import org.apache.phoenix.query.ConnectionQueryServices;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the regions whose servers get the hash table of a hash join. Only regions that can hold a
 * row with a key of the build side need it.
 */
public final class HashCacheRegions {

  private HashCacheRegions() {}

  /**
   * Returns the regions of {@code probeSide} that need the hash table. Returns null if Phoenix's
   * own code has to choose the regions.
   *
   * @param isWhereKnown false if subqueries in the WHERE have not been executed yet
   */
  public static @Nullable List<HRegionLocation> of(QueryPlan probeSide, boolean isWhereKnown)
      throws SQLException {
    // Verification also reads the other regions.
    return PlanningMode.of(probeSide) != PruningMode.EXACT
            || PruningOptions.of(probeSide.getContext().getConnection()).verify()
        ? null
        : new LocalIndexRegions(
                probeSide,
                null,
                PruningMode.EXACT,
                isWhereKnown,
                DefaultParallelScanGrouper.getInstance())
            .planned();
  }

  /**
   * Returns the current locations of {@code regions}, or null if a region has moved to another
   * server.
   */
  public static @Nullable List<HRegionLocation> current(
      ConnectionQueryServices services, byte[] table, Set<HRegionLocation> regions)
      throws SQLException {
    List<HRegionLocation> current = new ArrayList<>();
    for (HRegionLocation region : regions) {
      HRegionLocation now =
          services.getTableRegionLocation(table, region.getRegion().getStartKey());
      if (!now.equals(region)) {
        return null;
      }
      current.add(now);
    }
    return current;
  }
}
