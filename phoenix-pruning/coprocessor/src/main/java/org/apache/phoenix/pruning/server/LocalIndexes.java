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
package org.apache.phoenix.pruning.server;

import java.io.IOException;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.phoenix.coprocessorclient.MetaDataProtocol;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.pruning.layout.IndexRowMapping;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.schema.TableNotFoundException;
import org.apache.phoenix.schema.types.PLong;
import org.apache.phoenix.schema.types.PSmallint;
import org.apache.phoenix.util.IndexUtil;
import org.apache.phoenix.util.PhoenixRuntime;
import org.apache.phoenix.util.QueryUtil;
import org.apache.phoenix.util.SchemaUtil;
import org.apache.phoenix.util.ServerUtil;
import org.apache.phoenix.util.ViewUtil;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the local indexes that have rows in a region that was split: those of its table and those
 * of its views.
 *
 * <p>They are read from the catalog when a row of theirs is met for the first time, and never
 * again: rows that were written since the split are not asked for. The views, of which there may be
 * many, are looked at only for a row of an index that is none of the table's. Safe for use by
 * several threads.
 *
 * <p>A compaction deletes the rows of an index that is not found. SYSTEM.CHILD_LINK alone does not
 * prove that an index was dropped: Phoenix writes it apart from SYSTEM.CATALOG, and its rows can be
 * missing. So all local indexes in SYSTEM.CATALOG that are stored in the table are read before an
 * index counts as dropped.
 */
public final class LocalIndexes {

  /** How long an index id may be, the longer first. */
  private static final int[] ID_LENGTHS = {
    PLong.INSTANCE.getByteSize(), PSmallint.INSTANCE.getByteSize()
  };

  private enum Read {
    NOTHING,
    TABLE,
    LINKED_VIEWS,
    ALL
  }

  /**
   * Finds the local indexes of all tables and tenants, and the links to the table that something is
   * stored in. A link comes after the row of its index. Reads all of the catalog.
   */
  private static final String LOCAL_INDEXES_AND_LINKS =
      "SELECT TENANT_ID, TABLE_SCHEM, TABLE_NAME, DATA_TABLE_NAME FROM SYSTEM.\"CATALOG\""
          + " WHERE COLUMN_NAME IS NULL AND (INDEX_TYPE = ? AND VIEW_INDEX_ID IS NOT NULL"
          + " OR LINK_TYPE = ? AND COLUMN_FAMILY IN (?, ?))"
          + " ORDER BY TENANT_ID, TABLE_SCHEM, TABLE_NAME, COLUMN_NAME, COLUMN_FAMILY";

  private static final Logger LOGGER = LoggerFactory.getLogger(LocalIndexes.class);

  private final RegionCoprocessorEnvironment environment;

  /** By the index id, as the index rows have it. */
  private volatile Map<ImmutableBytesWritable, IndexRowMapping> indexes = Collections.emptyMap();

  private volatile Read read = Read.NOTHING;

  /** The local indexes with rows in the region of {@code environment}. */
  public LocalIndexes(RegionCoprocessorEnvironment environment) {
    this.environment = environment;
  }

  /**
   * Returns the key of the data row that the index row belongs to.
   *
   * @param indexKey the row key in the index, without the start key of the region
   * @return null if the index was dropped
   * @throws IOException if the catalog cannot be read
   */
  public byte[] dataKey(ImmutableBytesWritable indexKey) throws IOException {
    IndexRowMapping index = find(indexKey);
    if (index == null && read != Read.ALL) {
      index = readUntilFound(indexKey);
    }
    return index == null ? null : index.dataRowKey(indexKey);
  }

  private synchronized IndexRowMapping readUntilFound(ImmutableBytesWritable indexKey)
      throws IOException {
    IndexRowMapping index = find(indexKey);
    while (index == null && read != Read.ALL) {
      readMore();
      index = find(indexKey);
    }
    return index;
  }

  private IndexRowMapping find(ImmutableBytesWritable indexKey) {
    for (int length : ID_LENGTHS) {
      if (length <= indexKey.getLength()) {
        IndexRowMapping index =
            indexes.get(new ImmutableBytesWritable(indexKey.get(), indexKey.getOffset(), length));
        if (index != null) {
          return index;
        }
      }
    }
    return null;
  }

  private void readMore() throws IOException {
    Configuration configuration = environment.getConfiguration();
    TableDescriptor descriptor = environment.getRegion().getTableDescriptor();
    Map<ImmutableBytesWritable, IndexRowMapping> more = new HashMap<>(indexes);
    try (PhoenixConnection connection =
        QueryUtil.getConnectionOnServer(configuration).unwrap(PhoenixConnection.class)) {
      PTable table = IndexUtil.getPDataTable(connection, descriptor);
      if (read == Read.NOTHING) {
        // The connection may know the table as it was before its last index.
        add(connection, connection.getTableNoCache(table.getName().getString()), more);
        indexes = more;
        read = Read.TABLE;
      } else if (read == Read.TABLE) {
        addLinkedViews(connection, table, more);
        indexes = more;
        read = Read.LINKED_VIEWS;
      } else {
        addOfCatalog(connection, table, more);
        indexes = more;
        read = Read.ALL;
      }
    } catch (TableNotFoundException e) {
      // It was dropped, and does not come back while a client tries again.
      throw new DoNotRetryIOException(
          "Cannot read the local indexes of " + descriptor.getTableName(), e);
    } catch (SQLException e) {
      throw new IOException("Cannot read the local indexes of " + descriptor.getTableName(), e);
    }
  }

  private void addLinkedViews(
      PhoenixConnection connection, PTable table, Map<ImmutableBytesWritable, IndexRowMapping> more)
      throws IOException, SQLException {
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
        add(connection, view, more);
      }
    }
  }

  private void addOfCatalog(
      PhoenixConnection connection, PTable table, Map<ImmutableBytesWritable, IndexRowMapping> more)
      throws SQLException {
    Set<List<String>> parents = new LinkedHashSet<>();
    try (PreparedStatement select = connection.prepareStatement(LOCAL_INDEXES_AND_LINKS)) {
      select.setByte(1, PTable.IndexType.LOCAL.getSerializedValue());
      select.setByte(2, PTable.LinkType.PHYSICAL_TABLE.getSerializedValue());
      // Phoenix 4 wrote the physical name.
      select.setString(3, table.getName().getString());
      select.setString(4, table.getPhysicalName().getString());
      try (ResultSet rows = select.executeQuery()) {
        List<String> index = null;
        String parent = null;
        while (rows.next()) {
          List<String> name =
              Arrays.asList(rows.getString(1), rows.getString(2), rows.getString(3));
          if (rows.getString(4) != null) {
            index = name;
            parent = rows.getString(4);
          } else if (name.equals(index)) {
            parents.add(
                Arrays.asList(
                    rows.getString(1), SchemaUtil.getTableName(rows.getString(2), parent)));
          }
        }
      }
    }
    for (List<String> parent : parents) {
      addOf(parent.get(0), parent.get(1), table, more);
    }
  }

  /** Adds the indexes of a view. A view of a tenant is only found by a connection of the tenant. */
  private void addOf(
      String tenant, String view, PTable table, Map<ImmutableBytesWritable, IndexRowMapping> more)
      throws SQLException {
    Properties properties = new Properties();
    if (tenant != null) {
      properties.setProperty(PhoenixRuntime.TENANT_ID_ATTRIB, tenant);
    }
    try (PhoenixConnection connection =
        QueryUtil.getConnectionOnServer(properties, environment.getConfiguration())
            .unwrap(PhoenixConnection.class)) {
      add(connection, connection.getTableNoCache(view), more);
    } catch (TableNotFoundException e) {
      LOGGER.warn(
          "{} has a view {} in SYSTEM.CATALOG that Phoenix does not find: its rows in local indexes"
              + " are left out when the halves of a split region are read",
          table.getName(),
          view,
          e);
    }
  }

  /**
   * Adds the local indexes of {@code table} itself. A view also lists those that it inherits, but
   * their rows must not be mapped with its constants.
   */
  private static void add(
      PhoenixConnection connection,
      PTable table,
      Map<ImmutableBytesWritable, IndexRowMapping> indexes)
      throws SQLException {
    for (PTable index : table.getIndexes()) {
      if (index.getIndexType() == PTable.IndexType.LOCAL
          && index.getParentName().equals(table.getName())) {
        ImmutableBytesWritable id =
            new ImmutableBytesWritable(index.getviewIndexIdType().toBytes(index.getViewIndexId()));
        if (!indexes.containsKey(id)) {
          indexes.put(id, IndexRowMapping.of(connection, table, index));
        }
      }
    }
  }
}
