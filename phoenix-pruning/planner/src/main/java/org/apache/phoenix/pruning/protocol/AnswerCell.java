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
package org.apache.phoenix.pruning.protocol;

import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellBuilderFactory;
import org.apache.hadoop.hbase.CellBuilderType;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * The only cell of the row in which a server answers a request that travels with a scan. The column
 * family of this cell exists in no table.
 */
public final class AnswerCell {

  private static final byte[] FAMILY = Bytes.toBytes("PhoenixPruning");

  /**
   * Row key of an answer from the first region of a table, because a cell cannot have an empty row
   * key.
   */
  private static final byte[] FIRST_ROW = {0};

  private AnswerCell() {}

  /**
   * Returns the row key of an answer to a request that starts at {@code startRow}. Coprocessor
   * hooks of the region see the answer, and they expect keys of the region.
   *
   * @param startRow inclusive start row of the scan; empty for the first row of the table
   */
  public static byte[] rowKey(byte[] startRow) {
    return startRow.length == 0 ? FIRST_ROW : startRow;
  }

  /**
   * Returns the cell in which {@code answer} travels.
   *
   * @param row a {@linkplain #rowKey row key} of the region that carries the request
   */
  static Cell of(byte[] row, byte[] qualifier, byte[] answer) {
    return CellBuilderFactory.create(CellBuilderType.DEEP_COPY)
        .setRow(row)
        .setFamily(FAMILY)
        .setQualifier(qualifier)
        .setTimestamp(0)
        .setType(Cell.Type.Put)
        .setValue(answer)
        .build();
  }

  /**
   * Returns the answer in {@code row}. Returns empty if the row is not an answer, because the
   * server does not know the request.
   *
   * @param row first row that the server returned, or null if it returned none
   */
  static Optional<byte[]> read(@Nullable Result row, byte[] qualifier) {
    return row == null
            || row.size() != 1
            || !CellUtil.matchingColumn(row.rawCells()[0], FAMILY, qualifier)
        ? Optional.empty()
        : Optional.of(CellUtil.cloneValue(row.rawCells()[0]));
  }
}
