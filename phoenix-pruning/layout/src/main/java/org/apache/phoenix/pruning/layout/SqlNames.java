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

import java.util.Arrays;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.phoenix.schema.PColumn;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.schema.types.PDataType;
import org.apache.phoenix.util.IndexUtil;
import org.apache.phoenix.util.SchemaUtil;

/** Formats names as users write them in SQL. */
public final class SqlNames {

  /** Pattern of names that need no quotes, because SQL converts unquoted names to upper case. */
  private static final Pattern PLAIN = Pattern.compile("[A-Z_][A-Z0-9_]*");

  private SqlNames() {}

  /** Returns the name of a column or a family, in quotes only if needed. */
  public static String plain(String name) {
    return PLAIN.matcher(name).matches() ? name : quoted(name);
  }

  /** Returns the full name of a table or an index, in quotes only if needed. */
  public static String full(String name) {
    return Arrays.stream(name.split("\\.")).map(SqlNames::plain).collect(Collectors.joining("."));
  }

  /** Returns a single name in quotes, even if quotes are not needed. */
  public static String quoted(String name) {
    return '"' + name + '"';
  }

  /**
   * Returns the name of a column of the data table, with its family unless that is the default
   * family.
   *
   * @param indexColumn the column's name in the index: {@code family:column}, or {@code :column}
   *     for a key column
   */
  static String column(String indexColumn, String defaultFamily) {
    String family = IndexUtil.getDataColumnFamilyName(indexColumn);
    String column = plain(IndexUtil.getDataColumnName(indexColumn));
    return family.isEmpty() || family.equals(defaultFamily) ? column : plain(family) + "." + column;
  }

  /**
   * Returns the SQL name of a column of a table, with its family unless that is the default family.
   */
  public static String column(PTable table, PColumn column) {
    String name = plain(column.getName().getString());
    String family = SchemaUtil.isPKColumn(column) ? "" : column.getFamilyName().getString();
    return family.isEmpty() || family.equals(SchemaUtil.getEmptyColumnFamilyAsString(table))
        ? name
        : plain(family) + "." + name;
  }

  /** Returns the type of a column, with its length and scale if it has them. */
  public static String type(PColumn column) {
    PDataType<?> type = column.getDataType();
    String name = type.getSqlTypeName();
    if (type.isFixedWidth() && type.getByteSize() != null || column.getMaxLength() == null) {
      return name;
    }
    if (type.isArrayType()) {
      // The length is that of the elements: CHAR(3) ARRAY.
      String element = PDataType.arrayBaseType(type).getSqlTypeName();
      return withLength(element, column) + " " + PDataType.ARRAY_TYPE_SUFFIX;
    }
    return withLength(name, column);
  }

  private static String withLength(String name, PColumn column) {
    return name
        + "("
        + column.getMaxLength()
        + (column.getScale() == null ? "" : "," + column.getScale())
        + ")";
  }
}
