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

import org.apache.phoenix.query.KeyRange;
import org.apache.phoenix.schema.RowKeySchema;
import org.apache.phoenix.schema.SortOrder;
import org.apache.phoenix.schema.ValueSchema.Field;
import org.apache.phoenix.schema.types.PDataType;
import org.apache.phoenix.schema.types.PDecimal;
import org.apache.phoenix.schema.types.PVarchar;
import org.apache.phoenix.util.ScanUtil;

/** Finds lower bounds that are excluded, and after which longer values can follow in key order. */
public final class ExcludedBounds {

  private ExcludedBounds() {}

  /**
   * Returns whether a key must end after the lower bound of {@code range}, because a longer value
   * can contain the incremented separator.
   *
   * @param furtherColumns number of further columns of each slot
   */
  public static boolean excludesLonger(
      KeyRange range, RowKeySchema schema, int[] furtherColumns, int slot) {
    return !range.isLowerInclusive()
        && !range.lowerUnbound()
        && canContainIncrementedSeparator(
            schema.getField(
                ScanUtil.getRowKeyPosition(furtherColumns, slot) + furtherColumns[slot]));
  }

  /**
   * Returns whether a longer value can contain the incremented separator: 0x01, or 0x00 if the
   * column is descending. 0x00 is 0xFF inverted, which neither UTF-8 text nor a DECIMAL contains.
   */
  private static boolean canContainIncrementedSeparator(Field column) {
    PDataType<?> type = column.getDataType();
    return !type.isFixedWidth()
        && (column.getSortOrder() == SortOrder.ASC
            || type != PVarchar.INSTANCE && type != PDecimal.INSTANCE);
  }
}
