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
package org.apache.phoenix.pruning.patch.index;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.hbase.index.covered.data.CachedLocalTable;
import org.apache.phoenix.query.QueryConstants;
import org.apache.phoenix.util.EnvironmentEdgeManager;

/**
 * Removes the expired values of data rows.
 *
 * <p>In Phoenix, a row lives until nothing has been written to it for the time to live of its
 * table. If the row is written later, it starts a new life, without its old values.
 */
public final class ExpiredValues {

  /** Time to live of a table whose rows do not expire. */
  public static final long FOREVER = Long.MAX_VALUE;

  private ExpiredValues() {}

  /** Returns the time to live of the rows in {@code region}, in milliseconds. */
  public static long timeToLive(Region region) {
    int seconds = region.getTableDescriptor().getColumnFamilies()[0].getTimeToLive();
    return seconds == HConstants.FOREVER ? FOREVER : TimeUnit.SECONDS.toMillis(seconds);
  }

  /**
   * Removes from {@code rows} the values that have expired when {@code mutations} are written. For
   * a DELETE, the values of the last life stay, because their index row has to be deleted.
   */
  public static void removeFrom(
      CachedLocalTable rows, Collection<? extends Mutation> mutations, Region region)
      throws IOException {
    long timeToLive = timeToLive(region);
    if (timeToLive == FOREVER) {
      return;
    }
    for (Mutation mutation : mutations) {
      List<Cell> row = rows.getCurrentRowState(mutation, Collections.emptySet(), false);
      long time = mutation.getFamilyCellMap().values().iterator().next().get(0).getTimestamp();
      if (row != null && hasCellBefore(time - timeToLive, row)) {
        long[] timestamps = timestamps(region, row, time);
        removeOlderLives(row, timestamps, hasPut(mutation) ? time : newest(timestamps), timeToLive);
      }
    }
  }

  /**
   * Returns whether a mutation has a Put cell. Phoenix combines the mutations of a row, so the
   * class of the mutation does not show this.
   */
  private static boolean hasPut(Mutation mutation) {
    for (List<Cell> cells : mutation.getFamilyCellMap().values()) {
      for (Cell cell : cells) {
        if (cell.getType() == Cell.Type.Put) {
          return true;
        }
      }
    }
    return false;
  }

  /**
   * Removes the values of older lives from a row that has not expired.
   *
   * @param row cells of some columns of the row
   * @param end exclusive end of the time range that is read, in milliseconds
   */
  public static void removeFromLiveRow(List<Cell> row, long timeToLive, Region region, long end)
      throws IOException {
    long now = Math.min(end, EnvironmentEdgeManager.currentTimeMillis());
    if (hasCellBefore(now - timeToLive, row)) {
      long[] timestamps = timestamps(region, row, end - 1);
      removeOlderLives(row, timestamps, newest(timestamps), timeToLive);
    }
  }

  private static long newest(long[] timestamps) {
    return timestamps.length == 0 ? Long.MIN_VALUE : timestamps[timestamps.length - 1];
  }

  private static boolean hasCellBefore(long time, List<Cell> row) {
    for (Cell cell : row) {
      if (cell.getTimestamp() < time) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns the timestamps of all versions of a data row up to {@code last}, in ascending order.
   */
  private static long[] timestamps(Region region, List<Cell> row, long last) throws IOException {
    byte[] key = CellUtil.cloneRow(row.get(0));
    Scan scan = new Scan().withStartRow(key).withStopRow(key, true).setRaw(true).readAllVersions();
    for (byte[] family : region.getTableDescriptor().getColumnFamilyNames()) {
      if (!Bytes.toString(family).startsWith(QueryConstants.LOCAL_INDEX_COLUMN_FAMILY_PREFIX)) {
        scan.addFamily(family);
      }
    }
    List<Cell> versions = new ArrayList<>();
    try (RegionScanner scanner = region.getScanner(scan)) {
      scanner.next(versions);
    }
    return versions.stream()
        .mapToLong(Cell::getTimestamp)
        .filter(t -> t <= last)
        .sorted()
        .toArray();
  }

  /**
   * Removes the cells before the last gap that is longer than {@code timeToLive}.
   *
   * @param timestamps timestamps of the row in ascending order
   * @param time time at which the row lives; the gap may end here
   */
  private static void removeOlderLives(
      List<Cell> row, long[] timestamps, long time, long timeToLive) {
    long start = time;
    for (int i = timestamps.length - 1; i >= 0 && start - timestamps[i] <= timeToLive; i--) {
      start = timestamps[i];
    }
    long startOfLife = start;
    row.removeIf(cell -> cell.getTimestamp() < startOfLife);
  }
}
