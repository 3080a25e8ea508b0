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

import java.util.Arrays;
import org.apache.hadoop.hbase.HConstants.OperationStatusCode;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.phoenix.hbase.index.IndexRegionObserver;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;

/**
 * Attaches the rows of local indexes to a mutation that HBase writes.
 *
 * <p>{@code IndexRegionObserver.handleLocalIndexUpdates} attaches the index rows of a batch to its
 * first mutation. HBase leaves them out if Phoenix has told HBase to skip this mutation (not
 * reported). Phoenix skips an existing row of {@code ON DUPLICATE KEY IGNORE}, and a row that
 * {@code ON DUPLICATE KEY UPDATE} leaves as it is. In a table that also has a global index, it also
 * skips the {@code DELETE} of a row that does not exist.
 *
 * <p>Example: a commit has {@code UPSERT INTO T VALUES (1, 6) ON DUPLICATE KEY IGNORE} for an
 * existing row, and then the same for a new row 2. The index lacks the row 2.
 */
public aspect SkippedMutationAspect {

  void around(MiniBatchOperationInProgress batch, int index, Mutation[] added) :
      call(void MiniBatchOperationInProgress.addOperationsFromCP(int, Mutation[]))
      && withincode(void IndexRegionObserver.handleLocalIndexUpdates(..))
      && target(batch)
      && args(index, added) {
    if (isSkipped(batch, index) && Patches.isOn(Patch.SKIPPED_MUTATION)) {
      for (int other = 0; other < batch.size(); other++) {
        if (!isSkipped(batch, other)) {
          proceed(batch, other, concat(added, batch.getOperationsFromCoprocessors(other)));
          return;
        }
      }
    }
    proceed(batch, index, added);
  }

  private static boolean isSkipped(MiniBatchOperationInProgress batch, int index) {
    return batch.getOperationStatus(index).getOperationStatusCode() != OperationStatusCode.NOT_RUN;
  }

  private static Mutation[] concat(Mutation[] first, Mutation[] second) {
    if (second == null) {
      return first;
    }
    Mutation[] all = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, all, first.length, second.length);
    return all;
  }
}
