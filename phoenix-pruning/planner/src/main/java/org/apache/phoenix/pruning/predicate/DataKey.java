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
package org.apache.phoenix.pruning.predicate;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.phoenix.pruning.key.KeyColumn;
import org.apache.phoenix.pruning.key.KeySpace;
import org.apache.phoenix.pruning.key.RowKeyLayout;
import org.apache.phoenix.pruning.key.ValueRange;
import org.apache.phoenix.schema.PColumn;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.schema.SaltingUtil;
import org.apache.phoenix.schema.SortOrder;
import org.apache.phoenix.schema.types.PDataType;
import org.apache.phoenix.schema.types.PDecimal;
import org.apache.phoenix.schema.types.PVarbinary;
import org.apache.phoenix.schema.types.PVarchar;
import org.jspecify.annotations.Nullable;

/**
 * Row key of a data table, limited to the leading columns whose byte order is known. In tables
 * created by current Phoenix versions, these are all columns of the key.
 */
public final class DataKey {

  private final List<PColumn> columns;
  private final RowKeyLayout layout;

  private DataKey(List<PColumn> columns, RowKeyLayout layout) {
    this.columns = columns;
    this.layout = layout;
  }

  /**
   * Returns the key of a table or view, or null if the byte order of its first column is not known.
   */
  public static @Nullable DataKey of(PTable table) {
    return of(table, false);
  }

  /**
   * Returns the key of a table in which some rows have more key columns than are known. The salt of
   * such a row cannot be computed.
   *
   * @return the key, or null if the byte order of its first column is not known
   */
  public static @Nullable DataKey ofPrefix(PTable table) {
    return of(table, true);
  }

  private static @Nullable DataKey of(PTable table, boolean isPrefix) {
    List<PColumn> all = table.getPKColumns();
    boolean salted = table.getBucketNum() != null;
    if (salted) {
      all = all.subList(SaltingUtil.NUM_SALTING_BYTES, all.size());
    }
    List<PColumn> columns = new ArrayList<>(all.size());
    List<KeyColumn> keyColumns = new ArrayList<>(all.size());
    boolean optionalBefore = false;
    boolean mayLackFixed = false;
    for (int i = 0; i < all.size(); i++) {
      KeyColumn keyColumn =
          keyColumn(all.get(i), i == all.size() - 1, table.rowKeyOrderOptimizable());
      if (keyColumn == null) {
        break;
      }
      columns.add(all.get(i));
      keyColumns.add(keyColumn);
      mayLackFixed |= optionalBefore && all.get(i).getDataType().isFixedWidth();
      optionalBefore |= all.get(i).isNullable();
    }
    if (columns.isEmpty()) {
      return null;
    }
    boolean allColumns = columns.size() == all.size();
    if (!salted) {
      return new DataKey(columns, RowKeyLayout.of(keyColumns));
    }
    int buckets = table.getBucketNum();
    return new DataKey(
        columns,
        // If a key lacks columns, its salt is computed from fewer bytes.
        isPrefix || !allColumns || mayLackFixed
            ? RowKeyLayout.saltedPrefix(keyColumns, buckets)
            : RowKeyLayout.salted(
                keyColumns,
                buckets,
                (key, offset, length) -> SaltingUtil.getSaltingByte(key, offset, length, buckets)));
  }

  /**
   * Returns the key column, or null if its encoded values are not known to sort in the order of the
   * values.
   */
  private static @Nullable KeyColumn keyColumn(
      PColumn column, boolean last, boolean orderOptimizable) {
    String name = column.getName().getString();
    PDataType<?> type = column.getDataType();
    boolean descending = column.getSortOrder() == SortOrder.DESC;
    if (type.isFixedWidth()) {
      Integer width = type.getByteSize() == null ? column.getMaxLength() : type.getByteSize();
      boolean isSupported = width != null && !column.isNullable();
      return isSupported ? KeyColumn.fixed(name, width, descending) : null;
    }
    if (type == PVarchar.INSTANCE || type == PDecimal.INSTANCE) {
      if (descending && !orderOptimizable) {
        return null;
      }
      // Always nullable, so that keys written without Phoenix's checks are included.
      KeyColumn variable = KeyColumn.variable(name, descending, true);
      variable = column.isNullable() ? variable.optional() : variable;
      return last && type == PVarchar.INSTANCE ? variable.last() : variable;
    }
    boolean trailing = last && !descending && (type == PVarbinary.INSTANCE || type.isArrayType());
    return trailing ? KeyColumn.trailingBinary(name, true) : null;
  }

  public RowKeyLayout layout() {
    return layout;
  }

  /** Returns the number of columns whose byte order is known, without the salt. */
  public int size() {
    return columns.size();
  }

  public PColumn column(int index) {
    return columns.get(index);
  }

  /**
   * Returns the index of the column named {@code name}, or -1 if it is not among the columns whose
   * byte order is known.
   */
  public int indexOf(String name) {
    for (int i = 0; i < columns.size(); i++) {
      if (columns.get(i).getName().getString().equals(name)) {
        return i;
      }
    }
    return -1;
  }

  /**
   * Returns the row keys whose column at {@code index} has one of {@code values}.
   *
   * @param index index of the column, not counting the salt
   * @param values ranges in any order; they may overlap
   */
  public KeySpace where(int index, Collection<ValueRange> values) {
    return KeySpace.of(layout, index, values);
  }

  @Override
  public String toString() {
    return layout.toString();
  }
}
