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
package org.apache.phoenix.pruning.patch.scan;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.client.Result;
import org.apache.phoenix.coprocessor.UncoveredIndexRegionScanner;
import org.apache.phoenix.coprocessor.UncoveredLocalIndexRegionScanner;

/**
 * Copies the rows that Phoenix keeps while it looks up data rows, for the patch {@code
 * data-row-lookup}. Otherwise HBase may reuse the memory of their values for other blocks (not
 * reported):
 *
 * <ul>
 *   <li>Phoenix's {@code UncoveredLocalIndexRegionScanner} closes the scanner of the data rows
 *       before it evaluates them.
 *   <li>Phoenix's {@code UncoveredIndexRegionScanner} reads a page of index rows, and returns them
 *       over several requests. After each request, HBase releases the memory of the index rows that
 *       were read.
 * </ul>
 *
 * <p>Example: {@code SELECT DISTINCT C, W FROM T WHERE V = 1} along a local index on V, which lacks
 * W, can return values of other cells.
 */
public privileged aspect DataRowCopyAspect {

  Result around(UncoveredLocalIndexRegionScanner scanner, List<Cell> row) :
      call(static Result Result.create(List))
      && withincode(void UncoveredLocalIndexRegionScanner.scanDataRows(..))
      && this(scanner)
      && args(row) {
    return proceed(scanner, scanner.isPatched ? copy(row) : row);
  }

  /** Copies only cells outside the heap, because HBase does not reuse the others. */
  before(UncoveredIndexRegionScanner scanner, Object indexRow) :
      call(boolean List.add(Object))
      && withincode(boolean UncoveredIndexRegionScanner.scanIndexTableRows(
          List, long, byte[], int))
      && this(scanner)
      && args(indexRow) {
    if (scanner.isPatched) {
      @SuppressWarnings("unchecked")
      List<Cell> cells = (List<Cell>) indexRow;
      cells.replaceAll(CellUtil::cloneIfNecessary);
    }
  }

  private static List<Cell> copy(List<Cell> row) {
    List<Cell> copy = new ArrayList<>(row.size());
    for (int i = 0; i < row.size(); i++) {
      copy.add(KeyValueUtil.copyToNewKeyValue(row.get(i)));
    }
    return copy;
  }
}
