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
import java.util.Collection;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.phoenix.coprocessor.UngroupedAggregateRegionScanner;
import org.apache.phoenix.hbase.index.ValueGetter;
import org.apache.phoenix.index.IndexMaintainer;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.schema.tuple.Tuple;

/**
 * Reads the whole data row in the second scan of CREATE LOCAL INDEX. Phoenix's {@code
 * MetaDataClient.buildIndex} gives this scan a time range that begins shortly before the index was
 * created. Columns that were written earlier are then null in the index row (not reported).
 *
 * <p>Example: {@code SELECT COUNT(*) FROM T} along a new index on V counts a row twice if W was
 * written shortly before {@code CREATE LOCAL INDEX I ON T (V)}.
 */
public privileged aspect PartialBuildAspect {

  /** The whole current row, or null if the scan returns whole rows. */
  private Collection UngroupedAggregateRegionScanner.wholeRow;

  void around(UngroupedAggregateRegionScanner scanner, Tuple row, List<Cell> cells)
      throws IOException :
      execution(void UngroupedAggregateRegionScanner.buildLocalIndex(*, List, *))
      && this(scanner)
      && args(row, cells, *) {
    boolean isPart = scanner.scan.getTimeRange().getMin() > 0 && !cells.isEmpty();
    scanner.wholeRow =
        isPart && Patches.isOn(Patch.PARTIAL_BUILD)
            ? WholeRow.read(scanner.region, scanner.scan, cells)
            : null;
    if (scanner.wholeRow != null && scanner.wholeRow.isEmpty()) {
      // The row has been deleted after it was scanned, so it gets no index row.
      row.setKeyValues(cells);
    } else {
      proceed(scanner, row, cells);
    }
  }

  ValueGetter around(UngroupedAggregateRegionScanner scanner, Collection cells) :
      call(ValueGetter IndexMaintainer.createGetterFromKeyValues(byte[], Collection))
      && withincode(void UngroupedAggregateRegionScanner.buildLocalIndex(*, List, *))
      && this(scanner)
      && args(*, cells) {
    return proceed(scanner, scanner.wholeRow == null ? cells : scanner.wholeRow);
  }
}
