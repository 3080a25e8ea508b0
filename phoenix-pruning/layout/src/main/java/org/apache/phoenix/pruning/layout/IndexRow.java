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

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;

/** A row of a local index: the values in its key, and the row key of its data row. */
public final class IndexRow {

  private final List<IndexKeyColumn> columns;
  private final List<@Nullable Object> values;
  private final byte[] dataRowKey;

  /**
   * Creates a row.
   *
   * @param values a value for each column; may be null
   */
  IndexRow(List<IndexKeyColumn> columns, List<@Nullable Object> values, byte[] dataRowKey) {
    this.columns = columns;
    this.values = Collections.unmodifiableList(new ArrayList<>(values));
    this.dataRowKey = dataRowKey;
  }

  /**
   * Returns a value for each key column of the index, with the type of the column. A value may be
   * null.
   */
  public List<@Nullable Object> values() {
    return values;
  }

  /** Returns the row key of the data row. */
  public byte[] dataRowKey() {
    return dataRowKey.clone();
  }

  /** Returns the SQL value of each column except the index id, and the data row key. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < columns.size(); i++) {
      IndexKeyColumn column = columns.get(i);
      if (column.role() != IndexKeyColumn.Role.INDEX_ID) {
        text.append(text.length() == 0 ? "" : ", ")
            .append(column.name())
            .append(" = ")
            .append(column.literal(values.get(i)));
      }
    }
    return text.append(" -> ").append(Bytes.toStringBinary(dataRowKey)).toString();
  }
}
