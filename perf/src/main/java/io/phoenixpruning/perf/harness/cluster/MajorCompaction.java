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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.CompactionState;

/** A major compaction of a table that can be waited for, which HBase's client does not offer. */
final class MajorCompaction {

  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /** Number of requests without progress after which the servers are considered not to compact. */
  private static final int MAX_REQUESTS = 100;

  private MajorCompaction() {}

  /**
   * Compacts all files of {@code table}. Returns when each region has only files of a compaction
   * that began after this call.
   *
   * @throws IOException if a request fails, or if the servers do not compact
   */
  static void run(Admin admin, TableName table) throws IOException {
    Map<String, Long> before = new HashMap<>();
    for (RegionMetrics region : regions(admin, table)) {
      before.put(region.getNameAsString(), region.getLastMajorCompactionTimestamp());
    }
    int families = admin.getDescriptor(table).getColumnFamilyCount();
    admin.majorCompact(table);
    int requests = 0;
    int last = before.size();
    while (true) {
      // The state is not NONE until all families of each requested region are compacted.
      boolean isIdle = admin.getCompactionState(table) == CompactionState.NONE;
      List<RegionMetrics> missing = new ArrayList<>(regions(admin, table));
      missing.removeIf(region -> isCompacted(region, families, before));
      if (isIdle && missing.isEmpty()) {
        return;
      }
      requests = isIdle && missing.size() == last ? requests + 1 : 0;
      last = missing.size();
      if (requests > MAX_REQUESTS) {
        throw new IOException(
            ("%d of %d regions of %s are not compacted, and no server compacts them. Turn"
                    + " compactions on with compaction_switch in the HBase shell")
                .formatted(missing.size(), before.size(), table));
      }
      if (isIdle) {
        // The region moved, or was compacting some of its files when it was asked.
        for (RegionMetrics region : missing) {
          admin.majorCompactRegion(region.getRegionName());
        }
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
  }

  /**
   * Returns whether all files of a region were compacted. HBase's timestamp covers only files that
   * major compactions wrote, so the number of files is checked as well.
   */
  private static boolean isCompacted(RegionMetrics region, int families, Map<String, Long> before) {
    return region.getStoreFileCount() == 0
        || (region.getStoreFileCount() <= families
            && region.getLastMajorCompactionTimestamp()
                > before.getOrDefault(region.getNameAsString(), 0L));
  }

  private static List<RegionMetrics> regions(Admin admin, TableName table) throws IOException {
    List<RegionMetrics> regions = new ArrayList<>();
    for (ServerName server : admin.getRegionServers()) {
      regions.addAll(admin.getRegionMetrics(server, table));
    }
    return regions;
  }
}
