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
package org.apache.phoenix.pruning.patch.viewindex;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.coprocessorclient.BaseScannerRegionObserverConstants;
import org.apache.phoenix.pruning.patch.index.LocalIndexRebuild;
import org.apache.phoenix.query.QueryConstants;
import org.apache.phoenix.util.ScanUtil;
import org.jspecify.annotations.Nullable;

/**
 * Local indexes of the views of a region's table.
 *
 * <p>The catalog is read at the first write after the region has opened, and at the first write
 * after an index was built or dropped in the region. If there are indexes, it is also read again
 * from time to time. All regions of a table on a server share what was read. Thread-safe.
 */
public final class ViewIndexes {

  /** Maximum time in seconds that a thread waits for another thread that reads the catalog. */
  private static final int WAIT_SECONDS = 5;

  /** Time in nanoseconds after which indexes are read again. */
  private static final long MAX_AGE = TimeUnit.MINUTES.toNanos(5);

  private static final byte[] LOCAL_INDEX_PREFIX =
      Bytes.toBytes(QueryConstants.LOCAL_INDEX_COLUMN_FAMILY_PREFIX);

  private final RegionCoprocessorEnvironment environment;
  private final ReadIndexes shared;

  /** Earliest time at which the catalog must have been read. See {@link System#nanoTime}. */
  private volatile long needed = System.nanoTime();

  private ViewIndexes(RegionCoprocessorEnvironment environment, ReadIndexes shared) {
    this.environment = environment;
    this.shared = shared;
  }

  /** Returns the indexes of a region, or null if its table has no family of local indexes. */
  public static @Nullable ViewIndexes of(RegionCoprocessorEnvironment environment) {
    TableDescriptor table = environment.getRegion().getTableDescriptor();
    for (byte[] family : table.getColumnFamilyNames()) {
      if (isOfLocalIndexes(family)) {
        Object shared =
            environment
                .getSharedData()
                .computeIfAbsent(
                    "view-index-writes:" + table.getTableName(), name -> new ReadIndexes());
        return new ViewIndexes(environment, (ReadIndexes) shared);
      }
    }
    return null;
  }

  static boolean isOfLocalIndexes(byte[] family) {
    return Bytes.startsWith(family, LOCAL_INDEX_PREFIX);
  }

  /** Returns whether a scan builds a local index. */
  public static boolean isBuilt(Scan scan) {
    return scan.getAttribute(BaseScannerRegionObserverConstants.LOCAL_INDEX_BUILD_PROTO) != null;
  }

  /**
   * Returns whether a scan may delete the rows of a local index that was dropped. A DELETE along a
   * local index looks the same.
   */
  public static boolean mayBeDropped(Scan scan) {
    return scan.getAttribute(BaseScannerRegionObserverConstants.DELETE_AGG) != null
        && ScanUtil.isLocalIndex(scan);
  }

  /**
   * Prepares for a scan that builds an index, or that may delete the rows of a dropped one. Must
   * run before the scanner is opened: a build then sees each row, or the write of the row maintains
   * the index. CREATE LOCAL INDEX and ALTER INDEX ... REBUILD scan each region that has rows of the
   * view.
   */
  public void prepare(HRegion region, boolean builds) throws IOException {
    if (!builds && read().isEmpty()) {
      return;
    }
    needed = System.nanoTime();
    // Earlier batches may not know the index. A user without the right to write builds none.
    if (builds && LocalIndexRebuild.mayWrite(region)) {
      LocalIndexRebuild.awaitWrites(region);
    }
  }

  /**
   * Returns the indexes.
   *
   * @throws IOException if the catalog cannot be read, or another thread takes too long to read it
   */
  public List<ViewIndex> read() throws IOException {
    return shared.readSince(needed, environment);
  }

  /** The indexes that all regions of a table on a server share. */
  private static final class ReadIndexes {

    /** Lock that a thread holds while it reads the catalog. */
    private final ReentrantLock lock = new ReentrantLock();

    private volatile @Nullable Snapshot last;

    /** Returns indexes that were read after {@code earliest}. */
    List<ViewIndex> readSince(long earliest, RegionCoprocessorEnvironment environment)
        throws IOException {
      Snapshot current = last;
      if (current != null && current.isReadSince(earliest)) {
        if (!current.isOld()) {
          return current.indexes;
        }
        // Only one thread reads the catalog again, and the others do not wait.
        if (!lock.tryLock()) {
          return current.indexes;
        }
      } else {
        acquireLock(environment);
      }
      try {
        current = last;
        if (current == null || !current.isReadSince(earliest) || current.isOld()) {
          current = new Snapshot(System.nanoTime(), ViewIndexReader.read(environment));
          last = current;
        }
        return current.indexes;
      } catch (SQLException e) {
        throw new IOException(
            "Cannot read the local indexes of the views of "
                + environment.getRegionInfo().getTable(),
            e);
      } finally {
        lock.unlock();
      }
    }

    /**
     * Acquires the lock, but waits only for a limited time. The thread that reads the catalog may
     * need a handler of this server, and the waiting threads may occupy all handlers.
     */
    private void acquireLock(RegionCoprocessorEnvironment environment) throws IOException {
      try {
        if (!lock.tryLock(WAIT_SECONDS, TimeUnit.SECONDS)) {
          throw new RegionTooBusyException(
              "Another thread is still reading the local indexes of the views of "
                  + environment.getRegionInfo().getTable()
                  + " from SYSTEM.CATALOG");
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw (IOException) new InterruptedIOException().initCause(e);
      }
    }
  }

  /** Indexes, and the time at which the catalog was read. */
  private static final class Snapshot {

    /** Time before the catalog was read. See {@link System#nanoTime}. */
    private final long time;

    private final List<ViewIndex> indexes;

    Snapshot(long time, List<ViewIndex> indexes) {
      this.time = time;
      this.indexes = indexes;
    }

    boolean isReadSince(long earliest) {
      return time - earliest >= 0;
    }

    /** Without indexes, there is none that may have been dropped. */
    boolean isOld() {
      return !indexes.isEmpty() && System.nanoTime() - time > MAX_AGE;
    }
  }
}
