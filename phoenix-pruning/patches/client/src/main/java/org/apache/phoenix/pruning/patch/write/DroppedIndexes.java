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
package org.apache.phoenix.pruning.patch.write;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.schema.PColumn;
import org.apache.phoenix.schema.PColumnFamily;
import org.apache.phoenix.schema.PColumnFamilyImpl;
import org.apache.phoenix.schema.PColumnImpl;
import org.apache.phoenix.schema.PName;
import org.apache.phoenix.schema.PNameFactory;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.schema.PTable.IndexType;
import org.apache.phoenix.schema.PTableImpl;
import org.apache.phoenix.schema.PTableKey;
import org.apache.phoenix.schema.PTableType;
import org.apache.phoenix.schema.SortOrder;
import org.apache.phoenix.schema.TableRef;
import org.apache.phoenix.thirdparty.com.google.common.collect.ImmutableList;
import org.apache.phoenix.util.IndexUtil;
import org.apache.phoenix.util.MetaDataUtil;
import org.apache.phoenix.util.SchemaUtil;

/** Describes the rows of local indexes that a statement drops. */
public final class DroppedIndexes {

  private DroppedIndexes() {}

  /** Returns {@code tables}, in which each local index has its type, columns and family. */
  public static List<TableRef> withTypes(List<TableRef> tables, PhoenixConnection connection)
      throws SQLException {
    List<TableRef> described = new ArrayList<>(tables.size());
    for (TableRef table : tables) {
      described.add(
          isLocalIndex(table.getTable()) ? localIndex(table.getTable(), connection) : table);
    }
    return described;
  }

  /**
   * Returns the families of the rows of {@code table}. A local index without other columns has an
   * empty column in its default family.
   */
  public static List<PColumnFamily> families(PTable table) {
    List<PColumnFamily> families = table.getColumnFamilies();
    if (!families.isEmpty() || table.getIndexType() != IndexType.LOCAL) {
      return families;
    }
    PName family = PNameFactory.newName(SchemaUtil.getEmptyColumnFamily(table));
    return Collections.singletonList(new PColumnFamilyImpl(family, Collections.emptyList()));
  }

  /**
   * Returns true if {@code table} is a local index without its type. Other indexes with an id are
   * in a table of their own, whose name starts with {@code _IDX_}.
   */
  private static boolean isLocalIndex(PTable table) {
    return table.getType() == PTableType.INDEX
        && table.getIndexType() == null
        && table.getViewIndexId() != null
        && !MetaDataUtil.isViewIndex(table.getPhysicalName().getString());
  }

  private static TableRef localIndex(PTable index, PhoenixConnection connection)
      throws SQLException {
    String physicalName = index.getPhysicalName().getString();
    String schema = SchemaUtil.getSchemaNameFromFullName(physicalName);
    String table = SchemaUtil.getTableNameFromFullName(physicalName);
    String name = SchemaUtil.getTableName(schema, table);
    PName family = connection.getTable(new PTableKey(null, name)).getDefaultFamilyName();
    return new TableRef(
        new PTableImpl.Builder()
            .setType(PTableType.INDEX)
            .setIndexType(IndexType.LOCAL)
            .setTimeStamp(index.getTimeStamp())
            .setTenantId(index.getTenantId())
            .setSchemaName(index.getSchemaName())
            .setTableName(index.getTableName())
            .setParentName(PNameFactory.newName(name))
            .setDefaultFamilyName(
                family == null
                    ? null
                    : PNameFactory.newName(IndexUtil.getLocalIndexColumnFamily(family.getString())))
            .setParentSchemaName(PNameFactory.newName(schema))
            .setParentTableName(PNameFactory.newName(table))
            .setPhysicalNames(index.getPhysicalNames())
            .setMultiTenant(index.isMultiTenant())
            .setNamespaceMapped(index.isNamespaceMapped())
            .setViewIndexIdType(index.getviewIndexIdType())
            .setViewIndexId(index.getViewIndexId())
            .setImmutableStorageScheme(index.getImmutableStorageScheme())
            .setQualifierEncodingScheme(index.getEncodingScheme())
            .setEncodedCQCounter(index.getEncodedCQCounter())
            .setUseStatsForParallelization(index.useStatsForParallelization())
            .setAppendOnlySchema(false)
            .setRowKeyOrderOptimizable(false)
            .setExcludedColumns(ImmutableList.of())
            .setIndexes(Collections.emptyList())
            .setColumns(columns(index))
            .build());
  }

  /**
   * Returns the columns of {@code index}. In a salted table, Phoenix has put the salt column in
   * place of the id. The index has no salt column: the salt byte is in the start key of the region.
   */
  private static List<PColumn> columns(PTable index) {
    if (index.getBucketNum() == null) {
      return index.getColumns();
    }
    List<PColumn> columns = new ArrayList<>();
    columns.add(indexId(index));
    for (PColumn column : index.getColumns().subList(1, index.getColumns().size())) {
      columns.add(new PColumnImpl(column, columns.size()));
    }
    return columns;
  }

  private static PColumn indexId(PTable index) {
    return new PColumnImpl(
        PNameFactory.newName(MetaDataUtil.getViewIndexIdColumnName()),
        null,
        index.getviewIndexIdType(),
        null,
        null,
        false,
        0,
        SortOrder.getDefault(),
        null,
        null,
        false,
        null,
        false,
        false,
        null,
        index.getTimeStamp());
  }
}
