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
import java.io.InterruptedIOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.apache.phoenix.coprocessorclient.BaseScannerRegionObserverConstants;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.pruning.protocol.RebuildRequest;
import org.apache.phoenix.query.QueryConstants;
import org.apache.phoenix.util.EnvironmentEdgeManager;

/**
 * Computes the timestamp of the rows that a rebuild writes into a local index.
 *
 * <p>The timestamp is later than the delete markers of the rebuild. It is earlier than the
 * timestamps of all writes that the scan of the rebuild does not see. So a concurrent write of a
 * row replaces the index row that the rebuild has written for the old values.
 */
public final class LocalIndexRebuild {

  private static final long MAX_WAIT_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** Attribute with which HBase's AccessController defers its decision to each cell. */
  private static final String CHECK_COVERING_PERMISSION = "check_covering_perm";

  private LocalIndexRebuild() {}

  /** Prepares {@code scan} if it requests a rebuild. Must run before the scanner is created. */
  public static void prepare(Region region, Scan scan) throws IOException {
    if (!RebuildRequest.isSet(scan)) {
      return;
    }
    if (!Patches.isOn(Patch.LOCAL_INDEX_REBUILD)
        || !(region instanceof HRegion)
        || scan.getAttribute(BaseScannerRegionObserverConstants.LOCAL_INDEX_BUILD_PROTO) == null) {
      RebuildRequest.remove(scan);
      return;
    }
    checkMayWrite((HRegion) region);
    // One millisecond later than the delete markers, which have the time of this server at most.
    long timestamp = EnvironmentEdgeManager.currentTimeMillis() + 1;
    awaitClockAfter(timestamp);
    awaitWrites((HRegion) region);
    // A row whose latest cells are left out would get the index row of its old values.
    scan.setTimeRange(0, Long.MAX_VALUE);
    RebuildRequest.setTimestamp(scan, timestamp);
  }

  /** Returns whether the user of the current call may write to the local indexes of a region. */
  public static boolean mayWrite(HRegion region) {
    try {
      checkMayWrite(region);
      return true;
    } catch (IOException denied) {
      return false;
    }
  }

  /**
   * Refuses a user who may not write to the local indexes of the region, before this class blocks
   * other writes. HBase asks the same coprocessors again for each row that is written.
   *
   * @throws AccessDeniedException if the user has no right to the whole family. On a table that
   *     checks each cell, rights to single cells are not enough for a rebuild.
   */
  private static void checkMayWrite(HRegion region) throws IOException {
    byte[] start = region.getRegionInfo().getStartKey();
    Put put = new Put(start.length == 0 ? new byte[1] : start);
    for (byte[] family : region.getTableDescriptor().getColumnFamilyNames()) {
      if (Bytes.toString(family).startsWith(QueryConstants.LOCAL_INDEX_COLUMN_FAMILY_PREFIX)) {
        put.addColumn(family, HConstants.EMPTY_BYTE_ARRAY, HConstants.EMPTY_BYTE_ARRAY);
      }
    }
    if (put.isEmpty()) {
      throw new DoNotRetryIOException(
          "A scan requests a rebuild of a local index, but "
              + region.getTableDescriptor().getTableName()
              + " has none");
    }
    if (region.getCoprocessorHost() != null) {
      region.getCoprocessorHost().prePut(put, new WALEdit());
      if (put.getAttribute(CHECK_COVERING_PERMISSION) != null) {
        throw new AccessDeniedException(
            "A rebuild of a local index needs the right to write to all families of local indexes of "
                + region.getTableDescriptor().getTableName());
      }
    }
  }

  private static void awaitClockAfter(long timestamp) throws IOException {
    long start = System.nanoTime();
    while (EnvironmentEdgeManager.currentTimeMillis() <= timestamp) {
      if (System.nanoTime() - start > MAX_WAIT_NANOS) {
        throw new IOException(
            "The clock of the server has not reached "
                + timestamp
                + " in 10 s. Rebuild the index again");
      }
      if (Thread.interrupted()) {
        throw new InterruptedIOException("Interrupted while waiting for the clock");
      }
      LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(200));
    }
  }

  /**
   * Waits for the batches that are being written, because Phoenix has already set their timestamps.
   * A batch acquires the update lock before Phoenix sets its timestamps, and holds the lock until
   * its rows are visible.
   */
  public static void awaitWrites(HRegion region) {
    region.blockUpdates();
    region.unblockUpdates();
  }

  /**
   * Makes a rebuilt index row expire together with its data row.
   *
   * @param timestamp timestamp of the data row
   * @param rebuilt timestamp of the index row
   */
  public static void limitLifetime(Put put, TableDescriptor table, long timestamp, long rebuilt) {
    for (byte[] family : put.getFamilyCellMap().keySet()) {
      int seconds = table.getColumnFamily(family).getTimeToLive();
      if (seconds != HConstants.FOREVER) {
        long remaining = TimeUnit.SECONDS.toMillis(seconds) - (rebuilt - timestamp);
        put.setTTL(Math.max(1, remaining));
      }
    }
  }
}
