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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.phoenix.pruning.key.ValueBound;
import org.apache.phoenix.pruning.key.ValueRange;
import org.apache.phoenix.schema.PColumn;
import org.apache.phoenix.schema.SortOrder;
import org.apache.phoenix.schema.types.PBinary;
import org.apache.phoenix.schema.types.PChar;
import org.apache.phoenix.schema.types.PDataType;

/**
 * A key column itself.
 *
 * <p>What is less obvious: Phoenix compares CHAR without its trailing spaces, so that a value with
 * characters below the space lies above its own prefix in SQL but below it in bytes; BINARY of
 * different lengths are never equal, but may be padded by the time they are compared; -0.0 and 0.0
 * have different bytes and may be equal. In these cases the ranges are wider by a few values.
 */
final class ColumnTerm implements KeyTerm {

  private static final List<ValueRange> NONE = Collections.emptyList();

  private final int column;
  private final PDataType<?> type;
  private final Integer width;

  ColumnTerm(int index, PColumn column) {
    this.column = index;
    this.type = column.getDataType();
    this.width = column.getMaxLength();
  }

  @Override
  public int column() {
    return column;
  }

  @Override
  public boolean isNullWithColumn() {
    return true;
  }

  @Override
  public List<ValueRange> where(CompareOperator operator, Constant constant) {
    BigDecimal number = constant.number();
    int beyond = number == null ? 0 : KeyTerms.beyond(type, number);
    if (beyond != 0) {
      return whereBeyond(operator, beyond);
    }
    byte[] value = constant.encodedAs(type);
    if (value == null) {
      boolean isOtherNumber = number != null && KeyTerms.isExactNumber(type);
      return isOtherNumber && operator == CompareOperator.EQUAL ? NONE : null;
    }
    if (type.isArrayType()) {
      return operator == CompareOperator.EQUAL ? ranges(ValueRange.point(value)) : null;
    }
    if (type == PChar.INSTANCE) {
      return whereText(operator, Constant.withoutTrailingSpaces(value), constant);
    }
    if (type == PBinary.INSTANCE) {
      return whereBinary(operator, value);
    }
    if (Constant.isFloatingPoint(type) && isZeroOrNaN(value)) {
      return null;
    }
    return between(operator, ValueBound.before(value), ValueBound.after(value));
  }

  /** Compared with a number that is greater than all values, or less. */
  private static List<ValueRange> whereBeyond(CompareOperator operator, int beyond) {
    switch (operator) {
      case LESS:
      case LESS_OR_EQUAL:
        return beyond > 0 ? ranges(ValueRange.NOT_NULL) : NONE;
      case GREATER:
      case GREATER_OR_EQUAL:
        return beyond < 0 ? ranges(ValueRange.NOT_NULL) : NONE;
      case EQUAL:
        return NONE;
      default:
        return null;
    }
  }

  private List<ValueRange> whereText(CompareOperator operator, byte[] text, Constant constant) {
    if (text.length > width) {
      return null;
    }
    byte[] padded = type.pad(text, width, SortOrder.ASC);
    switch (operator) {
      case EQUAL:
        return ranges(ValueRange.point(padded));
      case GREATER:
        return ranges(
            ValueRange.between(ValueBound.before(text), ValueBound.before(padded)),
            ValueRange.above(ValueBound.after(padded)));
      case GREATER_OR_EQUAL:
        return ranges(ValueRange.above(ValueBound.before(text)));
      case LESS:
      case LESS_OR_EQUAL:
        if (hasControlCharacter(text)) {
          return null;
        }
        boolean exclusive = operator == CompareOperator.LESS && constant.type() == PChar.INSTANCE;
        return ranges(
            ValueRange.below(exclusive ? ValueBound.before(padded) : ValueBound.after(padded)));
      default:
        return null;
    }
  }

  /**
   * What Phoenix puts on the wrong side of {@code constant} where CHAR is descending: values that
   * start as it does, or as which it starts. It compares without padding, where the shorter one of
   * two ascending values is the smaller one, but of two descending ones the larger one.
   */
  static List<ValueRange> beginningsOf(Constant constant, PColumn column) {
    PDataType<?> type = column.getDataType();
    byte[] text = Constant.withoutTrailingSpaces(constant.encodedAs(type));
    List<ValueRange> ranges = new ArrayList<>();
    ranges.add(ValueRange.between(ValueBound.before(text), ValueBound.afterPrefix(text)));
    for (int length = 0; length < text.length; length++) {
      byte[] beginning = Arrays.copyOf(text, length);
      ranges.add(ValueRange.point(type.pad(beginning, column.getMaxLength(), SortOrder.ASC)));
    }
    return ranges;
  }

  private List<ValueRange> whereBinary(CompareOperator operator, byte[] value) {
    if (value.length > width) {
      return null;
    }
    if (value.length == width) {
      return between(operator, ValueBound.before(value), ValueBound.after(value));
    }
    byte[] padded = Arrays.copyOf(value, width);
    switch (operator) {
      case EQUAL:
        return ranges(ValueRange.point(padded));
      case GREATER:
      case GREATER_OR_EQUAL:
        return ranges(ValueRange.above(ValueBound.before(value)));
      case LESS:
      case LESS_OR_EQUAL:
        return ranges(ValueRange.below(ValueBound.after(padded)));
      default:
        return null;
    }
  }

  /** The ranges for a constant that lies between two bounds with nothing else. */
  static List<ValueRange> between(CompareOperator operator, ValueBound before, ValueBound after) {
    switch (operator) {
      case EQUAL:
        return ranges(ValueRange.between(before, after));
      case NOT_EQUAL:
        return ranges(ValueRange.below(before), ValueRange.above(after));
      case LESS:
        return ranges(ValueRange.below(before));
      case LESS_OR_EQUAL:
        return ranges(ValueRange.below(after));
      case GREATER:
        return ranges(ValueRange.above(after));
      case GREATER_OR_EQUAL:
        return ranges(ValueRange.above(before));
      default:
        return null;
    }
  }

  @Override
  public List<ValueRange> whereStartsWith(byte[] prefix) {
    if (!Constant.isText(type)) {
      return null;
    }
    if (prefix.length == 0) {
      return ranges(ValueRange.NOT_NULL);
    }
    if (width != null && type.isFixedWidth() && prefix.length > width) {
      return NONE;
    }
    return ranges(ValueRange.between(ValueBound.before(prefix), ValueBound.afterPrefix(prefix)));
  }

  static List<ValueRange> ranges(ValueRange... ranges) {
    return Arrays.asList(ranges);
  }

  static boolean hasControlCharacter(byte[] text) {
    for (byte b : text) {
      if (b >= 0 && b < ' ') {
        return true;
      }
    }
    return false;
  }

  private boolean isZeroOrNaN(byte[] value) {
    double number = ((Number) type.toObject(value)).doubleValue();
    return number == 0 || Double.isNaN(number);
  }
}
