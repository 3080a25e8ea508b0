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
package org.apache.phoenix.pruning.patch.write;

import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.apache.phoenix.execute.MutationState.MultiRowMutationState;
import org.apache.phoenix.execute.MutationState.RowMutationState;
import org.apache.phoenix.hbase.index.util.ImmutableBytesPtr;
import org.apache.phoenix.schema.PRow;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.schema.PTableType;
import org.apache.phoenix.schema.TableRef;
import org.jspecify.annotations.Nullable;

/** Keeps the deletes that an UPSERT of the same row has replaced in a commit. */
public final class PrecedingDeletes {

  private final Map<RowMutationState, RowMutationState> deletes = new IdentityHashMap<>();

  /** Records that {@code row} replaces {@code replaced}, an earlier state of the row. */
  void replace(RowMutationState replaced, RowMutationState row) {
    RowMutationState delete = isDelete(replaced) ? replaced : deletes.remove(replaced);
    if (delete != null && !isDelete(row)) {
      deletes.put(row, delete);
    }
  }

  /**
   * Adds {@code others} to {@code deletes}.
   *
   * @param deletes the deletes to extend, or null if there are none
   */
  static PrecedingDeletes join(@Nullable PrecedingDeletes deletes, PrecedingDeletes others) {
    PrecedingDeletes joined = deletes == null ? new PrecedingDeletes() : deletes;
    joined.deletes.putAll(others.deletes);
    return joined;
  }

  /**
   * Inserts batches of deletes before the batches that have the rows.
   *
   * @param mutations the batches of each table
   * @param scn the timestamp of all batches, or null if a later batch has a later timestamp
   * @return number of deletes
   */
  int insertInto(Map<TableRef, List<MultiRowMutationState>> mutations, @Nullable Long scn) {
    if (scn != null) {
      return 0;
    }
    int count = 0;
    for (Map.Entry<TableRef, List<MultiRowMutationState>> entry : mutations.entrySet()) {
      if (isSentInOrder(entry.getKey().getTable())) {
        count += insertInto(entry.getValue());
      }
    }
    return count;
  }

  /**
   * Returns whether a later batch of {@code table} has a later timestamp. With a row timestamp
   * column, both batches have the same one. Transactions and system tables have their own rules.
   */
  private static boolean isSentInOrder(PTable table) {
    return !table.isTransactional()
        && table.getType() != PTableType.SYSTEM
        && table.getType() != PTableType.INDEX
        && table.getRowTimestampColPos() == -1;
  }

  private int insertInto(List<MultiRowMutationState> batches) {
    int count = 0;
    for (int i = 0; i < batches.size(); i++) {
      MultiRowMutationState before = deletesOf(batches.get(i));
      if (!before.isEmpty()) {
        batches.add(i++, before);
        count += before.size();
      }
    }
    return count;
  }

  private MultiRowMutationState deletesOf(MultiRowMutationState batch) {
    MultiRowMutationState before = new MultiRowMutationState(1);
    for (Map.Entry<ImmutableBytesPtr, RowMutationState> row : batch.entrySet()) {
      RowMutationState delete = deletes.get(row.getValue());
      if (delete != null) {
        before.put(row.getKey(), delete);
      }
    }
    return before;
  }

  /** Returns whether {@code row} is deleted. */
  public static boolean isDelete(RowMutationState row) {
    return row.getColumnValues() == PRow.DELETE_MARKER;
  }
}
