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
package org.apache.phoenix.pruning.patch.plan;

import java.util.LinkedHashSet;
import java.util.Set;
import org.apache.hadoop.hbase.util.Pair;
import org.apache.phoenix.schema.ColumnFamilyNotFoundException;
import org.apache.phoenix.schema.ColumnNotFoundException;
import org.apache.phoenix.schema.PColumn;
import org.apache.phoenix.schema.PTable;

/** Names of indexed columns together with the names of their families. */
public final class IndexedFamilies {

  /** Separates a family from a column. No name can have it. */
  private static final char FAMILY_END = '\0';

  private IndexedFamilies() {}

  /**
   * Returns the columns with their families in front of their names.
   *
   * @param columns the family of each column, or null for a column of the key, and its name
   */
  public static Set<Pair<String, String>> withFamilies(Set<Pair<String, String>> columns) {
    Set<Pair<String, String>> named = new LinkedHashSet<>();
    for (Pair<String, String> column : columns) {
      String family = column.getFirst();
      named.add(
          family == null ? column : new Pair<>(family, family + FAMILY_END + column.getSecond()));
    }
    return named;
  }

  /** Returns whether {@link #withFamilies} has made a name. */
  public static boolean haveFamily(String name) {
    return name.indexOf(FAMILY_END) >= 0;
  }

  /** Returns the column that a name of {@link #withFamilies} names. */
  public static PColumn column(PTable table, String name) throws ColumnNotFoundException {
    int end = name.indexOf(FAMILY_END);
    String family = name.substring(0, end);
    String column = name.substring(end + 1);
    try {
      return table.getColumnFamily(family).getPColumnForColumnName(column);
    } catch (ColumnFamilyNotFoundException e) {
      throw new ColumnNotFoundException(
          table.getSchemaName().getString(), table.getTableName().getString(), family, column);
    }
  }
}
