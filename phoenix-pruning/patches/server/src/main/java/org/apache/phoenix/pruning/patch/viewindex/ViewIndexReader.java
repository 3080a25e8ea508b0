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
package org.apache.phoenix.pruning.patch.viewindex;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.phoenix.index.IndexMaintainer;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.schema.TableNotFoundException;
import org.apache.phoenix.util.IndexUtil;
import org.apache.phoenix.util.QueryUtil;

/** Reads the local indexes of the views of a table from the catalog. */
final class ViewIndexReader {

  /** Selects the views of a table or view that belong to no tenant. */
  private static final String VIEWS =
      "SELECT COLUMN_FAMILY FROM SYSTEM.CHILD_LINK WHERE TENANT_ID IS NULL"
          + " AND (TABLE_SCHEM = ? OR TABLE_SCHEM IS NULL AND CAST(? AS VARCHAR) IS NULL)"
          + " AND TABLE_NAME = ? AND COLUMN_NAME IS NULL AND LINK_TYPE = ?";

  private ViewIndexReader() {}

  /**
   * Returns the local indexes of all views of the region's table, and of the views of these views.
   * Empty if Phoenix does not know the table.
   *
   * <p>It leaves out the views of tenants, which may be many, and views that add key columns: a row
   * that another view has written lacks these columns.
   */
  static List<ViewIndex> read(RegionCoprocessorEnvironment environment) throws SQLException {
    List<ViewIndex> indexes = new ArrayList<>();
    try (PhoenixConnection connection =
        QueryUtil.getConnectionOnServer(environment.getConfiguration())
            .unwrap(PhoenixConnection.class)) {
      PTable table;
      try {
        table = IndexUtil.getPDataTable(connection, environment.getRegion().getTableDescriptor());
      } catch (TableNotFoundException droppedMeanwhile) {
        return indexes;
      }
      Deque<PTable> parents = new ArrayDeque<>();
      parents.add(table);
      while (!parents.isEmpty()) {
        for (PTable view : views(parents.remove(), connection)) {
          parents.add(view);
          if (view.getPKColumns().size() == table.getPKColumns().size()) {
            addIndexes(view, connection, indexes);
          }
        }
      }
    }
    return indexes;
  }

  private static List<PTable> views(PTable parent, PhoenixConnection connection)
      throws SQLException {
    List<PTable> views = new ArrayList<>();
    try (PreparedStatement select = connection.prepareStatement(VIEWS)) {
      select.setString(1, parent.getSchemaName().getString());
      select.setString(2, parent.getSchemaName().getString());
      select.setString(3, parent.getTableName().getString());
      select.setByte(4, PTable.LinkType.CHILD_TABLE.getSerializedValue());
      try (ResultSet rows = select.executeQuery()) {
        while (rows.next()) {
          try {
            views.add(connection.getTableNoCache(rows.getString(1)));
          } catch (TableNotFoundException dropped) {
            // DROP VIEW deletes the link later than the view.
            continue;
          }
        }
      }
    }
    return views;
  }

  /** Adds the local indexes that were created on {@code view} itself. */
  private static void addIndexes(PTable view, PhoenixConnection connection, List<ViewIndex> indexes)
      throws SQLException {
    Iterator<PTable> local = IndexMaintainer.maintainedLocalIndexes(view.getIndexes().iterator());
    while (local.hasNext()) {
      PTable index = local.next();
      if (index.getParentName().equals(view.getName())) {
        indexes.add(ViewIndex.of(view, index, connection));
      }
    }
  }
}
