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

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.expression.function.RoundDateExpression;
import org.apache.phoenix.pruning.key.ValueBound;
import org.apache.phoenix.pruning.key.ValueRange;
import org.apache.phoenix.schema.types.PDataType;
import org.apache.phoenix.schema.types.PLong;
import org.jspecify.annotations.Nullable;

/**
 * ROUND, FLOOR or CEIL of a date or time column. Such a function never decreases while the column
 * increases, so bisection can invert it. The bisection calls the function itself. So it is correct
 * for every unit, for weeks and leap years, and before 1970, where Phoenix rounds towards 1970.
 *
 * <p>Only values within {@value #LIMIT} ms (some 126,000 years) of the epoch are pruned. Outside
 * this limit, the arithmetic of the functions may overflow.
 */
final class TimeRoundingTerm implements KeyTerm {

  private static final long LIMIT = 4_000_000_000_000_000L;

  private final ColumnTerm column;
  private final RoundDateExpression function;
  private final PDataType<?> columnType;
  private final boolean signed;
  private final boolean hasNanos;

  TimeRoundingTerm(
      ColumnTerm column, RoundDateExpression function, PDataType<?> columnType, boolean signed) {
    this.column = column;
    this.function = function;
    this.columnType = columnType;
    this.signed = signed;
    this.hasNanos = columnType.getByteSize() > Long.BYTES;
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
    byte[] wanted = constant.encodedAs(function.getDataType());
    if (wanted == null) {
      return null;
    }
    long atOrAbove = firstWhere(wanted, 0);
    long above = firstWhere(wanted, 1);
    // A time with nanoseconds may round up to the result of the next millisecond.
    long slack = hasNanos ? 1 : 0;
    switch (operator) {
      case EQUAL:
        return within(between(atOrAbove - slack, above));
      case LESS:
        return within(between(-LIMIT, atOrAbove));
      case LESS_OR_EQUAL:
        return within(between(-LIMIT, above));
      case GREATER:
        return within(between(above - slack, LIMIT));
      case GREATER_OR_EQUAL:
        return within(between(atOrAbove - slack, LIMIT));
      default:
        return null;
    }
  }

  private List<ValueRange> between(long from, long to) {
    if (from >= to) {
      return Collections.emptyList();
    }
    return ranges(ValueRange.between(bound(from), bound(to)));
  }

  /** Adds the values that are too far from the epoch to be pruned. */
  private List<ValueRange> within(List<ValueRange> ranges) {
    List<ValueRange> all = new ArrayList<>(ranges);
    all.add(ValueRange.above(bound(LIMIT)));
    if (signed) {
      all.add(ValueRange.below(bound(-LIMIT)));
    }
    return all;
  }

  private ValueBound bound(long millis) {
    return ValueBound.before(
        Arrays.copyOf(encode(Math.max(millis, lowest()), columnType), Long.BYTES));
  }

  private long lowest() {
    return signed ? -LIMIT : 0;
  }

  /**
   * Returns the first time within the limits whose rounded value is at or above {@code wanted}. If
   * {@code comparison} is 1, the rounded value must be above {@code wanted}. Returns {@link #LIMIT}
   * if there is none.
   *
   * @param comparison 0 or 1
   */
  private long firstWhere(byte[] wanted, int comparison) {
    long low = lowest();
    long high = LIMIT;
    while (low < high) {
      long middle = Math.floorDiv(low + high, 2);
      if (Integer.signum(compare(middle, wanted)) >= comparison) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  private int compare(long millis, byte[] wanted) {
    return Bytes.compareTo(encode(function.roundTime(millis), function.getDataType()), wanted);
  }

  /** Encodes a time without nanoseconds. */
  private byte[] encode(long millis, PDataType<?> type) {
    byte[] encoded = new byte[type.getByteSize()];
    byte[] value = signed ? PLong.INSTANCE.toBytes(millis) : Bytes.toBytes(millis);
    System.arraycopy(value, 0, encoded, 0, value.length);
    return encoded;
  }

  @Override
  public @Nullable List<ValueRange> whereStartsWith(byte[] prefix) {
    return null;
  }
}
