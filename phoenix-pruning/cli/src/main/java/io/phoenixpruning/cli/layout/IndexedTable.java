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
import org.apache.phoenix.util.SchemaUtil;

/** A table with local indexes on a cluster. */
public final class IndexedTable {

  private final NamedTable named;
  private final List<IndexLayout> layouts;
  private final List<RegionInfo> regions;

  private IndexedTable(NamedTable named) throws SQLException {
    this.named = named;
    this.layouts = IndexLayout.allOf(named.connection(), named.table());
    this.regions = named.regions();
  }

  /**
   * Finds a table.
   *
   * @throws io.phoenixpruning.cli.console.RefusedException if there is no such table with a local
   *     index, or if the connection is that of a tenant
   */
  public static IndexedTable find(PhoenixConnection connection, TableArgument argument)
      throws SQLException {
    NamedTable named = NamedTable.find(connection, argument);
    PTable table = named.table();
    switch (table.getType()) {
      case INDEX ->
          throw argument.refused(
              "is an index. Expected a table",
              "Give " + table.getParentName() + ", the table of the index");
      case VIEW ->
          throw argument.refused(
              "is a view. Expected a table",
              "Give " + table.getPhysicalName() + ", the table of the view");
      default -> {}
    }
    if (table.getIndexes().stream().noneMatch(index -> index.getIndexType() == IndexType.LOCAL)) {
      throw argument.refused(
          "has no local index" + otherIndexes(table), "Run CREATE LOCAL INDEX first");
    }
    return new IndexedTable(named);
  }

  private static String otherIndexes(PTable table) {
    return table.getIndexes().isEmpty()
        ? ""
        : ", only "
            + table.getIndexes().stream()
                .map(index -> index.getName().getString())
                .collect(Collectors.joining(", "));
  }

  /** Returns the name with its schema. */
  public String name() {
    return named.name();
  }

  /** Returns the current descriptor of the table in HBase. */
  public TableDescriptor descriptor() throws SQLException {
    return named.descriptor();
  }

  public int regionCount() {
    return regions.size();
  }

  PhoenixConnection connection() {
    return named.connection();
  }

  PTable table() {
    return named.table();
  }

  PTable index(IndexLayout layout) {
    return table().getIndexes().stream()
        .filter(index -> index.getName().getString().equals(layout.index()))
        .findFirst()
        .orElseThrow();
  }

  /** Returns the layouts of the local indexes. */
  public List<IndexLayout> layouts() {
    return layouts;
  }

  /** Returns all regions in key order. */
  List<RegionInfo> regions() {
    return regions;
  }

  /**
   * Returns a query along one index.
   *
   * @param where condition; may be empty
   */
  String query(IndexLayout layout, String selected, String where) {
    String index = SchemaUtil.getTableNameFromFullName(layout.index());
    return "SELECT /*+ INDEX(T \""
        + index
        + "\") */ "
        + selected
        + " FROM "
        + SchemaUtil.getEscapedFullTableName(name())
        + " T"
        + (where.isEmpty() ? "" : " WHERE " + where);
  }

  /** Counts the rows of an index. The servers read all of these rows. */
  public long count(IndexLayout layout) throws SQLException {
    try (PreparedStatement count = connection().prepareStatement(query(layout, "COUNT(*)", ""));
        ResultSet result = count.executeQuery()) {
      result.next();
      return result.getLong(1);
    }
  }
}
