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

import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.phoenix.coprocessor.UngroupedAggregateRegionScanner;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;

/**
 * Gives an index row that CREATE LOCAL INDEX builds the latest timestamp of its data row. Phoenix's
 * {@code UngroupedAggregateRegionScanner.buildLocalIndex} uses the timestamp of the first cell,
 * which can be much older, so the index row expires too early (not reported).
 *
 * <p>Example: {@code SELECT K, V FROM T} along the index of a table with {@code TTL = 1000} loses a
 * row 1,000 seconds after its first cell was written, although other columns are newer.
 */
public aspect BuiltRowAspect {

  // The latest timestamp is that of the scanned cells, which the other patch may replace.
  declare precedence : BuiltRowAspect, PartialBuildAspect;

  /** Latest timestamp of the current row, or 0 if the patch is off. */
  private long UngroupedAggregateRegionScanner.latestTimestamp;

  before(UngroupedAggregateRegionScanner scanner, List<Cell> row) :
      execution(void UngroupedAggregateRegionScanner.buildLocalIndex(*, List, *))
      && this(scanner)
      && args(*, row, *) {
    scanner.latestTimestamp = Patches.isOn(Patch.BUILT_ROW) ? latestOf(row) : 0;
  }

  long around(UngroupedAggregateRegionScanner scanner) :
      call(long Cell.getTimestamp())
      && withincode(void UngroupedAggregateRegionScanner.buildLocalIndex(*, List, *))
      && this(scanner) {
    return Math.max(scanner.latestTimestamp, proceed(scanner));
  }

  private static long latestOf(List<Cell> row) {
    long latest = 0;
    for (Cell cell : row) {
      latest = Math.max(latest, cell.getTimestamp());
    }
    return latest;
  }
}
