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

import io.phoenixpruning.cli.TableRegions;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.pruning.layout.IndexLayout;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.schema.PTable.IndexType;
import org.apache.phoenix.schema.TableNotFoundException;
import org.apache.phoenix.util.SchemaUtil;

/** A table with local indexes, on a cluster. */
public final class IndexedTable {

  private final PhoenixConnection connection;
  private final PTable table;
  private final List<IndexLayout> layouts;
  private final List<RegionInfo> regions;

  private IndexedTable(PhoenixConnection connection, PTable table) throws SQLException {
    this.connection = connection;
    this.table = table;
    this.layouts = IndexLayout.allOf(connection, table);
    this.regions =
        TableRegions.now(connection.getQueryServices(), table.getPhysicalName().getBytes());
  }

  /**
   * Finds a table.
   *
   * @throws io.phoenixpruning.cli.RefusedException if it has no local index, or is none
   */
  public static IndexedTable find(PhoenixConnection connection, TableArgument argument)
      throws SQLException {
    if (connection.getTenantId() != null) {
      throw argument.refused(
          "but --url is that of the tenant " + connection.getTenantId(),
          "leave TenantId out, as the rows of all tenants are looked at");
    }
    PTable table = table(connection, argument);
    switch (table.getType()) {
      case INDEX ->
          throw argument.refused(
              "which is an index, but has to be a table",
              "give " + table.getParentName() + ", whose index it is");
      case VIEW ->
          throw argument.refused(
              "which is a view, but has to be a table",
              "give " + table.getPhysicalName() + ", where its rows are");
      default -> {}
    }
    if (table.getIndexes().stream().noneMatch(index -> index.getIndexType() == IndexType.LOCAL)) {
      throw argument.refused(
          "which has " + others(table) + ", but has to have a local one",
          "CREATE LOCAL INDEX makes one");
    }
    return new IndexedTable(connection, table);
  }

  private static PTable table(PhoenixConnection connection, TableArgument argument)
      throws SQLException {
    try {
      return connection.getTable(argument.name());
    } catch (TableNotFoundException e) {
      throw argument.refused(
          "but there is no table " + argument.name(), "mend it; names in lower case need quotes");
    }
  }

  private static String others(PTable table) {
    return table.getIndexes().isEmpty()
        ? "no index"
        : "the indexes "
            + table.getIndexes().stream()
                .map(index -> index.getName().getString())
                .collect(Collectors.joining(", "));
  }

  /** With its schema. */
  public String name() {
    return table.getName().getString();
  }

  /** How HBase stores it now. */
  public TableDescriptor descriptor() throws SQLException {
    return connection.getQueryServices().getTableDescriptor(table.getPhysicalName().getBytes());
  }

  public int regionCount() {
    return regions.size();
  }

  PhoenixConnection connection() {
    return connection;
  }

  PTable table() {
    return table;
  }

  PTable index(IndexLayout layout) {
    return table.getIndexes().stream()
        .filter(index -> index.getName().getString().equals(layout.index()))
        .findFirst()
        .orElseThrow();
  }

  /** The layouts of its local indexes. */
  public List<IndexLayout> layouts() {
    return layouts;
  }

  /** All regions in key order. */
  List<RegionInfo> regions() {
    return regions;
  }

  /**
   * A query along one index.
   *
   * @param where may be empty
   */
  String query(IndexLayout layout, String selected, String where) {
    String index = SchemaUtil.getTableNameFromFullName(layout.index());
    return "SELECT /*+ INDEX(T \""
        + index
        + "\") */ "
        + selected
        + " FROM "
        + SchemaUtil.getEscapedFullTableName(table.getName().getString())
        + " T"
        + (where.isEmpty() ? "" : " WHERE " + where);
  }

  /** How many rows an index has; the servers read all of them. */
  public long count(IndexLayout layout) throws SQLException {
    try (PreparedStatement count = connection.prepareStatement(query(layout, "COUNT(*)", ""));
        ResultSet result = count.executeQuery()) {
      result.next();
      return result.getLong(1);
    }
  }
}
