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
package org.apache.phoenix.pruning.weave;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.client.Result;
import org.apache.phoenix.coprocessor.UncoveredIndexRegionScanner;
import org.apache.phoenix.coprocessor.UncoveredLocalIndexRegionScanner;

/** The data rows that Phoenix looks up for a page of index rows. */
public privileged aspect DataRowsAspect {

  private static final Result NO_COLUMNS = Result.create(new Cell[0]);

  /**
   * Keeps the rows: Phoenix reads them with a scanner that it closes before it looks at them, and
   * then HBase may read other blocks into the memory of their values.
   */
  Result around(List<Cell> row) :
      call(static Result Result.create(List))
      && withincode(void UncoveredLocalIndexRegionScanner.scanDataRows(..))
      && args(row) {
    List<Cell> copy =
        row.stream().map(KeyValueUtil::copyToNewKeyValue).collect(Collectors.toList());
    return proceed(copy);
  }

  /**
   * Finds a row that has none of the columns that are looked up, which HBase does not return: all
   * of them are null. Phoenix leaves them out of the index row, where it then looks for them.
   */
  Object around(UncoveredIndexRegionScanner scanner, Map rows) :
      call(Object Map.get(Object))
      && withincode(boolean UncoveredIndexRegionScanner.getNextCoveredIndexRow(..))
      && this(scanner)
      && target(rows) {
    Object row = proceed(scanner, rows);
    return row == null
            && rows == scanner.dataRows
            && scanner instanceof UncoveredLocalIndexRegionScanner
        ? NO_COLUMNS
        : row;
  }
}
