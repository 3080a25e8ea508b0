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

import static org.apache.phoenix.pruning.predicate.ColumnTerm.ranges;

import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.phoenix.pruning.key.ValueBound;
import org.apache.phoenix.pruning.key.ValueRange;
import org.jspecify.annotations.Nullable;

/** {@code RTRIM(column)} of a VARCHAR column: the value without its trailing spaces. */
final class RightTrimTerm implements KeyTerm {

  private final ColumnTerm column;

  RightTrimTerm(ColumnTerm column) {
    this.column = column;
  }

  @Override
  public int column() {
    return column.column();
  }

  @Override
  public boolean isNullWithColumn() {
    return false;
  }

  @Override
  public @Nullable List<ValueRange> where(CompareOperator operator, Constant constant) {
    if (!ColumnTypes.isText(constant.type())) {
      return null;
    }
    byte[] text = constant.encoded();
    byte[] withSpace = Arrays.copyOf(text, text.length + 1);
    withSpace[text.length] = ' ';
    switch (operator) {
      case EQUAL:
        return ranges(
            ValueRange.between(ValueBound.before(text), ValueBound.afterPrefix(withSpace)));
      case GREATER:
      case GREATER_OR_EQUAL:
        return ranges(ValueRange.above(ValueBound.before(text)));
      case LESS:
      case LESS_OR_EQUAL:
        return ColumnTerm.hasControlCharacter(text)
            ? null
            : ranges(ValueRange.below(ValueBound.afterPrefix(withSpace)));
      default:
        return null;
    }
  }

  @Override
  public @Nullable List<ValueRange> whereStartsWith(byte[] prefix) {
    return column.whereStartsWith(prefix);
  }
}
