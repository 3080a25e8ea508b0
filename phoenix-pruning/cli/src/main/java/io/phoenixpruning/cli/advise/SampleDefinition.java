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

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.pruning.layout.SqlNames;
import org.apache.phoenix.schema.PColumn;
import org.apache.phoenix.schema.PColumnFamily;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.schema.SortOrder;
import org.apache.phoenix.util.SchemaUtil;

/**
 * Defines a sample table that takes writes in the same way as another table.
 *
 * <p>The sample table has the same columns, key and salt, and the same settings that affect how a
 * row is written. It has no indexes, split points, TTL, default values or replication. It has
 * nothing else that users attached to the table, such as coprocessors.
 */
final class SampleDefinition {

  private final PTable table;
  private final TableDescriptor descriptor;

  /**
   * @param table the table to imitate; not a view
   * @param descriptor HBase's descriptor of {@code table}
   */
  SampleDefinition(PTable table, TableDescriptor descriptor) {
    this.table = table;
    this.descriptor = descriptor;
  }

  /** Returns the columns that an UPSERT into {@code table} names, as written in SQL. */
  static List<String> columns(PTable table) {
    return written(table.getColumns(), table).map(SampleDefinition::name).toList();
  }

  /** Returns the CREATE TABLE statement, without a semicolon. */
  String create(String name) {
    String columns =
        written(table.getColumns(), table)
            .map(column -> name(column) + " " + SqlNames.type(column) + nullable(column))
            .collect(Collectors.joining(", "));
    String key =
        written(table.getPKColumns(), table)
            .map(SampleDefinition::keyColumn)
            .collect(Collectors.joining(", "));
    Map<String, Object> properties = properties();
    addFamilies(properties);
    return "CREATE TABLE "
        + name
        + " ("
        + columns
        + " CONSTRAINT PK PRIMARY KEY ("
        + key
        + ")) "
        + properties.entrySet().stream()
            .map(property -> property.getKey() + " = " + literal(property.getValue()))
            .collect(Collectors.joining(", "));
  }

  /** Returns {@code columns} without the salt, which no statement writes. */
  private static Stream<PColumn> written(List<PColumn> columns, PTable table) {
    return columns.stream().skip(table.getBucketNum() == null ? 0 : 1);
  }

  private static String name(PColumn column) {
    String name = SqlNames.quoted(column.getName().getString());
    return SchemaUtil.isPKColumn(column)
        ? name
        : SqlNames.quoted(column.getFamilyName().getString()) + "." + name;
  }

  private static String nullable(PColumn column) {
    return column.isNullable() ? "" : " NOT NULL";
  }

  private static String keyColumn(PColumn column) {
    return name(column)
        + (column.getSortOrder() == SortOrder.DESC ? " DESC" : "")
        + (column.isRowTimestamp() ? " ROW_TIMESTAMP" : "");
  }

  private Map<String, Object> properties() {
    Map<String, Object> properties = new LinkedHashMap<>();
    if (table.getBucketNum() != null) {
      properties.put("SALT_BUCKETS", table.getBucketNum());
    }
    if (table.getDefaultFamilyName() != null) {
      properties.put("DEFAULT_COLUMN_FAMILY", table.getDefaultFamilyName().getString());
    }
    properties.put("MULTI_TENANT", table.isMultiTenant());
    properties.put("IMMUTABLE_ROWS", table.isImmutableRows());
    if (table.isImmutableRows()) {
      properties.put("IMMUTABLE_STORAGE_SCHEME", table.getImmutableStorageScheme().name());
    }
    properties.put("COLUMN_ENCODED_BYTES", table.getEncodingScheme().getSerializedMetadataValue());
    properties.put("STORE_NULLS", table.getStoreNulls());
    properties.put("DISABLE_WAL", table.isWALDisabled());
    properties.put("UPDATE_CACHE_FREQUENCY", table.getUpdateCacheFrequency());
    if (descriptor.getDurability() != Durability.USE_DEFAULT) {
      properties.put("DURABILITY", descriptor.getDurability().name());
    }
    return properties;
  }

  private void addFamilies(Map<String, Object> properties) {
    List<PColumnFamily> families = table.getColumnFamilies();
    if (families.isEmpty()) {
      addFamily(properties, "", SchemaUtil.getEmptyColumnFamily(table));
    }
    for (PColumnFamily family : families) {
      String name = family.getName().getString();
      addFamily(properties, SqlNames.quoted(name) + ".", Bytes.toBytes(name));
    }
  }

  private void addFamily(Map<String, Object> properties, String prefix, byte[] family) {
    ColumnFamilyDescriptor settings = descriptor.getColumnFamily(family);
    properties.put(prefix + "DATA_BLOCK_ENCODING", settings.getDataBlockEncoding().name());
    properties.put(prefix + "COMPRESSION", settings.getCompressionType().name());
    properties.put(prefix + "BLOOMFILTER", settings.getBloomFilterType().name());
  }

  private static String literal(Object value) {
    return value instanceof String text ? "'" + text + "'" : value.toString();
  }
}
