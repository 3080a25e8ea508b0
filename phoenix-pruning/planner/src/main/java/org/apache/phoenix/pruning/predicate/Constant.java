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
import java.util.Arrays;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.phoenix.expression.CoerceExpression;
import org.apache.phoenix.expression.Determinism;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.schema.SortOrder;
import org.apache.phoenix.schema.types.PChar;
import org.apache.phoenix.schema.types.PDataType;
import org.apache.phoenix.schema.types.PVarbinary;
import org.jspecify.annotations.Nullable;

/** Value of an expression that is the same for all rows of a scan. */
final class Constant {

  /** SQL NULL; no comparison with it is true. Its type and its value have no meaning. */
  static final Constant NULL = new Constant(PVarbinary.INSTANCE, new byte[0], new byte[0]);

  private static final byte SPACE = ' ';

  private final PDataType<?> type;
  private final Object value;
  private final byte[] ascending;

  private Constant(PDataType<?> type, Object value, byte[] ascending) {
    this.type = type;
    this.value = value;
    this.ascending = ascending;
  }

  /** Returns whether {@code expression} has the same value for all rows of a scan. */
  static boolean isConstant(Expression expression) {
    if (expression instanceof CoerceExpression) {
      // A CoerceExpression never reports that it is stateless.
      return isConstant(expression.getChildren().get(0));
    }
    return expression.isStateless()
        && expression.getDeterminism().compareTo(Determinism.PER_STATEMENT) <= 0;
  }

  /**
   * Returns the value of a constant expression, or null if it has no value yet or its encoding has
   * the wrong length for its type.
   */
  static @Nullable Constant of(Expression expression) {
    ImmutableBytesWritable ptr = new ImmutableBytesWritable();
    if (!expression.evaluate(null, ptr)) {
      return null;
    }
    if (ptr.getLength() == 0) {
      return NULL;
    }
    PDataType<?> type = expression.getDataType();
    byte[] ascending = ptr.copyBytes();
    if (type.isFixedWidth()
        && type.getByteSize() != null
        && type.getByteSize() != ascending.length) {
      // A TIMESTAMP that is cast to TIME keeps its nanoseconds.
      return null;
    }
    if (expression.getSortOrder() == SortOrder.DESC) {
      ascending = SortOrder.invert(ascending, 0, ascending.length);
    }
    Object value =
        type.toObject(
            ascending,
            0,
            ascending.length,
            type,
            SortOrder.ASC,
            expression.getMaxLength(),
            expression.getScale());
    return new Constant(type, value, unpadded(ascending, type));
  }

  /** Returns the constant for a Java object of {@code type}, or {@link #NULL} for null. */
  static Constant of(@Nullable Object value, PDataType<?> type) {
    return value == null ? NULL : new Constant(type, value, unpadded(type.toBytes(value), type));
  }

  private static byte[] unpadded(byte[] value, PDataType<?> type) {
    return type == PChar.INSTANCE ? withoutTrailingSpaces(value) : value;
  }

  boolean isNull() {
    return this == NULL;
  }

  /** Returns the type of a constant other than SQL NULL. */
  PDataType<?> type() {
    return type;
  }

  /** Returns the value of a constant other than SQL NULL, as the Java object of its type. */
  Object value() {
    return value;
  }

  /** Returns the value of an exact numeric type, or null for other types and for SQL NULL. */
  @Nullable BigDecimal number() {
    if (isNull() || !ColumnTypes.isExactNumber(type)) {
      return null;
    }
    return value instanceof BigDecimal
        ? (BigDecimal) value
        : BigDecimal.valueOf(((Number) value).longValue());
  }

  private boolean hasFraction() {
    BigDecimal number = number();
    return number != null && number.stripTrailingZeros().scale() > 0;
  }

  /** Returns the ascending encoding of the value as its own type, without padding. */
  byte[] encoded() {
    return ascending;
  }

  /**
   * Returns the ascending encoding of the value as {@code target}, without padding. Returns null if
   * {@code target} has no value that is exactly equal.
   */
  byte @Nullable [] encodedAs(PDataType<?> target) {
    if (target == type
        || (ColumnTypes.isText(target) && ColumnTypes.isText(type))
        || (ColumnTypes.isBytes(target) && ColumnTypes.isBytes(type))) {
      return ascending;
    }
    if (!target.isComparableTo(type) || target.isArrayType() || type.isArrayType()) {
      return null;
    }
    if (ColumnTypes.isFloatingPoint(target) != ColumnTypes.isFloatingPoint(type)) {
      // Phoenix compares such numbers as whole numbers, or after rounding.
      return null;
    }
    if (ColumnTypes.isWhole(target) && hasFraction()) {
      // The type would throw an ArithmeticException.
      return null;
    }
    Object converted = target.toObject(value, type);
    if (converted == null || type.compareTo(value, converted, target) != 0) {
      return null;
    }
    return target.toBytes(converted);
  }

  static byte[] withoutTrailingSpaces(byte[] text) {
    int length = text.length;
    while (length > 0 && text[length - 1] == SPACE) {
      length--;
    }
    return Arrays.copyOf(text, length);
  }

  @Override
  public String toString() {
    return isNull() ? "NULL" : type + " " + value;
  }
}
