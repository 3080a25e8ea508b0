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

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.jdbc.PhoenixPreparedStatement;
import org.apache.phoenix.pruning.layout.IndexKeyColumn.Role;
import org.apache.phoenix.query.QueryConstants;
import org.apache.phoenix.schema.PColumn;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.schema.types.PDataType;
import org.apache.phoenix.util.IndexUtil;
import org.apache.phoenix.util.SchemaUtil;
import org.jspecify.annotations.Nullable;

/** Determines the names and roles of the key columns of a local index. */
final class IndexKeyColumns {

  private final PhoenixConnection connection;
  private final PTable dataTable;

  /** Columns of the data row key with which the index can begin. */
  private final List<PColumn> dataKey;

  private IndexKeyColumns(PhoenixConnection connection, PTable dataTable, PTable index) {
    this.connection = connection;
    this.dataTable = dataTable;
    this.dataKey = dataKey(dataTable, index);
  }

  /** Returns the columns of the row key of {@code index}, in key order. */
  static List<IndexKeyColumn> of(PhoenixConnection connection, PTable dataTable, PTable index)
      throws SQLException {
    return new IndexKeyColumns(connection, dataTable, index).of(index);
  }

  /**
   * Returns the columns of {@code key} that are in the data row key, in the order of the data row
   * key.
   */
  static List<IndexKeyColumn> dataKeyColumns(
      PTable dataTable, PTable index, List<IndexKeyColumn> key) {
    return dataKey(dataTable, index).stream()
        .map(column -> key.get(position(index, column)))
        .collect(Collectors.toList());
  }

  /** Returns the SQL names of the covered columns of {@code index}. */
  static List<String> covered(PTable dataTable, PTable index) {
    return index.getColumns().stream()
        .filter(column -> !SchemaUtil.isPKColumn(column))
        .map(column -> SqlNames.column(column.getName().getString(), defaultFamily(dataTable)))
        .collect(Collectors.toList());
  }

  /**
   * Returns the columns of the data row key, without salt, tenant and the constant columns that the
   * index omits.
   */
  private static List<PColumn> dataKey(PTable dataTable, PTable index) {
    List<PColumn> columns = dataTable.getPKColumns();
    int leadingColumns =
        (dataTable.getBucketNum() == null ? 0 : 1) + (dataTable.isMultiTenant() ? 1 : 0);
    return columns.subList(leadingColumns, columns.size()).stream()
        .filter(column -> position(index, column) >= 0)
        .collect(Collectors.toList());
  }

  private static int position(PTable index, PColumn dataKeyColumn) {
    String name = IndexUtil.getIndexColumnName(null, dataKeyColumn.getName().getString());
    List<PColumn> columns = index.getPKColumns();
    for (int i = 0; i < columns.size(); i++) {
      if (columns.get(i).getName().getString().equals(name)) {
        return i;
      }
    }
    return -1;
  }

  private static String defaultFamily(PTable dataTable) {
    return dataTable.getDefaultFamilyName() == null
        ? QueryConstants.DEFAULT_COLUMN_FAMILY
        : dataTable.getDefaultFamilyName().getString();
  }

  private List<IndexKeyColumn> of(PTable index) throws SQLException {
    List<IndexKeyColumn> key = new ArrayList<>();
    List<PColumn> columns = index.getPKColumns();
    int first = dataTable.isMultiTenant() ? 2 : 1;
    int prefix = 0;
    for (int i = 0; i < columns.size(); i++) {
      PColumn column = columns.get(i);
      PColumn dataColumn = IndexUtil.getDataColumnOrNull(dataTable, column.getName().getString());
      boolean isPrefix =
          i == first + prefix && prefix < dataKey.size() && dataKey.get(prefix) == dataColumn;
      prefix += isPrefix ? 1 : 0;
      Role role = i < first ? (i == 0 ? Role.INDEX_ID : Role.TENANT) : role(dataColumn, isPrefix);
      key.add(role == Role.INDEX_ID ? indexId(column) : column(column, dataColumn, role));
    }
    return key;
  }

  private static Role role(@Nullable PColumn dataColumn, boolean isPrefix) {
    if (dataColumn == null || !SchemaUtil.isPKColumn(dataColumn)) {
      return Role.INDEXED;
    }
    return isPrefix ? Role.PREFIX : Role.DATA_KEY;
  }

  private static IndexKeyColumn indexId(PColumn column) {
    String name = column.getName().getString();
    return new IndexKeyColumn(name, name, Role.INDEX_ID, column, column.getDataType());
  }

  /**
   * Creates a column of the index key.
   *
   * @param dataColumn the column of the data table, or null for an expression
   */
  private IndexKeyColumn column(PColumn column, @Nullable PColumn dataColumn, Role role)
      throws SQLException {
    if (dataColumn == null) {
      String expression = column.getExpressionStr().trim();
      return new IndexKeyColumn(expression, expression, role, column, typeOf(expression));
    }
    String name = SqlNames.column(column.getName().getString(), defaultFamily(dataTable));
    String sql =
        SchemaUtil.isPKColumn(dataColumn)
            ? SqlNames.quoted(dataColumn.getName().getString())
            : SqlNames.quoted(dataColumn.getFamilyName().getString())
                + "."
                + SqlNames.quoted(dataColumn.getName().getString());
    return new IndexKeyColumn(name, sql, role, column, dataColumn.getDataType());
  }

  /** Returns the type of an expression over columns of the data table. */
  private PDataType<?> typeOf(String expression) throws SQLException {
    String table = SchemaUtil.getEscapedFullTableName(dataTable.getName().getString());
    try (PreparedStatement statement =
        connection.prepareStatement("SELECT /*+ NO_INDEX */ " + expression + " FROM " + table)) {
      return statement
          .unwrap(PhoenixPreparedStatement.class)
          .compileQuery()
          .getProjector()
          .getColumnProjector(0)
          .getExpression()
          .getDataType();
    }
  }
}
