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

import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.phoenix.coprocessor.UngroupedAggregateRegionScanner;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;

/**
 * Deletes a dropped column from the rows of local indexes that include it. The keys that {@code
 * UngroupedAggregateRegionScanner} gets lack the start key of the region ({@code OffsetCell}).
 * Phoenix writes its deletes to these short keys, which no row has (not reported).
 *
 * <p>Example: {@code ALTER TABLE T DROP COLUMN W} of a table with several regions leaves the values
 * of W in an index on V that includes W.
 */
public privileged aspect DroppedColumnAspect {

  Delete around(UngroupedAggregateRegionScanner scanner, byte[] row, int from, int length) :
      call(Delete.new(byte[], int, int))
      && withincode(void UngroupedAggregateRegionScanner.deleteCForQ(..))
      && this(scanner)
      && args(row, from, length) {
    int missing = Patches.isOn(Patch.DROPPED_COLUMN) ? scanner.offset : 0;
    return proceed(scanner, row, from - missing, length + missing);
  }

  Put around(UngroupedAggregateRegionScanner scanner, byte[] row, int from, int length) :
      call(Put.new(byte[], int, int))
      && withincode(void UngroupedAggregateRegionScanner.insertEmptyKeyValue(..))
      && this(scanner)
      && args(row, from, length) {
    int missing = Patches.isOn(Patch.DROPPED_COLUMN) ? scanner.offset : 0;
    return proceed(scanner, row, from - missing, length + missing);
  }
}
