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
package org.apache.phoenix.pruning.patch.order;

import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.compile.StatementContext;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.layout.DataTables;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.schema.PColumn;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.schema.PTable.IndexType;
import org.apache.phoenix.schema.PTableType;
import org.apache.phoenix.schema.ProjectedColumn;
import org.apache.phoenix.schema.TableRef;

/**
 * Decides for which statements the order of functions is corrected. Statements on tables without a
 * local index keep Phoenix's plan.
 */
public final class KeyOrderScope {

  private KeyOrderScope() {}

  /**
   * Returns whether the order of functions is corrected for a statement.
   *
   * @param inner the plan of a derived table that the rows come from, or null
   */
  public static boolean contains(StatementContext context, QueryPlan inner) {
    TableRef table = context.getCurrentTable();
    PhoenixConnection connection = context.getConnection();
    return table != null
        && Patches.isOn(Patch.KEY_ORDER, connection)
        && hasLocalIndex(table.getTable(), inner, connection);
  }

  private static boolean hasLocalIndex(
      PTable table, QueryPlan inner, PhoenixConnection connection) {
    return table.getType() == PTableType.SUBQUERY && inner != null
        ? inner.getSourceRefs().stream()
            .anyMatch(source -> hasLocalIndex(source.getTable(), connection))
        : hasLocalIndex(table, connection);
  }

  /**
   * Returns whether a table, or a table that it is derived from, has a local index or may have one.
   */
  private static boolean hasLocalIndex(PTable table, PhoenixConnection connection) {
    if (table.getIndexType() == IndexType.LOCAL || table.getType() == PTableType.SUBQUERY) {
      return true;
    }
    if (table.getType() == PTableType.PROJECTED) {
      return hasSourceWithLocalIndex(table, connection);
    }
    PTable dataTable =
        table.getType() == PTableType.INDEX ? DataTables.ofIfCached(table, connection) : table;
    return dataTable == null
        || dataTable.getIndexes().stream()
            .anyMatch(index -> index.getIndexType() == IndexType.LOCAL);
  }

  private static boolean hasSourceWithLocalIndex(PTable projected, PhoenixConnection connection) {
    PTable previous = null;
    for (PColumn column : projected.getColumns()) {
      if (column instanceof ProjectedColumn) {
        PTable source = ((ProjectedColumn) column).getSourceColumnRef().getTable();
        if (source != previous && hasLocalIndex(source, connection)) {
          return true;
        }
        previous = source;
      }
    }
    return false;
  }
}
