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
import java.util.ListIterator;
import org.apache.hadoop.hbase.ByteBufferExtendedCell;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.phoenix.hbase.index.OffsetCell;

/** Copies rows to the heap, so that they stay valid after HBase has released their blocks. */
public final class HeapRow {

  private HeapRow() {}

  /**
   * Replaces cells that can be outside the heap by copies. {@code row} can also be Phoenix's {@code
   * EncodedColumnQualiferCellsList}, which has no {@code replaceAll}. Its iterator can replace a
   * cell by one of the same column.
   */
  public static void copy(List<Cell> row) {
    for (ListIterator<Cell> cells = row.listIterator(); cells.hasNext(); ) {
      Cell cell = cells.next();
      if (cell instanceof ByteBufferExtendedCell || cell instanceof OffsetCell) {
        cells.set(KeyValueUtil.copyToNewKeyValue(cell));
      }
    }
  }
}
