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

import org.apache.phoenix.schema.ColumnRef;
import org.apache.phoenix.schema.IndexUncoveredDataColumnRef;
import org.apache.phoenix.schema.PColumn;
import org.apache.phoenix.schema.ProjectedColumn;
import org.apache.phoenix.schema.TableRef;
import org.apache.phoenix.util.IndexUtil;
import org.apache.phoenix.util.SchemaUtil;
import org.jspecify.annotations.Nullable;

/** Finds columns of a join that the server looks up in the data table. */
public final class JoinedColumns {

  private JoinedColumns() {}

  /**
   * Finds a column that an index lacks.
   *
   * @param joined the columns of the join
   * @param table alias of the index in the join, or its name
   * @param name name that the column would have in the index
   * @return null if the index has the column, or if the table is not an index
   */
  public static @Nullable ColumnRef lookedUp(
      TableRef joined, @Nullable String schema, String table, String name) {
    int separator = name.indexOf(IndexUtil.INDEX_COLUMN_NAME_SEP);
    if (separator < 0) {
      return null;
    }
    String nameInJoin = null;
    for (PColumn column : joined.getTable().getColumns()) {
      if (!(column instanceof ProjectedColumn)) {
        continue;
      }
      ColumnRef source = ((ProjectedColumn) column).getSourceColumnRef();
      if (source instanceof IndexUncoveredDataColumnRef
          && IndexUtil.getIndexColumnName(source.getColumn()).equals(name)) {
        if (nameInJoin == null) {
          nameInJoin =
              SchemaUtil.getColumnName(
                  SchemaUtil.getTableName(schema, table), name.substring(separator + 1));
        }
        if (column.getName().getString().equals(nameInJoin)) {
          return new ColumnRef(joined, column.getPosition());
        }
      }
    }
    return null;
  }
}
