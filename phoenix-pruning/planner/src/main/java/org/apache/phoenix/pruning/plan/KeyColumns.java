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
package org.apache.phoenix.pruning.plan;

import java.util.List;
import java.util.stream.IntStream;
import org.apache.phoenix.schema.PColumn;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.schema.PTableType;
import org.apache.phoenix.schema.types.PDataType;
import org.apache.phoenix.schema.types.PDecimal;
import org.apache.phoenix.schema.types.PVarchar;
import org.apache.phoenix.util.IndexUtil;

/** Which columns of the row keys of a table or an index are what; counted from the first one. */
public final class KeyColumns {

  private final List<PColumn> columns;
  private final boolean isIndex;
  private final int constants;

  /**
   * The columns of the row key of {@code table}.
   *
   * @param isOfTenant whether the connection has a tenant, which then leads the keys
   */
  public KeyColumns(PTable table, boolean isOfTenant) {
    columns = table.getPKColumns();
    isIndex = table.getType() == PTableType.INDEX;
    constants =
        (table.getBucketNum() == null ? 0 : 1)
            + (table.getViewIndexId() == null ? 0 : 1)
            + (isOfTenant && table.isMultiTenant() ? 1 : 0);
  }

  /** How many there are. */
  public int count() {
    return columns.size();
  }

  /** What the data table calls the column, or the expression that an index keeps in it. */
  public String name(int position) {
    String name = columns.get(position).getName().getString();
    return isIndex ? IndexUtil.getDataColumnName(name) : name;
  }

  /** Whether not all rows that a query can see have one value in the column. */
  public boolean isVariable(int position) {
    return position >= constants && columns.get(position).getViewConstant() == null;
  }

  /** Whether the column holds bytes of any length, and these are neither text nor a number. */
  public boolean isBytes(int position) {
    PDataType<?> type = columns.get(position).getDataType();
    return !type.isFixedWidth() && type != PVarchar.INSTANCE && type != PDecimal.INSTANCE;
  }

  /** Whether the column is one of the data table's key, and not one that an index adds. */
  public boolean isOfDataKey(int position) {
    // Columns of an index are named family:column, those of the key :column.
    String name = columns.get(position).getName().getString();
    return !isIndex || name.startsWith(IndexUtil.INDEX_COLUMN_NAME_SEP);
  }

  /**
   * How many columns from {@code from} to {@code to} are of the data table's key, and variable.
   *
   * @param from inclusive
   * @param to exclusive
   */
  public int dataKeyColumns(int from, int to) {
    return (int) IntStream.range(from, to).filter(i -> isVariable(i) && isOfDataKey(i)).count();
  }
}
