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
package io.phoenixpruning.cli.advise;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.pruning.layout.IndexKeyColumn;
import org.apache.phoenix.pruning.layout.IndexLayout;
import org.apache.phoenix.pruning.layout.SqlNames;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.util.SchemaUtil;

/** Reads the definitions of a table's local indexes. */
final class ExistingIndexes {

  private ExistingIndexes() {}

  static List<IndexDefinition> of(PhoenixConnection connection, PTable table) throws SQLException {
    List<IndexDefinition> indexes = new ArrayList<>();
    for (IndexLayout layout : IndexLayout.allOf(connection, table)) {
      indexes.add(
          new IndexDefinition(
              SqlNames.full(layout.dataTable()),
              SqlNames.plain(SchemaUtil.getTableNameFromFullName(layout.index())),
              names(layout.prefix()),
              names(declared(layout)),
              layout.covered()));
    }
    return indexes;
  }

  /**
   * Returns the declared key columns after the prefix. Phoenix appends the rest of the data row
   * key, in its order, to the declared columns; these appended columns are left out.
   */
  private static List<IndexKeyColumn> declared(IndexLayout layout) {
    List<IndexKeyColumn> key =
        layout.key().stream()
            .filter(column -> column.role() != IndexKeyColumn.Role.INDEX_ID)
            .filter(column -> column.role() != IndexKeyColumn.Role.TENANT)
            .toList();
    int count = layout.prefix().size();
    while (!isAdded(layout, key, count)) {
      count++;
    }
    return key.subList(layout.prefix().size(), count);
  }

  /** Returns whether Phoenix appended all key columns from index {@code first}. */
  private static boolean isAdded(IndexLayout layout, List<IndexKeyColumn> key, int first) {
    List<IndexKeyColumn> left = new ArrayList<>(layout.dataKey());
    left.removeAll(key.subList(0, first));
    return first > 0 && left.equals(key.subList(first, key.size()));
  }

  private static List<String> names(List<IndexKeyColumn> columns) {
    return columns.stream()
        .map(column -> column.name() + (column.isDescending() ? " DESC" : ""))
        .toList();
  }
}
