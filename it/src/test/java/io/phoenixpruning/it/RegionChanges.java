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
package io.phoenixpruning.it;

import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.MetaTableAccessor;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.awaitility.Awaitility;

/** Splits and merges regions of a mini cluster, and returns when that is done. */
public final class RegionChanges {

  private final HBaseTestingUtility utility;

  public RegionChanges(HBaseTestingUtility utility) {
    this.utility = utility;
  }

  /** The regions of a table in key order. */
  public List<RegionInfo> regions(String table) throws Exception {
    List<RegionInfo> regions = utility.getAdmin().getRegions(TableName.valueOf(table));
    Collections.sort(regions, RegionInfo.COMPARATOR);
    return regions;
  }

  /** Merges regions that lie side by side. */
  public void merge(RegionInfo... regions) throws Exception {
    compact(regions[0].getTable());
    byte[][] names =
        Arrays.stream(regions).map(RegionInfo::getEncodedNameAsBytes).toArray(byte[][]::new);
    utility.getAdmin().mergeRegionsAsync(names, true).get();
  }

  public void split(RegionInfo region, byte[] splitPoint) throws Exception {
    compact(region.getTable());
    utility.getAdmin().splitRegionAsync(region.getRegionName(), splitPoint).get();
  }

  /** Waits until no region refers to files of its parents: only then it splits or merges. */
  public void compact(TableName table) {
    Awaitility.await()
        .atMost(Duration.ofMinutes(2))
        .until(
            () -> {
              boolean referring = false;
              for (HRegion region : utility.getHBaseCluster().getRegions(table)) {
                if (region.hasReferences()) {
                  compact(region);
                  referring |= region.hasReferences();
                }
              }
              return !referring && !remembersMerges(table);
            });
  }

  /** Whether some region is still known as the merged one of others, and refuses to merge again. */
  private boolean remembersMerges(TableName table) throws IOException {
    utility.getAdmin().runCatalogJanitor();
    for (RegionInfo region : utility.getAdmin().getRegions(table)) {
      if (MetaTableAccessor.hasMergeRegions(utility.getConnection(), region)) {
        return true;
      }
    }
    return false;
  }

  private void compact(HRegion region) throws IOException {
    region.compact(true);
    for (HStore store : region.getStores()) {
      // As a chore does some seconds later.
      store.closeAndArchiveCompactedFiles();
    }
  }
}
