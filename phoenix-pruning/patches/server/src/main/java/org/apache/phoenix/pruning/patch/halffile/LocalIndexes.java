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
package org.apache.phoenix.pruning.patch.halffile;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.sql.SQLException;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.pruning.layout.IndexRowMapping;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.schema.TableNotFoundException;
import org.apache.phoenix.schema.types.PLong;
import org.apache.phoenix.schema.types.PSmallint;
import org.apache.phoenix.util.IndexUtil;
import org.apache.phoenix.util.QueryUtil;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the local indexes that have rows in a region that was split: indexes of its table and of
 * the table's views.
 *
 * <p>The table's indexes are read from the catalog once, when the region opens. This is enough
 * because this class is not used for rows written after the split. The table may have many views.
 * They are read only if an index row belongs to none of the table's indexes. Thread-safe.
 *
 * <p>A compaction deletes the rows of an index that is not found. A missing link in
 * SYSTEM.CHILD_LINK does not prove that an index was dropped: Phoenix writes that table separately
 * from SYSTEM.CATALOG, and rows can be missing. Before an index counts as dropped, this class
 * therefore reads all local indexes in SYSTEM.CATALOG that are stored in the table. If the catalog
 * has an index but not its view, a compaction fails and keeps the files.
 */
public final class LocalIndexes {

  /** Possible lengths of an index id in bytes, the longer length first. */
  private static final int[] ID_LENGTHS = {
    PLong.INSTANCE.getByteSize(), PSmallint.INSTANCE.getByteSize()
  };

  private enum Read {
    NOTHING,
    TABLE,
    LINKED_VIEWS,
    ALL
  }

  /** Maximum time in seconds that a thread waits for another thread that reads the catalog. */
  private static final int WAIT_SECONDS = 5;

  private static final Logger LOGGER = LoggerFactory.getLogger(LocalIndexes.class);

  private final RegionCoprocessorEnvironment environment;

  /** Maps an index id, encoded as in the index rows, to the index. */
  private volatile Map<ImmutableBytesWritable, IndexRowMapping> indexes = Collections.emptyMap();

  /** The ids of indexes in SYSTEM.CATALOG whose view Phoenix does not find. */
  private volatile Set<ImmutableBytesWritable> unreadable = Collections.emptySet();

  private volatile Read read = Read.NOTHING;

  /** Lock that a thread holds while it reads the catalog. */
  private final ReentrantLock lock = new ReentrantLock();

  /**
   * Creates an object that reads nothing yet.
   *
   * @param environment environment of the region that was split
   */
  public LocalIndexes(RegionCoprocessorEnvironment environment) {
    this.environment = environment;
  }

  RegionCoprocessorEnvironment environment() {
    return environment;
  }

  /**
   * Reads the indexes of the table, but not those of its views. The thread that opens a region
   * calls this method, so that no handler has to wait for the catalog at the first row. If the
   * catalog cannot be read now, the indexes are read at the first row.
   */
  public void readTable() {
    try {
      acquireLock();
      try {
        if (read == Read.NOTHING) {
          readMore();
        }
      } finally {
        lock.unlock();
      }
    } catch (IOException | RuntimeException e) {
      // HBase would stop the server because of a RuntimeException.
      LOGGER.warn(
          "Cannot read the local indexes of {} yet. The server reads them at the first index row",
          environment.getRegionInfo().getTable(),
          e);
    }
  }

  /**
   * Returns the row key of the data row for an index row.
   *
   * @param indexKey row key in the index, without the start key of the region
   * @param keepsUnreadable true to fail for a row whose index is in the catalog but cannot be read
   * @return row key of the data row, or null if the index was dropped
   * @throws IOException if the catalog cannot be read, or another thread takes too long to read it
   */
  public byte @Nullable [] dataKey(ImmutableBytesWritable indexKey, boolean keepsUnreadable)
      throws IOException {
    IndexRowMapping index = find(indexes::get, indexKey);
    if (index == null && read != Read.ALL) {
      index = readUntilFound(indexKey);
    }
    if (index == null
        && keepsUnreadable
        && find(id -> unreadable.contains(id) ? id : null, indexKey) != null) {
      // Reads the catalog again at the next compaction, because the view may exist by then.
      read = Read.LINKED_VIEWS;
      throw new IOException(
          "Cannot assign an index row of "
              + environment.getRegionInfo().getTable()
              + " to a half of the split region. SYSTEM.CATALOG has the index, but not its view."
              + " Repair or drop the view. Until then, files with rows of the index are not"
              + " compacted");
    }
    return index == null ? null : index.dataRowKey(indexKey);
  }

  private @Nullable IndexRowMapping readUntilFound(ImmutableBytesWritable indexKey)
      throws IOException {
    acquireLock();
    try {
      IndexRowMapping index = find(indexes::get, indexKey);
      while (index == null && read != Read.ALL) {
        readMore();
        index = find(indexes::get, indexKey);
      }
      return index;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Acquires the lock, but waits only for a limited time. The thread that reads the catalog may
   * need a handler of this server, and the waiting threads may occupy all handlers.
   */
  private void acquireLock() throws IOException {
    try {
      if (!lock.tryLock(WAIT_SECONDS, TimeUnit.SECONDS)) {
        throw new RegionTooBusyException(
            "Another thread is still reading the local indexes of "
                + environment.getRegionInfo().getTable()
                + " from SYSTEM.CATALOG");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException) new InterruptedIOException().initCause(e);
    }
  }

  private static <T> @Nullable T find(
      Function<ImmutableBytesWritable, T> byId, ImmutableBytesWritable indexKey) {
    for (int length : ID_LENGTHS) {
      if (length <= indexKey.getLength()) {
        T found =
            byId.apply(new ImmutableBytesWritable(indexKey.get(), indexKey.getOffset(), length));
        if (found != null) {
          return found;
        }
      }
    }
    return null;
  }

  private void readMore() throws IOException {
    Configuration configuration = environment.getConfiguration();
    TableDescriptor descriptor = environment.getRegion().getTableDescriptor();
    Map<ImmutableBytesWritable, IndexRowMapping> more = new HashMap<>(indexes);
    try (PhoenixConnection connection =
        QueryUtil.getConnectionOnServer(configuration).unwrap(PhoenixConnection.class)) {
      PTable table = IndexUtil.getPDataTable(connection, descriptor);
      LocalIndexReader reader = new LocalIndexReader(environment, connection, table, more);
      if (read == Read.NOTHING) {
        reader.addTable();
        indexes = more;
        read = Read.TABLE;
      } else if (read == Read.TABLE) {
        reader.addLinkedViews();
        indexes = more;
        read = Read.LINKED_VIEWS;
      } else {
        unreadable = reader.addAllViews();
        indexes = more;
        read = Read.ALL;
      }
    } catch (TableNotFoundException e) {
      // The table was dropped, so a retry of the client cannot succeed.
      throw new DoNotRetryIOException(
          "Cannot read the local indexes of " + descriptor.getTableName(), e);
    } catch (SQLException e) {
      throw new IOException("Cannot read the local indexes of " + descriptor.getTableName(), e);
    }
  }
}
