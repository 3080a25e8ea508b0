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
import org.apache.phoenix.pruning.region.IndexRowPrefix;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.schema.PTable.IndexType;
import org.apache.phoenix.schema.RowKeySchema;
import org.apache.phoenix.util.ByteUtil;

/**
 * How a local index keeps its rows: the columns of its row key in their order, and which index row
 * key belongs to which data row key.
 *
 * <p>The key of an index row is the start key of its region, the index id, the tenant of a
 * multi-tenant table, what is indexed, and what is left of the data row key; without the salt of
 * the data row key, and without the columns that have one value in the whole view.
 */
public final class IndexLayout {

  /** In which order an index keeps the rows of a region. */
  public enum Kind {
    /** By something else than the leading columns of the data row key. */
    NATURAL,
    /** By leading columns of the data row key first (PHOENIX-3941). */
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
    this.dataKey = Collections.unmodifiableList(IndexKeyColumns.ofDataKey(dataTable, index, key));
    this.covered = Collections.unmodifiableList(IndexKeyColumns.covered(dataTable, index));
    this.families = Collections.unmodifiableSet(ColumnFamilies.of(index));
    this.id = index.getviewIndexIdType().toBytes(index.getViewIndexId());
    this.schema = index.getRowKeySchema();
    this.mapping = mapping;
  }

  /**
   * The layout of {@code index}.
   *
   * @param dataTable the table, or the view, that the index was created on
   * @throws IllegalArgumentException if it is not a local index
   */
  public static IndexLayout of(PhoenixConnection connection, PTable dataTable, PTable index)
      throws SQLException {
    if (index.getIndexType() != IndexType.LOCAL) {
      throw new IllegalArgumentException(
          index.getName() + " is " + index.getIndexType() + ", but has to be a local index");
    }
    return new IndexLayout(
        dataTable,
        index,
        IndexKeyColumns.of(connection, dataTable, index),
        IndexRowMapping.of(connection, dataTable, index));
  }

  /** The layouts of all local indexes of {@code dataTable}, a table or a view. */
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

  /** The name of the data table, with its schema. */
  public String dataTable() {
    return dataTable;
  }

  /** The name of the index, with its schema. */
  public String index() {
    return index;
  }

  public Kind kind() {
    return prefix().isEmpty() ? Kind.NATURAL : Kind.REARRANGED;
  }

  /**
   * The leading columns of the data row key that the index begins with, in key order, without salt,
   * tenant and what is constant in a view; none if it is a natural one.
   */
  public List<IndexKeyColumn> prefix() {
    return key.stream()
        .filter(column -> column.role() == IndexKeyColumn.Role.PREFIX)
        .collect(Collectors.toList());
  }

  /** The columns of the row key in their order, from the index id on. */
  public List<IndexKeyColumn> key() {
    return key;
  }

  /**
   * Those columns of {@link #key} that are columns of the data row key, in its order; without the
   * tenant.
   */
  public List<IndexKeyColumn> dataKey() {
    return dataKey;
  }

  /** The names of the columns that the index has besides those of its key. */
  public List<String> covered() {
    return covered;
  }

  /** The column families of the table that have the cells of the index. */
  public Set<String> families() {
    return families;
  }

  /**
   * What the keys of all rows of the index in a region start with.
   *
   * @param regionStart inclusive; empty for the first region
   * @param regionEnd exclusive; empty for the last region
   */
  public byte[] rowsIn(byte[] regionStart, byte[] regionEnd) {
    return ByteUtil.concat(IndexRowPrefix.of(regionStart, regionEnd), id);
  }

  /**
   * What lies behind all rows of the index in a region: exclusive; empty for the end of the table.
   * The parameters are those of {@link #rowsIn}.
   */
  public byte[] behindRowsIn(byte[] regionStart, byte[] regionEnd) {
    byte[] next = ByteUtil.nextKey(rowsIn(regionStart, regionEnd));
    boolean endsBefore =
        regionEnd.length > 0 && (next == null || Bytes.compareTo(regionEnd, next) < 0);
    return endsBefore || next == null ? regionEnd : next;
  }

  /**
   * The key of the row in the index of a data row, as the region stores it that holds the data row.
   *
   * @param row the data row's cells, as HBase has them; columns without a cell are null
   */
  public byte[] indexRowKey(
      byte[] dataRowKey, Collection<? extends Cell> row, byte[] regionStart, byte[] regionEnd) {
    return ByteUtil.concat(
        IndexRowPrefix.of(regionStart, regionEnd), mapping.indexRowKey(dataRowKey, row));
  }

  /**
   * Reads the key of a row of the index, as a region stores it.
   *
   * @throws IllegalArgumentException if it is none of this index in that region
   */
  public IndexRow read(byte[] indexRowKey, byte[] regionStart, byte[] regionEnd) {
    byte[] start = rowsIn(regionStart, regionEnd);
    if (!Bytes.startsWith(indexRowKey, start)) {
      throw new IllegalArgumentException(
          String.format(
              "The row key %s is none of %s, which start with %s in the region from %s to %s",
              KeyText.brief(indexRowKey),
              index,
              KeyText.brief(start),
              KeyText.brief(regionStart),
              KeyText.brief(regionEnd)));
    }
    int offset = start.length - id.length;
    ImmutableBytesWritable own =
        new ImmutableBytesWritable(indexRowKey, offset, indexRowKey.length - offset);
    return new IndexRow(key, values(own), mapping.dataRowKey(own));
  }

  private List<Object> values(ImmutableBytesWritable indexRowKey) {
    List<Object> values = new ArrayList<>(key.size());
    ImmutableBytesWritable value = new ImmutableBytesWritable();
    int end =
        schema.iterator(indexRowKey.get(), indexRowKey.getOffset(), indexRowKey.getLength(), value);
    for (int i = 0; i < key.size(); i++) {
      // Neither false nor, behind the last one, null is a value.
      boolean hasValue = Boolean.TRUE.equals(schema.next(value, i, end));
      values.add(hasValue ? key.get(i).value(value) : null);
    }
    return values;
  }

  /** The index, its kind, and the columns of its key, as people would write them. */
  @Override
  public String toString() {
    return index + " of " + dataTable + ", " + kind() + " " + key;
  }
}
