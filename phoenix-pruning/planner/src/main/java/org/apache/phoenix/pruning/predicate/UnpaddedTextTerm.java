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
package org.apache.phoenix.pruning.predicate;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.phoenix.pruning.key.ValueBound;
import org.apache.phoenix.pruning.key.ValueRange;
import org.apache.phoenix.schema.SortOrder;
import org.jspecify.annotations.Nullable;

/**
 * CHAR column that is not part of the data row key. Its values are those without trailing spaces,
 * as Phoenix compares them. A value that consists only of spaces counts as null here, so the ranges
 * contain null if such a value may meet a condition.
 */
final class UnpaddedTextTerm implements KeyTerm {

  private final int column;
  private final SortOrder order;

  /**
   * Creates a term.
   *
   * @param order the sort order in which the column is compared
   */
  UnpaddedTextTerm(int column, SortOrder order) {
    this.column = column;
    this.order = order;
  }

  @Override
  public int column() {
    return column;
  }

  @Override
  public boolean isNullWithColumn() {
    return false;
  }

  @Override
  public @Nullable List<ValueRange> where(CompareOperator operator, Constant constant) {
    byte[] text = ColumnTypes.isText(constant.type()) ? constant.encoded() : new byte[0];
    boolean isOrder = operator != CompareOperator.EQUAL && operator != CompareOperator.NOT_EQUAL;
    if (text.length == 0 || (isOrder && order == SortOrder.DESC)) {
      // Phoenix compares a descending value with a prefix of it in the wrong order.
      return null;
    }
    List<ValueRange> ranges =
        ColumnTerm.between(operator, ValueBound.before(text), ValueBound.after(text));
    boolean isMetBySpaces =
        operator == CompareOperator.LESS
            || operator == CompareOperator.LESS_OR_EQUAL
            || operator == CompareOperator.NOT_EQUAL;
    if (ranges != null && isMetBySpaces) {
      ranges = new ArrayList<>(ranges);
      ranges.add(ValueRange.NULL);
    }
    return ranges;
  }

  @Override
  public @Nullable List<ValueRange> whereStartsWith(byte[] prefix) {
    return null;
  }
}
