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

import java.util.List;
import java.util.stream.IntStream;
import org.apache.phoenix.schema.PColumn;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.schema.PTableType;
import org.apache.phoenix.schema.types.PBinary;
import org.apache.phoenix.schema.types.PChar;
import org.apache.phoenix.schema.types.PDataType;
import org.apache.phoenix.schema.types.PDecimal;
import org.apache.phoenix.schema.types.PVarchar;
import org.apache.phoenix.util.IndexUtil;

/** Columns of the row keys of a table or an index. Positions start at 0. */
public final class TableKeyColumns {

  private final List<PColumn> columns;
  private final boolean isIndex;
  private final int leadingConstants;

  /**
   * Creates the columns of the row key of {@code table}.
   *
   * @param hasTenant whether the connection has a tenant, whose ID then leads the keys of a
   *     multi-tenant table
   */
  public TableKeyColumns(PTable table, boolean hasTenant) {
    columns = table.getPKColumns();
    isIndex = table.getType() == PTableType.INDEX;
    leadingConstants =
        (table.getBucketNum() == null ? 0 : 1)
            + (table.getViewIndexId() == null ? 0 : 1)
            + (hasTenant && table.isMultiTenant() ? 1 : 0);
  }

  /** Returns the number of columns. */
  public int count() {
    return columns.size();
  }

  /**
   * Returns the name of the column in the data table. If an index stores an expression in the
   * column, returns the expression.
   */
  public String name(int position) {
    String name = columns.get(position).getName().getString();
    return isIndex ? IndexUtil.getDataColumnName(name) : name;
  }

  /**
   * Returns whether the column distinguishes rows that a query can see. The salt, the view index
   * ID, the tenant ID and view constants do not.
   */
  public boolean isVariable(int position) {
    return position >= leadingConstants && columns.get(position).getViewConstant() == null;
  }

  /**
   * Returns whether the column holds bytes of variable length that are neither text nor a number.
   */
  public boolean isBinary(int position) {
    PDataType<?> type = columns.get(position).getDataType();
    return !type.isFixedWidth() && type != PVarchar.INSTANCE && type != PDecimal.INSTANCE;
  }

  /** Returns whether the column is a CHAR or a BINARY, whose constants can be shorter. */
  public boolean isPadded(int position) {
    PDataType<?> type = columns.get(position).getDataType();
    return type == PChar.INSTANCE || type == PBinary.INSTANCE;
  }

  /**
   * Returns whether the column belongs to the data table's key. The other columns are added by an
   * index.
   */
  public boolean isDataKeyColumn(int position) {
    // Indexed columns are named family:column, columns of the data table's key :column.
    String name = columns.get(position).getName().getString();
    return !isIndex || name.startsWith(IndexUtil.INDEX_COLUMN_NAME_SEP);
  }

  /**
   * Returns the number of variable columns of the data table's key in a range of positions.
   *
   * @param from inclusive
   * @param to exclusive
   */
  public int countDataKeyColumns(int from, int to) {
    return (int) IntStream.range(from, to).filter(i -> isVariable(i) && isDataKeyColumn(i)).count();
  }
}
