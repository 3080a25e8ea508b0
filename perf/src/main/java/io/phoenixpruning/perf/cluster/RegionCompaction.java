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
package io.phoenixpruning.perf.cluster;

import java.io.IOException;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;

/** A major compaction of a region in this process. */
final class RegionCompaction {

  private RegionCompaction() {}

  /**
   * Returns when all files of {@code region} were written by compactions that began meanwhile.
   *
   * @throws NotServingRegionException if the region closes
   */
  static void run(HRegion region) throws IOException {
    long start = EnvironmentEdgeManager.currentTime();
    do {
      // A family that the server is compacting of its own accord, as behind an opening, is left
      // out.
      region.waitForFlushesAndCompactions();
      if (region.isClosing() || region.isClosed()) {
        throw new NotServingRegionException(region + " closes and can't be compacted");
      }
      region.compact(true);
    } while (hasFilesOfBefore(region, start));
  }

  private static boolean hasFilesOfBefore(HRegion region, long start) throws IOException {
    long oldest = region.getOldestHfileTs(false);
    return oldest != 0 && oldest < start;
  }
}
