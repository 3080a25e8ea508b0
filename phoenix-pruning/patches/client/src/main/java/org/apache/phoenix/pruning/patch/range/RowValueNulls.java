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

/**
 * Excludes null from ranges of one column. A range without a lower bound begins with null, which no
 * comparison matches. A range of several columns keeps its nulls, because Phoenix orders them when
 * it compares row values.
 */
final class RowValueNulls {

  private final RowKeySchema schema;
  private final RowValueBounds bounds;
  private boolean isWider;

  RowValueNulls(RowValueColumns columns) {
    this.schema = columns.schema();
    this.bounds = columns.bounds();
  }

  /**
   * Returns the range without null. If the bytes of null cannot be told from those of values, the
   * range stays as it is.
   *
   * @param position the position of the range's first column in the row key
   */
  KeyRange exclude(int position, KeyRange range) {
    if (!range.lowerUnbound()
        || bounds.columnCount(position, range.getUpperRange()) > 1
        || bounds.isFixed(position)
        || !schema.getField(position).isNullable()) {
      return range;
    }
    if (!NullRanges.isTextOrNumber(schema.getField(position).getDataType())) {
      isWider = true;
      return range;
    }
    return KeyRange.getKeyRange(
        NullRanges.NOT_NULL, true, range.getUpperRange(), range.isUpperInclusive());
  }

  /** Returns whether any result so far still contains null. */
  boolean isWider() {
    return isWider;
  }
}
