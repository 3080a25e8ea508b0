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

import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.KeyValueUtil;

/** Creates keys to seek in a column family of a row. */
public final class FamilySeeks {

  private FamilySeeks() {}

  /** Returns a key after all cells of the column of {@code cell}. */
  public static Cell afterColumn(Cell cell) {
    return KeyValueUtil.createLastOnRow(
        cell.getRowArray(),
        cell.getRowOffset(),
        cell.getRowLength(),
        cell.getFamilyArray(),
        cell.getFamilyOffset(),
        cell.getFamilyLength(),
        cell.getQualifierArray(),
        cell.getQualifierOffset(),
        cell.getQualifierLength());
  }

  /** Returns a key before all cells and markers of the family of {@code cell}. */
  public static KeyValue startOfFamily(Cell cell) {
    return KeyValueUtil.createFirstOnRow(
        cell.getRowArray(),
        cell.getRowOffset(),
        cell.getRowLength(),
        cell.getFamilyArray(),
        cell.getFamilyOffset(),
        cell.getFamilyLength(),
        HConstants.EMPTY_BYTE_ARRAY,
        0,
        0);
  }
}
