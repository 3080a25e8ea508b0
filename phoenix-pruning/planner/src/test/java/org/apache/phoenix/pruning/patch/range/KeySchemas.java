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
package org.apache.phoenix.pruning.patch.range;

import java.util.Arrays;
import org.apache.phoenix.schema.PDatum;
import org.apache.phoenix.schema.RowKeySchema;
import org.apache.phoenix.schema.RowKeySchema.RowKeySchemaBuilder;
import org.apache.phoenix.schema.SortOrder;
import org.apache.phoenix.schema.types.PDataType;
import org.apache.phoenix.schema.types.PInteger;
import org.apache.phoenix.schema.types.PVarbinary;
import org.apache.phoenix.schema.types.PVarchar;

/** Makes schemas of row keys. */
final class KeySchemas {

  private KeySchemas() {}

  /** Column of a key, which has no maximum length. */
  record Column(PDataType getDataType, SortOrder getSortOrder, boolean isNullable)
      implements PDatum {

    /** Creates a column that is not nullable. */
    Column(PDataType type, SortOrder order) {
      this(type, order, false);
    }

    @Override
    public Integer getMaxLength() {
      return null;
    }

    @Override
    public Integer getScale() {
      return null;
    }

    /** Returns the bytes of a number, or of a text with the digits of the number. */
    byte[] bytes(int number) {
      return bytes(getDataType == PInteger.INSTANCE ? number : String.format("%06d", number));
    }

    /** Returns the bytes of a value in a row key, without a separator. */
    byte[] bytes(Object value) {
      return getDataType.toBytes(value, getSortOrder);
    }

    /** Returns the bytes after a value that is not at the end of the key. */
    byte[] separator() {
      return getDataType == PInteger.INSTANCE
          ? new byte[0]
          : new byte[] {(byte) (getSortOrder == SortOrder.DESC ? 0xFF : 0)};
    }
  }

  /**
   * Returns the schema of columns such as {@code "I S Bd"}: I is an integer, S a string, and B a
   * binary value. A d means descending, and a question mark nullable.
   */
  static RowKeySchema of(String columns) {
    return of(
        Arrays.stream(columns.split(" "))
            .map(
                text ->
                    new Column(
                        switch (text.charAt(0)) {
                          case 'I' -> PInteger.INSTANCE;
                          case 'S' -> PVarchar.INSTANCE;
                          default -> PVarbinary.INSTANCE;
                        },
                        text.contains("d") ? SortOrder.DESC : SortOrder.ASC,
                        text.endsWith("?")))
            .toArray(Column[]::new));
  }

  static RowKeySchema of(Column... columns) {
    RowKeySchemaBuilder schema = new RowKeySchemaBuilder(columns.length);
    for (Column column : columns) {
      schema.addField(column, column.isNullable(), column.getSortOrder());
    }
    return schema.rowKeyOrderOptimizable(true).build();
  }
}
