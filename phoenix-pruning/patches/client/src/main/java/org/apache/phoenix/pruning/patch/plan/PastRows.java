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
package org.apache.phoenix.pruning.patch.plan;

import java.io.IOException;
import java.sql.SQLException;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.query.QueryConstants;
import org.apache.phoenix.schema.PTable;

/** Decides whether a local index keeps fewer past rows than its table. */
public final class PastRows {

  private PastRows() {}

  /**
   * Returns whether the table of a local index keeps old versions or deleted rows. Then a query at
   * an SCN can find them in the table, but not always along the index. The index would need more
   * versions than the table: it writes a version of the whole index row for each change of one
   * column.
   *
   * <p>Reads the descriptor of the table from HBase. If the user may not read the descriptor, the
   * result is true, because the data table always has the right rows.
   */
  public static boolean mayBeMissing(PTable index, PhoenixConnection connection)
      throws SQLException {
    if (index.getIndexType() != PTable.IndexType.LOCAL
        || !Patches.isOn(Patch.PAST_ROWS, connection)) {
      return false;
    }
    TableDescriptor table;
    try {
      table = connection.getQueryServices().getTableDescriptor(index.getPhysicalName().getBytes());
    } catch (RuntimeException e) {
      if (e.getCause() instanceof IOException) {
        return true;
      }
      throw e;
    }
    // A connection without a cluster has no descriptors.
    return table != null && keepsPastRows(table);
  }

  private static boolean keepsPastRows(TableDescriptor table) {
    for (ColumnFamilyDescriptor family : table.getColumnFamilies()) {
      if (!family.getNameAsString().startsWith(QueryConstants.LOCAL_INDEX_COLUMN_FAMILY_PREFIX)
          && (family.getMaxVersions() > 1
              || family.getKeepDeletedCells() != KeepDeletedCells.FALSE)) {
        return true;
      }
    }
    return false;
  }
}
