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
package org.apache.phoenix.pruning.layout;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.schema.PTable.IndexType;
import org.apache.phoenix.schema.RowKeySchema;
import org.apache.phoenix.util.ByteUtil;
import org.jspecify.annotations.Nullable;

/**
 * Layout of the rows of a local index: the columns of its row key in order, and the mapping between
 * index row keys and data row keys.
 *
 * <p>The key of an index row consists of these parts, in order:
 *
 * <ol>
 *   <li>the start key of the region
 *   <li>the index id
 *   <li>the tenant of a multi-tenant table
 *   <li>the indexed columns and expressions
 *   <li>the rest of the data row key
 * </ol>
 *
 * <p>The index row key omits the salt of the data row key, and the columns that have one value in
 * the whole view.
 */
public final class IndexLayout {

  /** The order of the index rows in a region. */
  public enum Kind {
    /** Order by the indexed columns first. */
    NATURAL,
    /** Order by leading columns of the data row key first (PHOENIX-3941). */
    REARRANGED
  }

  private final String dataTable;
  private final String index;
  private final List<IndexKeyColumn> key;
  private final List<IndexKeyColumn> dataKey;
  private final List<String> covered;
  private final Set<String> families;
  private final byte[] id;
  private final RowKeySchema schema;
  private final IndexRowMapping mapping;

  private IndexLayout(
      PTable dataTable, PTable index, List<IndexKeyColumn> key, IndexRowMapping mapping) {
    this.dataTable = dataTable.getName().getString();
    this.index = index.getName().getString();
    this.key = Collections.unmodifiableList(key);
    this.dataKey =
        Collections.unmodifiableList(IndexKeyColumns.dataKeyColumns(dataTable, index, key));
    this.covered = Collections.unmodifiableList(IndexKeyColumns.covered(dataTable, index));
    this.families = Collections.unmodifiableSet(ColumnFamilies.of(index));
    this.id = index.getviewIndexIdType().toBytes(index.getViewIndexId());
    this.schema = index.getRowKeySchema();
    this.mapping = mapping;
  }

  /**
   * Returns the layout of {@code index}.
   *
   * @param dataTable the table or view on which the index was created
   * @throws IllegalArgumentException if {@code index} is not a local index
   */
  public static IndexLayout of(PhoenixConnection connection, PTable dataTable, PTable index)
      throws SQLException {
    if (index.getIndexType() != IndexType.LOCAL) {
      throw new IllegalArgumentException(
          "Expected a local index. The index type of "
              + index.getName()
              + " is "
              + index.getIndexType());
    }
    return new IndexLayout(
        dataTable,
        index,
        IndexKeyColumns.of(connection, dataTable, index),
        IndexRowMapping.of(connection, dataTable, index));
  }

  /** Returns the layouts of all local indexes of {@code dataTable}, a table or a view. */
  public static List<IndexLayout> allOf(PhoenixConnection connection, PTable dataTable)
      throws SQLException {
    List<IndexLayout> layouts = new ArrayList<>();
    for (PTable index : dataTable.getIndexes()) {
      if (index.getIndexType() == IndexType.LOCAL) {
        layouts.add(of(connection, dataTable, index));
      }
    }
    return layouts;
  }

  /** Returns the name of the data table, with its schema. */
  public String dataTable() {
    return dataTable;
  }

  /** Returns the name of the index, with its schema. */
  public String index() {
    return index;
  }

  public Kind kind() {
    return prefix().isEmpty() ? Kind.NATURAL : Kind.REARRANGED;
  }

  /**
   * Returns the leading columns of the data row key with which the index begins, in key order. The
   * result excludes the salt, the tenant and constant columns of a view. Empty for a natural index.
   */
  public List<IndexKeyColumn> prefix() {
    return key.stream()
        .filter(column -> column.role() == IndexKeyColumn.Role.PREFIX)
        .collect(Collectors.toList());
  }

  /** Returns the columns of the row key in order, starting with the index id. */
  public List<IndexKeyColumn> key() {
    return key;
  }

  /**
   * Returns the columns of {@link #key} that are in the data row key, in the order of the data row
   * key. The result excludes the tenant.
   */
  public List<IndexKeyColumn> dataKey() {
    return dataKey;
  }

  /** Returns the names of the columns of the index that are not in its key. */
  public List<String> covered() {
    return covered;
  }

  /** Returns the column families of the table that store the cells of the index. */
  public Set<String> families() {
    return families;
  }

  /**
   * Returns the common prefix of the keys of all rows of the index in a region.
   *
   * @param regionStart inclusive start key; empty for the first region
   * @param regionEnd exclusive end key; empty for the last region
   */
  public byte[] rowPrefix(byte[] regionStart, byte[] regionEnd) {
    return ByteUtil.concat(IndexRowPrefix.of(regionStart, regionEnd), id);
  }

  /**
   * Returns the exclusive end key of the rows of the index in a region, or empty for the end of the
   * table. The parameters are those of {@link #rowPrefix}.
   */
  public byte[] rowsEnd(byte[] regionStart, byte[] regionEnd) {
    byte[] next = ByteUtil.nextKey(rowPrefix(regionStart, regionEnd));
    boolean endsBefore =
        regionEnd.length > 0 && (next == null || Bytes.compareTo(regionEnd, next) < 0);
    return endsBefore || next == null ? regionEnd : next;
  }

  /**
   * Returns the index row key of a data row, as stored in the region of the data row.
   *
   * @param row the cells of the data row, as stored in HBase; columns without a cell are null
   */
  public byte[] indexRowKey(
      byte[] dataRowKey, Collection<? extends Cell> row, byte[] regionStart, byte[] regionEnd) {
    return ByteUtil.concat(
        IndexRowPrefix.of(regionStart, regionEnd), mapping.indexRowKey(dataRowKey, row));
  }

  /**
   * Reads the key of a row of the index, as stored in a region.
   *
   * @throws IllegalArgumentException if the key does not belong to this index in that region
   */
  public IndexRow read(byte[] indexRowKey, byte[] regionStart, byte[] regionEnd) {
    byte[] start = rowPrefix(regionStart, regionEnd);
    if (!Bytes.startsWith(indexRowKey, start)) {
      throw new IllegalArgumentException(
          String.format(
              "The row key %s does not belong to %s. Expected the prefix %s in the region from %s"
                  + " to %s",
              KeyText.brief(indexRowKey),
              index,
              KeyText.brief(start),
              KeyText.brief(regionStart),
              KeyText.brief(regionEnd)));
    }
    int offset = start.length - id.length;
    ImmutableBytesWritable keyWithoutPrefix =
        new ImmutableBytesWritable(indexRowKey, offset, indexRowKey.length - offset);
    return new IndexRow(key, values(keyWithoutPrefix), mapping.dataRowKey(keyWithoutPrefix));
  }

  private List<@Nullable Object> values(ImmutableBytesWritable indexRowKey) {
    List<@Nullable Object> values = new ArrayList<>(key.size());
    ImmutableBytesWritable value = new ImmutableBytesWritable();
    int end =
        schema.iterator(indexRowKey.get(), indexRowKey.getOffset(), indexRowKey.getLength(), value);
    for (int i = 0; i < key.size(); i++) {
      // The schema returns false for a null value, and null after the last value.
      boolean hasValue = Boolean.TRUE.equals(schema.next(value, i, end));
      values.add(hasValue ? key.get(i).value(value) : null);
    }
    return values;
  }

  /** Returns the index, its kind and its key columns, as users would write them. */
  @Override
  public String toString() {
    return index + " of " + dataTable + ", " + kind() + " " + key;
  }
}
