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
package io.phoenixpruning.perf.harness.cluster;

import java.io.IOException;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;

/** A major compaction of a region in this process. */
final class RegionCompaction {

  private RegionCompaction() {}

  /**
   * Compacts all files of {@code region}. Returns when all its files were written by compactions
   * that began after this call.
   *
   * @throws NotServingRegionException if the region closes
   */
  static void run(HRegion region) throws IOException {
    long start = EnvironmentEdgeManager.currentTime();
    do {
      // A compaction skips a family that the server is already compacting on its own, for example
      // after the region opened. So wait for that first.
      region.waitForFlushesAndCompactions();
      if (region.isClosing() || region.isClosed()) {
        throw new NotServingRegionException("Cannot compact " + region + ", which is closing");
      }
      region.compact(true);
    } while (hasFilesFromBefore(region, start));
  }

  private static boolean hasFilesFromBefore(HRegion region, long start) throws IOException {
    long oldest = region.getOldestHfileTs(false);
    return oldest != 0 && oldest < start;
  }
}
