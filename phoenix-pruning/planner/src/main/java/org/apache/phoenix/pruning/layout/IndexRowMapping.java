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

/**
 * Finds the row key of the data in that of its row in a local index, and the other way round, by
 * Phoenix's own code. Index row keys stand here without the start key of the region before them.
 */
public final class IndexRowMapping {

  private final IndexMaintainer maintainer;

  /** Null if there are none. */
  private final byte[][] viewConstants;

  /**
   * The mapping of an index.
   *
   * @param viewConstants the values of key columns that the index leaves out, as all rows of its
   *     view have them; null if there are none
   */
  public IndexRowMapping(IndexMaintainer maintainer, byte[][] viewConstants) {
    this.maintainer = maintainer;
    this.viewConstants = viewConstants;
  }

  /** The mapping of {@code index}, one of those of {@code dataTable}, a table or a view. */
  public static IndexRowMapping of(PhoenixConnection connection, PTable dataTable, PTable index)
      throws SQLException {
    return new IndexRowMapping(
        index.getIndexMaintainer(dataTable, connection), IndexUtil.getViewConstants(dataTable));
  }

  /** The key of the data row that an index row belongs to. */
  public byte[] dataRowKey(ImmutableBytesWritable indexRowKey) {
    return maintainer.buildDataRowKey(indexRowKey, viewConstants);
  }

  /**
   * The key of the index row of a data row.
   *
   * @param row the row's cells, as HBase has them; columns without a cell are null
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
