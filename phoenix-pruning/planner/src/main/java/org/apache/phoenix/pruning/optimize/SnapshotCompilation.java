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
package org.apache.phoenix.pruning.optimize;

import static java.util.stream.Collectors.toList;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.SQLException;
import java.util.List;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.schema.PTable.IndexType;
import org.apache.phoenix.util.ScanUtil;
import org.jspecify.annotations.Nullable;

/**
 * Compiles a statement that reads a snapshot of a table. Does nothing if the patch {@link
 * Patch#SNAPSHOT_READ} is off.
 *
 * <p>A snapshot is read without the servers' coprocessors. On a server, the coprocessors add the
 * start key of a region to the range of index keys. Without this step, each scan of a local index
 * reads the whole region. An index in another table is not in the snapshot at all. So only the
 * table of the snapshot is read.
 */
public final class SnapshotCompilation implements AutoCloseable {

  /** Snapshot that a job reads. */
  public interface Snapshot {

    String name();

    /** Returns the table's name in HBase. */
    String table() throws IOException;
  }

  private static final ThreadLocal<SnapshotCompilation> CURRENT = new ThreadLocal<>();

  private final Snapshot snapshot;

  private final @Nullable SnapshotCompilation outer = CURRENT.get();

  private SnapshotCompilation(Snapshot snapshot) {
    this.snapshot = snapshot;
  }

  /** Begins a scope in which this thread compiles a statement that reads {@code snapshot}. */
  public static SnapshotCompilation begin(Snapshot snapshot) {
    SnapshotCompilation compilation = new SnapshotCompilation(snapshot);
    CURRENT.set(compilation);
    return compilation;
  }

  /**
   * Returns the candidates that can read the snapshot for which this thread compiles. Returns all
   * candidates if the thread compiles for no snapshot, or if no candidate can read it. {@link
   * #check} later refuses a plan that cannot.
   *
   * @throws UncheckedIOException if the description of the snapshot cannot be read
   */
  public static List<QueryPlan> restrict(List<QueryPlan> candidates) {
    SnapshotCompilation current = CURRENT.get();
    if (current == null || !isOn(candidates.get(0).getContext().getConnection())) {
      return candidates;
    }
    try {
      String table = current.snapshot.table();
      List<QueryPlan> readers =
          candidates.stream()
              .filter(candidate -> isIn(table, candidate.getTableRef().getTable()))
              .collect(toList());
      return readers.isEmpty() ? candidates : readers;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isOn(PhoenixConnection connection) {
    return Patches.isOn(Patch.SNAPSHOT_READ, connection);
  }

  private static boolean isIn(String snapshotTable, PTable table) {
    return table.getIndexType() != IndexType.LOCAL
        && table.getPhysicalName().getString().equals(snapshotTable);
  }

  /**
   * Checks that {@code plan} reads the table of the snapshot.
   *
   * @throws IOException if {@code plan} reads another table or a local index, or if the snapshot
   *     cannot be read
   */
  public void check(QueryPlan plan) throws IOException {
    if (isOn(plan.getContext().getConnection())) {
      String snapshotTable = snapshot.table();
      for (QueryPlan part : PlanStampCheck.scanningParts(plan)) {
        PTable read = part.getTableRef().getTable();
        if (!isIn(snapshotTable, read)) {
          throw new IOException(
              "The snapshot "
                  + snapshot.name()
                  + " cannot be read with a plan for "
                  + (read.getIndexType() == IndexType.LOCAL ? "the local index " : "")
                  + read.getName()
                  + ". Expected a plan for the table "
                  + snapshotTable
                  + ". Select from this table, without a hint that names an index");
        }
      }
    }
  }

  /**
   * Checks that {@code scan} can read a snapshot.
   *
   * @throws SQLException if {@code scan} was planned for a local index
   */
  public static void check(Scan scan, PhoenixConnection connection) throws SQLException {
    if (ScanUtil.isLocalIndex(scan) && isOn(connection)) {
      throw new SQLException(
          "A snapshot cannot be read with a scan of a local index. Expected a scan of the rows of"
              + " the table. Plan the scans again with the hint NO_INDEX");
    }
  }

  @Override
  public void close() {
    if (outer == null) {
      CURRENT.remove();
    } else {
      CURRENT.set(outer);
    }
  }
}
