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

import org.apache.phoenix.schema.DelegateColumn;
import org.apache.phoenix.schema.PColumn;
import org.apache.phoenix.schema.types.PBinary;
import org.apache.phoenix.schema.types.PChar;
import org.apache.phoenix.schema.types.PDataType;
import org.apache.phoenix.schema.types.PVarbinary;

/** A CHAR or BINARY column to which a null is written. It has a type that is not padded. */
public final class NullColumn extends DelegateColumn {

  private NullColumn(PColumn column) {
    super(column);
  }

  /**
   * Returns the column to use for storing a null in {@code column}. A column with a DEFAULT stays
   * as it is: indexes keep it in a fixed length. So does a dynamic column, which Phoenix can store
   * together with its type.
   */
  public static PColumn of(PColumn column) {
    PDataType<?> type = column.getDataType();
    return (type == PChar.INSTANCE || type == PBinary.INSTANCE)
            && column.getExpressionStr() == null
            && !column.isDynamic()
        ? new NullColumn(column)
        : column;
  }

  @Override
  public PDataType getDataType() {
    return PVarbinary.INSTANCE;
  }
}
