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
package org.apache.phoenix.pruning.patch.write;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.apache.phoenix.parse.ColumnName;
import org.apache.phoenix.schema.PColumn;
import org.apache.phoenix.schema.PName;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.schema.PTable.IndexType;
import org.apache.phoenix.schema.PTableType;
import org.apache.phoenix.util.IndexUtil;
import org.apache.phoenix.util.SchemaUtil;
import org.jspecify.annotations.Nullable;

/** Determines the family of the empty column after a DROP COLUMN. */
public final class FirstFamily {

  private FirstFamily() {}

  /**
   * Returns the first family of {@code table} without {@code columns}, or null if the first family
   * stays the same. Also returns null for a {@code dropped} column of another family, because the
   * columns of the first one have all rows written already.
   *
   * @param columns the columns that the statement drops, of the data table
   * @param table the data table, or an index of it
   */
  public static byte @Nullable [] after(List<ColumnName> columns, PTable table, PColumn dropped) {
    if (table.getType() == PTableType.VIEW || SchemaUtil.isPKColumn(dropped)) {
      return null;
    }
    PName first = table.getColumnFamilies().get(0).getName();
    if (!first.equals(dropped.getFamilyName())) {
      return null;
    }
    byte[] family = firstFamily(columns, table);
    return Arrays.equals(family, first.getBytes()) ? null : family;
  }

  private static byte[] firstFamily(List<ColumnName> dropped, PTable table) {
    for (PColumn column : table.getColumns()) {
      if (!SchemaUtil.isPKColumn(column) && !isOneOf(dropped, table, column)) {
        return column.getFamilyName().getBytes();
      }
    }
    return SchemaUtil.getEmptyColumnFamily(
        table.getDefaultFamilyName(),
        Collections.emptyList(),
        table.getIndexType() == IndexType.LOCAL);
  }

  private static boolean isOneOf(List<ColumnName> dropped, PTable table, PColumn column) {
    String name = column.getName().getString();
    String family = column.getFamilyName().getString();
    if (table.getType() == PTableType.INDEX) {
      family = IndexUtil.getDataColumnFamilyName(name);
      name = IndexUtil.getDataColumnName(name);
    }
    for (ColumnName each : dropped) {
      if (each.getColumnName().equals(name)
          && (each.getFamilyName() == null || each.getFamilyName().equals(family))) {
        return true;
      }
    }
    return false;
  }
}
