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

import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.apache.phoenix.execute.MutationState;
import org.apache.phoenix.execute.MutationState.MultiRowMutationState;
import org.apache.phoenix.execute.MutationState.RowMutationState;
import org.apache.phoenix.hbase.index.util.ImmutableBytesPtr;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.schema.TableRef;
import org.apache.phoenix.util.EnvironmentEdgeManager;

/**
 * Sends the DELETE of a row before the UPSERT that follows it in the same commit. Phoenix's {@code
 * MutationState.joinMutationState} drops the DELETE. So the columns that the UPSERT does not name
 * keep their old values, in the table and in its indexes (not reported).
 *
 * <p>Example: {@code DELETE FROM T WHERE K = 1} and {@code UPSERT INTO T (K, V) VALUES (1, 5)} in
 * one commit. Then {@code SELECT K, V, W FROM T} returns the old value of W.
 */
public privileged aspect DeleteThenUpsertAspect {

  /** Deletes by the row that has replaced them, or null if there are none. */
  private PrecedingDeletes MutationState.precedingDeletes;

  /**
   * Last timestamp of a batch, or 0. It is only used after a DELETE was sent before an UPSERT,
   * because the UPSERT needs a later timestamp.
   */
  private long MutationState.lastTimestamp;

  after(MutationState state, ImmutableBytesPtr key, RowMutationState row)
      returning(RowMutationState replaced) :
      call(RowMutationState MultiRowMutationState.put(ImmutableBytesPtr, RowMutationState))
      && withincode(
          void MutationState.joinMutationState(TableRef, MultiRowMutationState, Map))
      && this(state)
      && args(key, row) {
    if (replaced != null
        && replaced != row
        && (state.precedingDeletes != null || PrecedingDeletes.isDelete(replaced))
        && Patches.isOn(Patch.DELETE_THEN_UPSERT, state.connection)) {
      if (state.precedingDeletes == null) {
        state.precedingDeletes = new PrecedingDeletes();
      }
      state.precedingDeletes.replace(replaced, row);
    }
  }

  after(MutationState state, MutationState other) returning :
      execution(void MutationState.join(MutationState))
      && this(state)
      && args(other) {
    if (other.precedingDeletes != null && other != state) {
      state.precedingDeletes =
          PrecedingDeletes.join(state.precedingDeletes, other.precedingDeletes);
    }
  }

  before(MutationState state) :
      execution(List MutationState.createCommitBatches(Iterator))
      && this(state) {
    if (state.precedingDeletes != null) {
      int count = state.precedingDeletes.insertInto(state.mutationsMap, state.connection.getSCN());
      if (count > 0) {
        state.numRows += count;
        state.lastTimestamp = Math.max(state.lastTimestamp, 1);
      }
      state.precedingDeletes = null;
    }
  }

  before(MutationState state) :
      execution(void MutationState.resetState())
      && this(state) {
    state.precedingDeletes = null;
  }

  long around(MutationState state) :
      call(long EnvironmentEdgeManager.currentTimeMillis())
      && withincode(void MutationState.sendBatch(..))
      && this(state) {
    long now = proceed(state);
    if (state.lastTimestamp == 0) {
      return now;
    }
    state.lastTimestamp = Math.max(now, state.lastTimestamp + 1);
    return state.lastTimestamp;
  }
}
