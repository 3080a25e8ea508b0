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
package io.phoenixpruning.cli.layout;

import io.phoenixpruning.cli.console.RefusedException;
import io.phoenixpruning.cli.console.RegionLookup;
import java.sql.SQLException;
import java.util.List;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.schema.TableNotFoundException;

/**
 * A table, a view or an index on a cluster that the user has named.
 *
 * @param connection connection of all tenants
 */
public record NamedTable(PhoenixConnection connection, PTable table) {

  /**
   * Finds a table, a view or an index.
   *
   * @throws RefusedException if there is none with this name, or if the connection is that of a
   *     tenant
   */
  public static NamedTable find(PhoenixConnection connection, TableArgument argument)
      throws SQLException {
    if (connection.getTenantId() != null) {
      throw argument.refused(
          "is read with TenantId="
              + connection.getTenantId()
              + ", but the rows of all tenants are needed",
          "Leave TenantId out of --url");
    }
    try {
      return new NamedTable(connection, connection.getTable(argument.name()));
    } catch (TableNotFoundException e) {
      throw argument.refused(
          "names the table " + argument.name() + ", which does not exist",
          "Correct the name; names in lower case need quotes");
    }
  }

  /** Returns the name with its schema. */
  public String name() {
    return table.getName().getString();
  }

  /** Returns the name of the HBase table that stores the rows. */
  public byte[] physicalName() {
    return table.getPhysicalName().getBytes();
  }

  /** Returns the current descriptor of the table in HBase. */
  public TableDescriptor descriptor() throws SQLException {
    return connection.getQueryServices().getTableDescriptor(physicalName());
  }

  /** Looks up the current regions, in key order. */
  public List<RegionInfo> regions() throws SQLException {
    return RegionLookup.currentRegions(connection.getQueryServices(), physicalName());
  }
}
