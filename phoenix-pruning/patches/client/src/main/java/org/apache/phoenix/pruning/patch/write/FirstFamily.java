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

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.phoenix.schema.PColumn;
import org.apache.phoenix.schema.PName;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.schema.PTable.IndexType;
import org.apache.phoenix.schema.PTableType;
import org.apache.phoenix.util.SchemaUtil;
import org.jspecify.annotations.Nullable;

/** Determines the family of the empty column after a DROP COLUMN. */
public final class FirstFamily {

  private FirstFamily() {}

  /**
   * Returns the first family of {@code table} that remains after the columns {@code all} are
   * dropped. Returns null if {@code column} is in another family, or if the first family stays the
   * first.
   *
   * @param all all columns that the statement drops from {@code table}
   * @param table the data table, or an index
   * @param column one of {@code all}
   */
  public static byte @Nullable [] after(List<PColumn> all, PTable table, PColumn column) {
    if (table.getType() == PTableType.VIEW || SchemaUtil.isPKColumn(column)) {
      return null;
    }
    PName first = table.getColumnFamilies().get(0).getName();
    if (!first.equals(column.getFamilyName())) {
      return null;
    }
    List<PColumn> left = new ArrayList<>();
    for (PColumn each : table.getColumns()) {
      if (!SchemaUtil.isPKColumn(each) && !all.contains(each)) {
        left.add(each);
      }
    }
    if (left.isEmpty()) {
      return SchemaUtil.getEmptyColumnFamily(
          table.getDefaultFamilyName(),
          Collections.emptyList(),
          table.getIndexType() == IndexType.LOCAL);
    }
    PName family = left.get(0).getFamilyName();
    return family.equals(first) ? null : family.getBytes();
  }
}
