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
package org.apache.phoenix.pruning.layout;

import java.sql.SQLException;
import java.util.Collection;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.phoenix.index.IndexMaintainer;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.util.IndexUtil;
import org.jspecify.annotations.Nullable;

/**
 * Converts between data row keys and row keys of a local index, with Phoenix's own code. In this
 * class, index row keys do not include the start key of the region.
 */
public final class IndexRowMapping {

  private final IndexMaintainer maintainer;

  /** Values of constant columns of a view, or null if there are none. */
  private final byte @Nullable [][] viewConstants;

  /**
   * Creates the mapping of an index.
   *
   * @param viewConstants the values of key columns that the index omits, because all rows of its
   *     view have the same values; null if there are none
   */
  public IndexRowMapping(IndexMaintainer maintainer, byte @Nullable [][] viewConstants) {
    this.maintainer = maintainer;
    this.viewConstants = viewConstants;
  }

  /** Returns the mapping of {@code index}, an index of the table or view {@code dataTable}. */
  public static IndexRowMapping of(PhoenixConnection connection, PTable dataTable, PTable index)
      throws SQLException {
    return new IndexRowMapping(
        index.getIndexMaintainer(dataTable, connection), IndexUtil.getViewConstants(dataTable));
  }

  /** Returns the key of the data row of an index row. */
  public byte[] dataRowKey(ImmutableBytesWritable indexRowKey) {
    return maintainer.buildDataRowKey(indexRowKey, viewConstants);
  }

  /**
   * Returns the key of the index row of a data row.
   *
   * @param row the cells of the data row, as stored in HBase; columns without a cell are null
   */
  public byte[] indexRowKey(byte[] dataRowKey, Collection<? extends Cell> row) {
    return maintainer.buildRowKey(
        maintainer.createGetterFromKeyValues(dataRowKey, row),
        new ImmutableBytesWritable(dataRowKey),
        null,
        null,
        HConstants.LATEST_TIMESTAMP);
  }
}
