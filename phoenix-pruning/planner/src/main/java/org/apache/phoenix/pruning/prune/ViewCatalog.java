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
package org.apache.phoenix.pruning.prune;

import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.RowFilter;
import org.apache.hadoop.hbase.filter.SubstringComparator;
import org.apache.hadoop.hbase.filter.ValueFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.jdbc.PhoenixDatabaseMetaData;
import org.apache.phoenix.query.ConnectionQueryServices;
import org.apache.phoenix.query.QueryConstants;
import org.apache.phoenix.schema.PName;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.schema.PTableType;
import org.apache.phoenix.schema.types.PChar;
import org.apache.phoenix.schema.types.PUnsignedTinyint;
import org.apache.phoenix.util.ByteUtil;
import org.apache.phoenix.util.SchemaUtil;

/**
 * Reads Phoenix's catalog to find views of a table that add key columns. SYSTEM.CHILD_LINK links a
 * table to its views. SYSTEM.CATALOG links a view to the table that stores it.
 */
final class ViewCatalog {

  /**
   * Maximum number of views that are read. A table with more views is assumed to have longer keys.
   */
  private static final int MAX_VIEWS = 32;

  /** The type of the link from a view to the table that it is stored in. */
  private static final byte[] STORED_IN =
      PUnsignedTinyint.INSTANCE.toBytes(PTable.LinkType.PHYSICAL_TABLE.getSerializedValue());

  private final ConnectionQueryServices services;

  ViewCatalog(ConnectionQueryServices services) {
    this.services = services;
  }

  /** Returns whether a view that SYSTEM.CHILD_LINK lists for {@code table} adds key columns. */
  boolean hasLongerLinkedView(PTable table) throws IOException, SQLException {
    try (Table links = open(PhoenixDatabaseMetaData.SYSTEM_CHILD_LINK_NAME_BYTES);
        Table catalog = open(PhoenixDatabaseMetaData.SYSTEM_CATALOG_NAME_BYTES)) {
      return hasLongerLinkedView(table, links, catalog);
    }
  }

  /** Returns whether any view of {@code table} adds key columns. Scans all of SYSTEM.CATALOG. */
  boolean hasLongerView(PTable table) throws IOException, SQLException {
    try (Table catalog = open(PhoenixDatabaseMetaData.SYSTEM_CATALOG_NAME_BYTES)) {
      return hasLongerView(table, catalog);
    }
  }

  private Table open(byte[] name) throws SQLException {
    return services.getTable(SchemaUtil.getPhysicalName(name, services.getProps()).getName());
  }

  private static boolean hasLongerLinkedView(PTable table, Table links, Table catalog)
      throws IOException {
    Set<String> keyColumns = keyColumns(table);
    Deque<byte[]> parents = new ArrayDeque<>();
    parents.add(baseTableKey(table));
    int views = 0;
    while (!parents.isEmpty()) {
      byte[] prefix = childPrefix(parents.remove());
      Scan scan = new Scan().setRowPrefixFilter(prefix).setCaching(MAX_VIEWS + 1);
      try (ResultScanner scanner = links.getScanner(scan)) {
        for (Result link = scanner.next(); link != null; link = scanner.next()) {
          byte[] view = viewKey(Bytes.tail(link.getRow(), link.getRow().length - prefix.length));
          if (++views > MAX_VIEWS || hasOtherKeyColumn(view, keyColumns, catalog)) {
            return true;
          }
          parents.add(view);
        }
      }
    }
    return false;
  }

  /** Reads the catalog for the views that are stored in the HBase table of {@code table}. */
  private static boolean hasLongerView(PTable table, Table catalog) throws IOException {
    Set<String> keyColumns = keyColumns(table);
    // Phoenix 4 wrote the physical name.
    Set<String> names =
        new HashSet<>(
            Arrays.asList(baseTableName(table).getString(), table.getPhysicalName().getString()));
    for (String name : names) {
      byte[] suffix =
          ByteUtil.concat(
              QueryConstants.SEPARATOR_BYTE_ARRAY,
              QueryConstants.SEPARATOR_BYTE_ARRAY,
              Bytes.toBytes(name));
      Scan scan =
          new Scan()
              .setCacheBlocks(false)
              .addColumn(
                  PhoenixDatabaseMetaData.TABLE_FAMILY_BYTES,
                  PhoenixDatabaseMetaData.LINK_TYPE_BYTES)
              .setFilter(
                  new FilterList(
                      new ValueFilter(CompareOperator.EQUAL, new BinaryComparator(STORED_IN)),
                      new RowFilter(CompareOperator.EQUAL, new SubstringComparator(name))));
      int views = 0;
      try (ResultScanner scanner = catalog.getScanner(scan)) {
        for (Result link = scanner.next(); link != null; link = scanner.next()) {
          byte[] row = link.getRow();
          int nameEnd = row.length - suffix.length;
          if (nameEnd > 0
              && Bytes.equals(row, nameEnd, suffix.length, suffix, 0, suffix.length)
              && isView(Bytes.head(row, nameEnd), catalog)
              && (++views > MAX_VIEWS
                  || hasOtherKeyColumn(Bytes.head(row, nameEnd), keyColumns, catalog))) {
            return true;
          }
        }
      }
    }
    return false;
  }

  /**
   * Returns whether a row of the catalog describes a view. Local indexes have such links as well.
   */
  private static boolean isView(byte[] key, Table catalog) throws IOException {
    byte[] type =
        catalog
            .get(
                new Get(key)
                    .addColumn(
                        PhoenixDatabaseMetaData.TABLE_FAMILY_BYTES,
                        PhoenixDatabaseMetaData.TABLE_TYPE_BYTES))
            .value();
    return type != null
        && Bytes.equals(type, PChar.INSTANCE.toBytes(PTableType.VIEW.getSerializedValue()));
  }

  private static Set<String> keyColumns(PTable table) {
    return table.getPKColumns().stream()
        .map(column -> column.getName().getString())
        .collect(Collectors.toSet());
  }

  /** Returns the row of the catalog for the table that holds the rows of {@code table}. */
  private static byte[] baseTableKey(PTable table) {
    return SchemaUtil.getTableKeyFromFullName(baseTableName(table).getString());
  }

  private static PName baseTableName(PTable table) {
    PName base = table.getBaseTableLogicalName();
    return base == null ? table.getPhysicalName() : base;
  }

  /** Returns the row of the catalog for a view that a link leads to. */
  private static byte[] viewKey(byte[] tenantAndName) {
    int separator = Bytes.indexOf(tenantAndName, QueryConstants.SEPARATOR_BYTE);
    if (separator < 0) {
      throw new IllegalArgumentException(
          "Malformed row key in SYSTEM.CHILD_LINK: expected TENANT\\x00VIEW, but found "
              + Bytes.toStringBinary(tenantAndName));
    }
    String name =
        Bytes.toString(tenantAndName, separator + 1, tenantAndName.length - separator - 1);
    return SchemaUtil.getTableKey(
        Bytes.head(tenantAndName, separator),
        Bytes.toBytes(SchemaUtil.getSchemaNameFromFullName(name)),
        Bytes.toBytes(SchemaUtil.getTableNameFromFullName(name)));
  }

  private static boolean hasOtherKeyColumn(byte[] view, Set<String> keyColumns, Table catalog)
      throws IOException {
    byte[] prefix = childPrefix(view);
    Scan scan =
        new Scan()
            .setRowPrefixFilter(prefix)
            .addColumn(
                PhoenixDatabaseMetaData.TABLE_FAMILY_BYTES, PhoenixDatabaseMetaData.KEY_SEQ_BYTES);
    try (ResultScanner scanner = catalog.getScanner(scan)) {
      for (Result column = scanner.next(); column != null; column = scanner.next()) {
        byte[] row = column.getRow();
        if (!keyColumns.contains(Bytes.toString(row, prefix.length, row.length - prefix.length))) {
          return true;
        }
      }
    }
    return false;
  }

  private static byte[] childPrefix(byte[] tableKey) {
    return ByteUtil.concat(tableKey, QueryConstants.SEPARATOR_BYTE_ARRAY);
  }
}
