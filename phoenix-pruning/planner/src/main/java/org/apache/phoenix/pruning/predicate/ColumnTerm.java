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
import org.jspecify.annotations.Nullable;

/**
 * Term that is a key column itself.
 *
 * <p>SQL comparison and byte order differ in some cases. In these cases, the ranges are slightly
 * wider than the condition, or null:
 *
 * <ul>
 *   <li>CHAR: Phoenix compares values without their trailing spaces. A value with characters below
 *       the space is then greater than its own prefix in SQL, but less in bytes.
 *   <li>BINARY: values of different lengths are never equal, but may be padded before they are
 *       compared.
 *   <li>Floating-point types: -0.0 and 0.0 have different bytes, but may be equal.
 * </ul>
 */
final class ColumnTerm implements KeyTerm {

  private static final List<ValueRange> NONE = Collections.emptyList();

  private final int column;
  private final PDataType<?> type;

  /** Declared width of the column, or 0 if there is none. CHAR and BINARY columns have a width. */
  private final int width;

  ColumnTerm(int index, PColumn column) {
    this(index, column.getDataType(), column.getMaxLength());
  }

  /**
   * Creates a term.
   *
   * @param width the declared width, or null if there is none
   */
  ColumnTerm(int column, PDataType<?> type, @Nullable Integer width) {
    this.column = column;
    this.type = type;
    this.width = width == null ? 0 : width;
  }

  PDataType<?> type() {
    return type;
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
  public @Nullable List<ValueRange> where(CompareOperator operator, Constant constant) {
    BigDecimal number = constant.number();
    int side = number == null ? 0 : ColumnTypes.compareWithDomain(type, number);
    if (side != 0) {
      return whereOutside(operator, side);
    }
    byte[] value = constant.encodedAs(type);
    if (value == null) {
      boolean isOtherNumber = number != null && ColumnTypes.isExactNumber(type);
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
    if (ColumnTypes.isFloatingPoint(type) && isZeroOrNaN(value)) {
      return null;
    }
    return between(operator, ValueBound.before(value), ValueBound.after(value));
  }

  /**
   * Returns the ranges for a comparison with a number outside the domain of the type.
   *
   * @param side positive if the number is greater than all values, negative if it is less
   */
  private static @Nullable List<ValueRange> whereOutside(CompareOperator operator, int side) {
    switch (operator) {
      case LESS:
      case LESS_OR_EQUAL:
        return side > 0 ? ranges(ValueRange.NOT_NULL) : NONE;
      case GREATER:
      case GREATER_OR_EQUAL:
        return side < 0 ? ranges(ValueRange.NOT_NULL) : NONE;
      case EQUAL:
        return NONE;
      default:
        return null;
    }
  }

  private @Nullable List<ValueRange> whereText(
      CompareOperator operator, byte[] text, Constant constant) {
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
   * Returns the CHAR values that Phoenix can place on the wrong side of a constant if the column is
   * descending. These are the values that start with the constant, and its prefixes.
   *
   * <p>Phoenix compares the values without padding. If one value is a prefix of the other, an
   * ascending column treats the shorter value as the smaller one. A descending column treats it as
   * the larger one.
   *
   * @param constant the constant in ascending encoding
   */
  static List<ValueRange> beginningsOf(byte[] constant, PColumn column) {
    PDataType<?> type = column.getDataType();
    byte[] text = Constant.withoutTrailingSpaces(constant);
    List<ValueRange> ranges = new ArrayList<>();
    ranges.add(ValueRange.between(ValueBound.before(text), ValueBound.afterPrefix(text)));
    for (int length = 0; length < text.length; length++) {
      byte[] beginning = Arrays.copyOf(text, length);
      ranges.add(ValueRange.point(type.pad(beginning, column.getMaxLength(), SortOrder.ASC)));
    }
    return ranges;
  }

  private @Nullable List<ValueRange> whereBinary(CompareOperator operator, byte[] value) {
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

  /**
   * Returns the ranges for a comparison with a constant. Exactly the values between {@code before}
   * and {@code after} are equal to the constant.
   *
   * @return the ranges, or null if nothing is known
   */
  static @Nullable List<ValueRange> between(
      CompareOperator operator, ValueBound before, ValueBound after) {
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
  public @Nullable List<ValueRange> whereStartsWith(byte[] prefix) {
    if (!ColumnTypes.isText(type)) {
      return null;
    }
    if (prefix.length == 0) {
      return ranges(ValueRange.NOT_NULL);
    }
    if (width > 0 && type.isFixedWidth() && prefix.length > width) {
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
