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
package org.apache.phoenix.pruning.patch.halffile;

import java.io.IOException;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.phoenix.coprocessorclient.MetaDataProtocol;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.pruning.layout.IndexRowMapping;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.schema.TableNotFoundException;
import org.apache.phoenix.schema.types.PLong;
import org.apache.phoenix.schema.types.PSmallint;
import org.apache.phoenix.util.PhoenixRuntime;
import org.apache.phoenix.util.QueryUtil;
import org.apache.phoenix.util.SchemaUtil;
import org.apache.phoenix.util.ServerUtil;
import org.apache.phoenix.util.ViewUtil;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the local indexes of a table and of its views from the catalog. Not thread-safe. */
final class LocalIndexReader {

  /**
   * Selects the local indexes of all tables and tenants, and their links to the physical table. A
   * link follows the row of its index. This query reads the whole catalog.
   */
  private static final String LOCAL_INDEXES_AND_LINKS =
      "SELECT TENANT_ID, TABLE_SCHEM, TABLE_NAME, DATA_TABLE_NAME, VIEW_INDEX_ID FROM SYSTEM.\"CATALOG\""
          + " WHERE COLUMN_NAME IS NULL AND (INDEX_TYPE = ? AND VIEW_INDEX_ID IS NOT NULL"
          + " OR LINK_TYPE = ? AND COLUMN_FAMILY IN (?, ?))"
          + " ORDER BY TENANT_ID, TABLE_SCHEM, TABLE_NAME, COLUMN_NAME, COLUMN_FAMILY";

  private static final Logger LOGGER = LoggerFactory.getLogger(LocalIndexReader.class);

  private final RegionCoprocessorEnvironment environment;
  private final PhoenixConnection connection;
  private final PTable table;
  private final Map<ImmutableBytesWritable, IndexRowMapping> indexes;

  /**
   * Creates a reader.
   *
   * @param indexes map that gets the indexes, by their ids as in the index rows
   */
  LocalIndexReader(
      RegionCoprocessorEnvironment environment,
      PhoenixConnection connection,
      PTable table,
      Map<ImmutableBytesWritable, IndexRowMapping> indexes) {
    this.environment = environment;
    this.connection = connection;
    this.table = table;
    this.indexes = indexes;
  }

  /** Adds the indexes of the table itself. */
  void addTable() throws SQLException {
    // The connection may have cached the table without its latest index.
    add(connection, connection.getTableNoCache(table.getName().getString()));
  }

  /** Adds the indexes of the views that SYSTEM.CHILD_LINK has. */
  void addLinkedViews() throws IOException, SQLException {
    Configuration configuration = environment.getConfiguration();
    TableName links =
        ViewUtil.getSystemTableForChildLinks(MetaDataProtocol.PHOENIX_VERSION, configuration);
    try (Table childLinks = ServerUtil.getHTableForCoprocessorScan(environment, links)) {
      for (PTable view :
          ViewUtil.findAllDescendantViews(
                  childLinks,
                  configuration,
                  null,
                  table.getSchemaName().getBytes(),
                  table.getTableName().getBytes(),
                  HConstants.LATEST_TIMESTAMP,
                  false)
              .getFirst()) {
        add(connection, view);
      }
    }
  }

  /**
   * Adds the indexes of all views in SYSTEM.CATALOG.
   *
   * @return the ids of indexes whose view Phoenix does not find
   */
  Set<ImmutableBytesWritable> addAllViews() throws SQLException {
    Map<List<String>, Set<Long>> parents = new LinkedHashMap<>();
    try (PreparedStatement select = connection.prepareStatement(LOCAL_INDEXES_AND_LINKS)) {
      select.setByte(1, PTable.IndexType.LOCAL.getSerializedValue());
      select.setByte(2, PTable.LinkType.PHYSICAL_TABLE.getSerializedValue());
      // Phoenix 4 wrote the physical name into the link.
      select.setString(3, table.getName().getString());
      select.setString(4, table.getPhysicalName().getString());
      try (ResultSet rows = select.executeQuery()) {
        List<String> index = null;
        String parent = null;
        long id = 0;
        while (rows.next()) {
          List<String> name =
              Arrays.asList(rows.getString(1), rows.getString(2), rows.getString(3));
          if (rows.getString(4) != null) {
            index = name;
            parent = rows.getString(4);
            id = rows.getLong(5);
          } else if (name.equals(index)) {
            parents
                .computeIfAbsent(
                    Arrays.asList(
                        rows.getString(1), SchemaUtil.getTableName(rows.getString(2), parent)),
                    key -> new HashSet<>())
                .add(id);
          }
        }
      }
    }
    Set<ImmutableBytesWritable> notFound = new HashSet<>();
    for (Map.Entry<List<String>, Set<Long>> parent : parents.entrySet()) {
      if (!addIndexesOfView(parent.getKey().get(0), parent.getKey().get(1))) {
        for (long id : parent.getValue()) {
          notFound.add(new ImmutableBytesWritable(PLong.INSTANCE.toBytes(id)));
          if (id == (short) id) {
            notFound.add(new ImmutableBytesWritable(PSmallint.INSTANCE.toBytes((short) id)));
          }
        }
      }
    }
    return notFound;
  }

  /**
   * Adds the indexes of a view. Only a connection of the tenant can find a tenant's view.
   *
   * @return false if Phoenix does not find the view
   */
  private boolean addIndexesOfView(@Nullable String tenant, String view) throws SQLException {
    Properties properties = new Properties();
    if (tenant != null) {
      properties.setProperty(PhoenixRuntime.TENANT_ID_ATTRIB, tenant);
    }
    try (PhoenixConnection ofTenant =
        QueryUtil.getConnectionOnServer(properties, environment.getConfiguration())
            .unwrap(PhoenixConnection.class)) {
      add(ofTenant, ofTenant.getTableNoCache(view));
      return true;
    } catch (TableNotFoundException e) {
      LOGGER.warn(
          "SYSTEM.CATALOG has local indexes of the view {} on {}, but not the view. Reads of the"
              + " halves of a split region skip the rows of these indexes, and the halves are not"
              + " compacted. Repair or drop the view",
          view,
          table.getName(),
          e);
      return false;
    }
  }

  /**
   * Adds the local indexes that were created on a table or view itself. A view also lists inherited
   * indexes, but their rows must not be mapped with the view's constants.
   */
  private void add(PhoenixConnection reader, PTable tableOrView) throws SQLException {
    for (PTable index : tableOrView.getIndexes()) {
      if (index.getIndexType() == PTable.IndexType.LOCAL
          && index.getParentName().equals(tableOrView.getName())) {
        ImmutableBytesWritable id =
            new ImmutableBytesWritable(index.getviewIndexIdType().toBytes(index.getViewIndexId()));
        if (!indexes.containsKey(id)) {
          indexes.put(id, IndexRowMapping.of(reader, tableOrView, index));
        }
      }
    }
  }
}
