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

import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.phoenix.schema.PColumn;
import org.apache.phoenix.schema.SortOrder;
import org.apache.phoenix.schema.types.PDataType;

/** A column of the row key of a local index, as it is stored. */
public final class IndexKeyColumn {

  /** What a column is there for. */
  public enum Role {
    /** Tells the rows of the table's indexes apart. */
    INDEX_ID,
    /** The tenant of a multi-tenant table. */
    TENANT,
    /** Of the leading columns of the data row key, which a rearranged index begins with. */
    PREFIX,
    /** A column, or an expression, that the data row key does not have. */
    INDEXED,
    /** Another column of the data row key. */
    DATA_KEY
  }

  private final String name;
  private final String sql;
  private final Role role;
  private final PColumn column;
  private final PDataType<?> type;

  /**
   * A column.
   *
   * @param name for people
   * @param sql the expression that names it in a statement on the data table
   * @param type of what is indexed
   */
  IndexKeyColumn(String name, String sql, Role role, PColumn column, PDataType<?> type) {
    this.name = name;
    this.sql = sql;
    this.role = role;
    this.column = column;
    this.type = type;
  }

  /**
   * As a user would write it: {@code V}, {@code FAMILY.V}, {@code "v"}, {@code K1} of the data row
   * key, or {@code UPPER(V)}.
   */
  public String name() {
    return name;
  }

  /** The expression that means the column in any statement on the data table. */
  public String sql() {
    return sql;
  }

  public Role role() {
    return role;
  }

  /**
   * The SQL type that is stored, such as {@code DECIMAL(10,2)}: to keep nulls, an index has a
   * nullable INTEGER as DECIMAL, and a CHAR as VARCHAR.
   */
  public String storedType() {
    return SqlNames.type(column);
  }

  /** The type of what is indexed, which the values are of. */
  public PDataType<?> type() {
    return type;
  }

  public boolean isDescending() {
    return column.getSortOrder() == SortOrder.DESC;
  }

  public boolean isNullable() {
    return column.isNullable();
  }

  /** The value that is stored at {@code bytes}, of the type of {@link #type}. */
  Object value(ImmutableBytesWritable bytes) {
    return type.toObject(
        bytes,
        column.getDataType(),
        column.getSortOrder(),
        column.getMaxLength(),
        column.getScale());
  }

  /** A value of the column as SQL has it; null as {@code null}. */
  public String literal(Object value) {
    return value == null ? "null" : type.toStringLiteral(value, null);
  }

  /** The name, the stored type, and the order, as in {@code V DECIMAL DESC}. */
  @Override
  public String toString() {
    return name + " " + storedType() + (isDescending() ? " DESC" : "");
  }
}
