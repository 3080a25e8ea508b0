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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.MetaTableAccessor;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncAdmin;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.awaitility.Awaitility;

/**
 * Splits, merges and moves regions of a mini cluster. Each method returns when the change is
 * complete.
 */
public final class RegionChanges {

  private static final int MAX_ATTEMPTS = 3;

  private final HBaseTestingUtility utility;

  public RegionChanges(HBaseTestingUtility utility) {
    this.utility = utility;
  }

  /** Returns the regions of a table in key order. */
  public List<RegionInfo> regions(String table) throws Exception {
    List<RegionInfo> regions = utility.getAdmin().getRegions(TableName.valueOf(table));
    Collections.sort(regions, RegionInfo.COMPARATOR);
    return regions;
  }

  /** Merges adjacent regions. */
  public void merge(RegionInfo... regions) throws Exception {
    compact(regions[0].getTable());
    byte[][] names =
        Arrays.stream(regions).map(RegionInfo::getEncodedNameAsBytes).toArray(byte[][]::new);
    complete(() -> utility.getAdmin().mergeRegionsAsync(names, true));
  }

  public void split(RegionInfo region, byte[] splitPoint) throws Exception {
    compact(region.getTable());
    complete(() -> utility.getAdmin().splitRegionAsync(region.getRegionName(), splitPoint));
  }

  /**
   * Splits or merges, and tries again if HBase refuses because of recovered edits, which come from
   * the log of a dead server. After the refusal, HBase opens the regions again. This applies the
   * edits.
   */
  private void complete(Callable<Future<Void>> change) throws Exception {
    for (int attempt = 1; ; attempt++) {
      try {
        change.call().get();
        return;
      } catch (ExecutionException e) {
        if (attempt == MAX_ATTEMPTS || !e.getMessage().contains("Recovered.edits are found")) {
          throw e;
        }
        utility.waitUntilNoRegionsInTransition(60_000);
      }
    }
  }

  /**
   * Moves regions concurrently. While servers come and go, the master may assign a moved region to
   * another server. Then the region is moved again.
   */
  public void move(Map<RegionInfo, ServerName> targets) throws Exception {
    try (AsyncConnection connection =
        ConnectionFactory.createAsyncConnection(utility.getConfiguration()).get()) {
      Awaitility.await()
          .atMost(Duration.ofMinutes(2))
          .until(() -> moveMissing(targets, connection.getAdmin()) == 0);
    }
  }

  /** Moves the regions that are not on their target server, and returns their number. */
  private int moveMissing(Map<RegionInfo, ServerName> targets, AsyncAdmin admin) throws Exception {
    List<CompletableFuture<Void>> moves = new ArrayList<>();
    for (Map.Entry<RegionInfo, ServerName> target : targets.entrySet()) {
      byte[] region = target.getKey().getRegionName();
      ServerName holding =
          utility.getHBaseCluster().getServerHoldingRegion(target.getKey().getTable(), region);
      if (!target.getValue().equals(holding)) {
        moves.add(admin.move(region, target.getValue()));
      }
    }
    for (CompletableFuture<Void> move : moves) {
      move.get();
    }
    utility.waitUntilNoRegionsInTransition(60_000);
    return moves.size();
  }

  /**
   * Compacts until no region refers to files of its parents, because only then a region can split
   * or merge.
   */
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

  /**
   * Returns whether a region is still known as the result of a merge, in which case it cannot merge
   * again.
   */
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
      // A chore would do this some seconds later.
      store.closeAndArchiveCompactedFiles();
    }
  }
}
