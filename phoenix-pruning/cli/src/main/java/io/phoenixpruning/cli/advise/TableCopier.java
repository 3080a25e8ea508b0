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
package io.phoenixpruning.cli.advise;

import io.phoenixpruning.cli.console.RefusedException;
import io.phoenixpruning.cli.console.RegionLookup;
import io.phoenixpruning.cli.explain.ClusterlessPhoenix;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.pruning.layout.ColumnFamilies;
import org.apache.phoenix.pruning.layout.SqlNames;
import org.apache.phoenix.query.ConnectionQueryServices;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.schema.PTable.IndexType;
import org.apache.phoenix.schema.PTableImpl;
import org.apache.phoenix.schema.TableNotFoundException;
import org.apache.phoenix.schema.stats.GuidePostsKey;
import org.apache.phoenix.util.SchemaUtil;

/**
 * Copies tables of a cluster into a {@link ClusterlessPhoenix}.
 *
 * <p>A definition in SQL is not enough, because it lacks the qualifiers of the columns. It also
 * lacks the ids of local indexes, by which their statistics are found. The copy is therefore made
 * from the table metadata that a server sends to its clients.
 */
final class TableCopier {

  private final PhoenixConnection cluster;
  private final ClusterlessPhoenix copies;

  TableCopier(PhoenixConnection cluster, ClusterlessPhoenix copies) {
    if (cluster.getTenantId() != null) {
      throw new RefusedException(
          "the connection has TenantId="
              + cluster.getTenantId()
              + ", but the rows of all tenants are needed. Leave TenantId out of its URL");
    }
    this.cluster = cluster;
    this.copies = copies;
  }

  /**
   * Copies a table with its indexes, regions and statistics.
   *
   * @param name full name of the table
   * @return the copy
   * @throws RefusedException if the table cannot be copied
   */
  PTable copy(String name) throws SQLException {
    refuseUnlessPlannable(find(name));
    // Reads the current definition, not the one in the client's cache.
    PTable table = cluster.getTableNoCache(null, name);
    PTable copy = PTableImpl.createFromProto(PTableImpl.toProto(table));
    copies.addTable(copy);
    copyRegions(table);
    copyStatistics(table);
    for (PTable index : table.getIndexes()) {
      if (index.getIndexType() != IndexType.LOCAL) {
        copyRegions(index);
      }
      copyStatistics(index);
    }
    return copy;
  }

  /**
   * Returns the table from the client's cache. Reading a transactional table without the cache
   * would begin a transaction.
   */
  private PTable find(String name) throws SQLException {
    try {
      return cluster.getTable(name);
    } catch (TableNotFoundException e) {
      throw new RefusedException(
          "there is no table " + SqlNames.full(name) + ". Correct its name, or create it", e);
    }
  }

  /**
   * Checks that a table can be copied.
   *
   * @throws RefusedException if the table cannot be copied
   */
  static void refuseUnlessPlannable(PTable table) {
    switch (table.getType()) {
      case TABLE -> {}
      case VIEW ->
          throw refused(
              table,
              "is a view. Expected a table",
              "Leave out the statements that read it, or let them read "
                  + SqlNames.full(SchemaUtil.replaceNamespaceSeparator(table.getPhysicalName())));
      case INDEX ->
          throw refused(
              table,
              "is an index. Expected a table",
              "Let statements read " + SqlNames.full(table.getParentName().getString()));
      case SYSTEM, PROJECTED, SUBQUERY ->
          throw refused(
              table,
              "is one of Phoenix's own tables. Expected another table",
              "Leave out the statements that read it");
    }
    if (table.isTransactional()) {
      throw refused(
          table,
          "is transactional and cannot be planned without its transaction manager",
          "Leave out the statements that read it");
    }
  }

  private static RefusedException refused(PTable table, String why, String remedy) {
    return new RefusedException(
        SqlNames.full(table.getName().getString()) + " " + why + ". " + remedy);
  }

  private void copyRegions(PTable table) throws SQLException {
    byte[] name = table.getPhysicalName().getBytes();
    List<byte[]> boundaries = new ArrayList<>();
    for (RegionInfo region : RegionLookup.currentRegions(cluster.getQueryServices(), name)) {
      if (region.getStartKey().length > 0) {
        boundaries.add(region.getStartKey());
      }
    }
    copies.setRegions(name, boundaries);
  }

  private void copyStatistics(PTable table) throws SQLException {
    ConnectionQueryServices services = cluster.getQueryServices();
    for (String family : ColumnFamilies.of(table)) {
      GuidePostsKey key =
          new GuidePostsKey(table.getPhysicalName().getBytes(), Bytes.toBytes(family));
      copies.setStatistics(key, services.getTableStats(key));
    }
  }
}
