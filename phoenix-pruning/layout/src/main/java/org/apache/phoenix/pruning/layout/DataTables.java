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
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.schema.PName;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.schema.PTableKey;
import org.apache.phoenix.schema.PTableType;
import org.apache.phoenix.schema.TableNotFoundException;
import org.jspecify.annotations.Nullable;

/** Finds the table or view that an index indexes. */
public final class DataTables {

  private DataTables() {}

  /**
   * Returns the table or view that {@code index} indexes.
   *
   * @param dataPlan the plan for the data table if Phoenix has made one, or null. Only its table is
   *     used, because its WHERE can have other values than the WHERE of the scan.
   */
  public static PTable of(PTable index, @Nullable QueryPlan dataPlan, PhoenixConnection connection)
      throws SQLException {
    if (dataPlan != null) {
      PTable table = dataPlan.getTableRef().getTable();
      if (table.getType() == PTableType.TABLE || table.getType() == PTableType.VIEW) {
        return table;
      }
    }
    PTable read = ofIfCached(index, connection);
    return read != null
        ? read
        : connection.getTable(
            new PTableKey(connection.getTenantId(), index.getParentName().getString()));
  }

  /** Returns the table or view of an index, or null if the client has not read its metadata. */
  public static @Nullable PTable ofIfCached(PTable index, PhoenixConnection connection) {
    String parent = index.getParentName().getString();
    PTable cached = cached(connection.getTenantId(), parent, connection);
    return cached == null && connection.getTenantId() != null
        ? cached(null, parent, connection)
        : cached;
  }

  /**
   * Returns the table or view that {@code scanned} indexes, or {@code scanned} if it is not an
   * index.
   */
  public static PTable of(PTable scanned, PhoenixConnection connection) throws SQLException {
    return scanned.getType() == PTableType.INDEX ? of(scanned, null, connection) : scanned;
  }

  /** Returns the table or view, or null if the client has not read its metadata. */
  private static @Nullable PTable cached(
      @Nullable PName tenantId, String name, PhoenixConnection connection) {
    try {
      return connection.getTableRef(new PTableKey(tenantId, name)).getTable();
    } catch (TableNotFoundException e) {
      return null;
    }
  }
}
