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
package org.apache.phoenix.pruning.patch.plan;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toList;

import java.io.IOException;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.jdbc.PhoenixDatabaseMetaData;
import org.apache.phoenix.query.ConnectionQueryServices;
import org.apache.phoenix.query.QueryConstants;
import org.apache.phoenix.schema.PName;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.schema.PTable.IndexType;
import org.apache.phoenix.util.MetaDataUtil;
import org.apache.phoenix.util.SchemaUtil;

/**
 * Finds rows of local indexes that the catalog does not know. A clone of a snapshot has such rows,
 * and so has a table whose entries in the catalog were removed.
 *
 * <p>Phoenix numbers the indexes of each table, starting with the same id. So the first index of a
 * clone gets the id of an index of the table from which the snapshot was taken. After a split or a
 * merge, the files of a clone may also have index rows of other regions.
 */
public final class ForeignRows {

  private ForeignRows() {}

  /**
   * Checks that a table has no rows of local indexes if its first local index is about to be
   * created.
   *
   * @param table the table or view of the new index
   * @param index the name of the new index, without a schema
   * @throws SQLException if the table has such rows. The message names the families of the rows,
   *     and a remedy
   */
  public static void check(PhoenixConnection connection, PTable table, String index)
      throws SQLException {
    if (table.getIndexes().stream().anyMatch(other -> other.getIndexType() == IndexType.LOCAL)) {
      return;
    }
    ConnectionQueryServices services = connection.getQueryServices();
    byte[] physicalName = table.getPhysicalName().getBytes();
    TableDescriptor descriptor = services.getTableDescriptor(physicalName);
    // A connection without a cluster has no descriptors.
    List<ColumnFamilyDescriptor> families =
        descriptor == null ? Collections.emptyList() : indexFamilies(descriptor);
    if (families.isEmpty() || hasIndexIds(services, table)) {
      return;
    }
    try (Table stored = services.getTable(physicalName)) {
      if (hasRow(stored, families)) {
        throw refusal(table, index, families);
      }
    } catch (IOException e) {
      throw new SQLException(
          "Cannot read the rows of local indexes of " + table.getPhysicalName(), e);
    }
  }

  private static List<ColumnFamilyDescriptor> indexFamilies(TableDescriptor table) {
    return Arrays.stream(table.getColumnFamilies())
        .filter(
            family ->
                family
                    .getNameAsString()
                    .startsWith(QueryConstants.LOCAL_INDEX_COLUMN_FAMILY_PREFIX))
        .collect(toList());
  }

  /**
   * Returns whether Phoenix has ever assigned an id to an index of the table or of one of its
   * views. Reads the sequence from HBase, because a connection of a tenant cannot select it.
   */
  private static boolean hasIndexIds(ConnectionQueryServices services, PTable table)
      throws SQLException {
    PName base = table.getBaseTableLogicalName();
    if (base == null) {
      base =
          SchemaUtil.getPhysicalHBaseTableName(
              table.getSchemaName(), table.getTableName(), table.isNamespaceMapped());
    }
    byte[] sequence =
        MetaDataUtil.getViewIndexSequenceKey(
                null, base, services.getSequenceSaltBuckets(), table.isNamespaceMapped())
            .getKey();
    byte[] sequences =
        SchemaUtil.getPhysicalName(
                PhoenixDatabaseMetaData.SYSTEM_SEQUENCE_NAME_BYTES, services.getProps())
            .getName();
    try (Table stored = services.getTable(sequences)) {
      return stored.exists(new Get(sequence));
    } catch (IOException e) {
      throw new SQLException("Cannot read the ids of the indexes of " + base, e);
    }
  }

  private static boolean hasRow(Table stored, List<ColumnFamilyDescriptor> families)
      throws IOException {
    Scan scan = new Scan().setLimit(1).setFilter(new FirstKeyOnlyFilter());
    families.forEach(family -> scan.addFamily(family.getName()));
    try (ResultScanner scanner = stored.getScanner(scan)) {
      return scanner.next() != null;
    }
  }

  private static SQLException refusal(
      PTable table, String index, List<ColumnFamilyDescriptor> families) {
    String names =
        families.stream().map(ColumnFamilyDescriptor::getNameAsString).collect(joining(", "));
    return new SQLException(
        String.format(
            "Cannot create the local index %s on %s: the HBase table %s already has index rows in"
                + " %s, but the catalog has no index of this table. A clone of a snapshot has such"
                + " rows. Expected no index rows. Delete them with the HBase shell, and create the"
                + " index again: %s",
            index,
            table.getName(),
            table.getPhysicalName(),
            names,
            families.stream()
                .map(
                    family ->
                        String.format(
                            "alter '%s', 'delete' => '%s'",
                            table.getPhysicalName(), family.getNameAsString()))
                .collect(joining("; "))));
  }
}
