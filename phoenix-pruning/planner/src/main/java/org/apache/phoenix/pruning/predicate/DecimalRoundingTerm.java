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

import java.math.BigDecimal;
import java.util.List;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.phoenix.pruning.key.ValueBound;
import org.apache.phoenix.pruning.key.ValueRange;
import org.apache.phoenix.schema.types.PDataType;
import org.apache.phoenix.schema.types.PDecimal;
import org.jspecify.annotations.Nullable;

/**
 * ROUND, FLOOR or CEIL of a DECIMAL column. The ranges use one property only: the result differs
 * from the column by at most one unit of the scale that it is rounded to.
 */
final class DecimalRoundingTerm implements KeyTerm {

  private final ColumnTerm column;
  private final BigDecimal unit;

  /**
   * Creates a term that rounds to {@code scale} digits.
   *
   * @param scale number of digits after the decimal point; negative for digits before it
   */
  DecimalRoundingTerm(ColumnTerm column, int scale) {
    this.column = column;
    this.unit = BigDecimal.ONE.scaleByPowerOfTen(-scale);
  }

  @Override
  public int column() {
    return column.column();
  }

  @Override
  public boolean isNullWithColumn() {
    return true;
  }

  @Override
  public @Nullable List<ValueRange> where(CompareOperator operator, Constant constant) {
    byte[] encoded = constant.encodedAs(PDecimal.INSTANCE);
    if (encoded == null) {
      return null;
    }
    PDataType<?> type = PDecimal.INSTANCE;
    BigDecimal value = (BigDecimal) type.toObject(encoded);
    ValueBound low = ValueBound.before(PDecimal.INSTANCE.toBytes(value.subtract(unit)));
    ValueBound high = ValueBound.after(PDecimal.INSTANCE.toBytes(value.add(unit)));
    switch (operator) {
      case EQUAL:
        return ColumnTerm.ranges(ValueRange.between(low, high));
      case LESS:
      case LESS_OR_EQUAL:
        return ColumnTerm.ranges(ValueRange.below(high));
      case GREATER:
      case GREATER_OR_EQUAL:
        return ColumnTerm.ranges(ValueRange.above(low));
      default:
        return null;
    }
  }

  @Override
  public @Nullable List<ValueRange> whereStartsWith(byte[] prefix) {
    return null;
  }
}
