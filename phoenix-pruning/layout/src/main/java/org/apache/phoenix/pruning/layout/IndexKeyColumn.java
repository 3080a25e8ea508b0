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
import org.jspecify.annotations.Nullable;

/** A column of the row key of a local index, as stored. */
public final class IndexKeyColumn {

  /** The purpose of a column in the key. */
  public enum Role {
    /** Distinguishes the rows of different indexes of the table. */
    INDEX_ID,
    /** The tenant of a multi-tenant table. */
    TENANT,
    /** A leading column of the data row key, with which a rearranged index begins. */
    PREFIX,
    /** A column or expression that is not in the data row key. */
    INDEXED,
    /** Any other column of the data row key. */
    DATA_KEY
  }

  private final String name;
  private final String sql;
  private final Role role;
  private final PColumn column;
  private final PDataType<?> type;

  /**
   * Creates a column.
   *
   * @param name a readable name
   * @param sql the expression for this column in a statement on the data table
   * @param type the type of the indexed column or expression
   */
  IndexKeyColumn(String name, String sql, Role role, PColumn column, PDataType<?> type) {
    this.name = name;
    this.sql = sql;
    this.role = role;
    this.column = column;
    this.type = type;
  }

  /**
   * Returns the name as a user would write it: {@code V}, {@code FAMILY.V}, {@code "v"}, {@code K1}
   * of the data row key, or {@code UPPER(V)}.
   */
  public String name() {
    return name;
  }

  /** Returns the expression for this column in any statement on the data table. */
  public String sql() {
    return sql;
  }

  public Role role() {
    return role;
  }

  /**
   * Returns the SQL type that is stored, such as {@code DECIMAL(10,2)}. To keep nulls, an index
   * stores a nullable INTEGER as DECIMAL, and a nullable CHAR as VARCHAR.
   */
  public String storedType() {
    return SqlNames.type(column);
  }

  /** Returns the type of the indexed column or expression, which is also the type of the values. */
  public PDataType<?> type() {
    return type;
  }

  public boolean isDescending() {
    return column.getSortOrder() == SortOrder.DESC;
  }

  public boolean isNullable() {
    return column.isNullable();
  }

  /** Returns the value that is stored in {@code bytes}, with the type {@link #type}. */
  Object value(ImmutableBytesWritable bytes) {
    return type.toObject(
        bytes,
        column.getDataType(),
        column.getSortOrder(),
        column.getMaxLength(),
        column.getScale());
  }

  /** Returns a value of the column as an SQL literal. Returns the text {@code null} for null. */
  public String literal(@Nullable Object value) {
    return value == null ? "null" : type.toStringLiteral(value, null);
  }

  /** Returns the name, the stored type and the sort order, such as {@code V DECIMAL DESC}. */
  @Override
  public String toString() {
    return name + " " + storedType() + (isDescending() ? " DESC" : "");
  }
}
