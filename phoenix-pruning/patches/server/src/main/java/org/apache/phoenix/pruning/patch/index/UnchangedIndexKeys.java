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
import java.util.Collection;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Pair;

/** Deletes old index rows without hiding new ones that have the same key. */
public final class UnchangedIndexKeys {

  private UnchangedIndexKeys() {}

  /**
   * Gives the family markers of each Delete an earlier timestamp if there is also a Put of its row.
   * The markers then hide the cells of older versions of the row, but not those of the Put.
   *
   * @param updates changes of index rows, made by one change of a data row; each with its table
   */
  public static void keepPuts(Collection<Pair<Mutation, byte[]>> updates) {
    for (Pair<Mutation, byte[]> update : updates) {
      if (update.getFirst() instanceof Delete && hasPut(updates, update.getFirst().getRow())) {
        for (List<Cell> cells : update.getFirst().getFamilyCellMap().values()) {
          cells.replaceAll(cell -> cell.getType() == Cell.Type.DeleteFamily ? earlier(cell) : cell);
        }
      }
    }
  }

  private static boolean hasPut(Collection<Pair<Mutation, byte[]>> updates, byte[] row) {
    for (Pair<Mutation, byte[]> update : updates) {
      if (update.getFirst() instanceof Put && Arrays.equals(update.getFirst().getRow(), row)) {
        return true;
      }
    }
    return false;
  }

  private static Cell earlier(Cell marker) {
    return new KeyValue(
        CellUtil.cloneRow(marker),
        CellUtil.cloneFamily(marker),
        null,
        marker.getTimestamp() - 1,
        KeyValue.Type.DeleteFamily);
  }
}
