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
package org.apache.phoenix.pruning.patch.type;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.expression.LiteralExpression;
import org.apache.phoenix.expression.RowValueConstructorExpression;
import org.apache.phoenix.schema.types.PDataType;
import org.apache.phoenix.schema.types.PInteger;
import org.apache.phoenix.schema.types.PLong;
import org.apache.phoenix.schema.types.PSmallint;
import org.apache.phoenix.schema.types.PTinyint;
import org.apache.phoenix.schema.types.PUnsignedInt;
import org.apache.phoenix.schema.types.PUnsignedLong;
import org.apache.phoenix.schema.types.PUnsignedSmallint;
import org.apache.phoenix.schema.types.PUnsignedTinyint;
import org.jspecify.annotations.Nullable;

/** Finds constants that are compared with a whole number, but are not values of its type. */
public final class InexactConstants {

  /** Place of a constant among the values of a type of whole numbers. */
  enum Place {
    /** Less than the least value. */
    BELOW,
    /** One of the values, or not a number, or compared with another type. */
    VALUE,
    /** Between two values. */
    BETWEEN,
    /** Greater than the greatest value. */
    ABOVE
  }

  private InexactConstants() {}

  /**
   * Returns true if IN compares its first operand with a constant that its type cannot represent.
   */
  public static boolean isInList(List<Expression> operands) {
    for (int i = 1; i < operands.size(); i++) {
      if (isInexact(operands.get(0), operands.get(i))) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns true if a constant, or an element of a row value, is not a value of the type that it is
   * compared with.
   */
  static boolean isInexact(Expression operand, Expression constant) {
    return operand instanceof RowValueConstructorExpression
        ? firstInexact(operand.getChildren(), elements(constant)) >= 0
        : place(operand, constant) != Place.VALUE;
  }

  /**
   * Replaces each inexact constant among the operands of IN by an exact one, or by null if there is
   * none.
   */
  public static List<Expression> withoutInexact(List<Expression> operands) {
    Expression first = operands.get(0);
    Expression exact =
        operands.stream()
            .skip(1)
            .filter(constant -> !isInexact(first, constant))
            .findFirst()
            .orElseGet(() -> LiteralExpression.newConstant(null));
    List<Expression> all = new ArrayList<>(operands);
    all.replaceAll(constant -> constant != first && isInexact(first, constant) ? exact : constant);
    return all;
  }

  /** Replaces each inexact constant of a comparison by 0. */
  public static List<Expression> withValues(List<Expression> operands) throws SQLException {
    List<Expression> left = elements(operands.get(0));
    List<Expression> right = new ArrayList<>(elements(operands.get(1)));
    for (int i = 0; i < Math.min(left.size(), right.size()); i++) {
      if (place(left.get(i), right.get(i)) != Place.VALUE) {
        right.set(i, LiteralExpression.newConstant(0L, PLong.INSTANCE));
      }
    }
    boolean isRow = operands.get(1) instanceof RowValueConstructorExpression;
    Expression values =
        isRow
            ? new RowValueConstructorExpression(right, operands.get(1).isStateless())
            : right.get(0);
    List<Expression> all = new ArrayList<>(operands);
    all.set(1, values);
    return all;
  }

  /** Returns the elements of a row value, or the operand itself if it is not a row value. */
  static List<Expression> elements(Expression operand) {
    return operand instanceof RowValueConstructorExpression
        ? operand.getChildren()
        : Collections.singletonList(operand);
  }

  /** Returns the index of the first inexact constant, or -1. */
  static int firstInexact(List<Expression> left, List<Expression> right) {
    for (int i = 0; i < Math.min(left.size(), right.size()); i++) {
      if (place(left.get(i), right.get(i)) != Place.VALUE) {
        return i;
      }
    }
    return -1;
  }

  static Place place(Expression operand, Expression constant) {
    PDataType<?> type = operand.getDataType();
    if (!(constant instanceof LiteralExpression) || !isWhole(type)) {
      return Place.VALUE;
    }
    Object value = ((LiteralExpression) constant).getValue();
    if (value instanceof Long
        || value instanceof Integer
        || value instanceof Short
        || value instanceof Byte) {
      long number = ((Number) value).longValue();
      return number < least(type)
          ? Place.BELOW
          : number > greatest(type) ? Place.ABOVE : Place.VALUE;
    }
    BigDecimal number = decimal(value);
    if (number == null) {
      return Place.VALUE;
    }
    if (number.compareTo(BigDecimal.valueOf(least(type))) < 0) {
      return Place.BELOW;
    }
    if (number.compareTo(BigDecimal.valueOf(greatest(type))) > 0) {
      return Place.ABOVE;
    }
    return number.signum() == 0 || number.stripTrailingZeros().scale() <= 0
        ? Place.VALUE
        : Place.BETWEEN;
  }

  /** Returns a constant between two values, rounded down to the lesser of them. */
  static long floor(Expression constant) {
    BigDecimal number = decimal(((LiteralExpression) constant).getValue());
    if (number == null) {
      throw new IllegalArgumentException(constant + " has no fraction");
    }
    return number.setScale(0, RoundingMode.FLOOR).longValueExact();
  }

  /** Returns null if the value is not a finite DECIMAL, DOUBLE or FLOAT. */
  private static @Nullable BigDecimal decimal(@Nullable Object value) {
    if (value instanceof BigDecimal) {
      return (BigDecimal) value;
    }
    if (value instanceof Double || value instanceof Float) {
      double number = ((Number) value).doubleValue();
      return Double.isNaN(number) || Double.isInfinite(number) ? null : new BigDecimal(number);
    }
    return null;
  }

  private static boolean isWhole(@Nullable PDataType<?> type) {
    return type == PInteger.INSTANCE
        || type == PLong.INSTANCE
        || type == PSmallint.INSTANCE
        || type == PTinyint.INSTANCE
        || isUnsigned(type);
  }

  private static boolean isUnsigned(@Nullable PDataType<?> type) {
    return type == PUnsignedInt.INSTANCE
        || type == PUnsignedLong.INSTANCE
        || type == PUnsignedSmallint.INSTANCE
        || type == PUnsignedTinyint.INSTANCE;
  }

  private static long least(PDataType<?> type) {
    return isUnsigned(type) ? 0 : -1 - greatest(type);
  }

  private static long greatest(PDataType<?> type) {
    int bytes = type.getByteSize();
    return Long.MAX_VALUE >> (Long.SIZE - bytes * Byte.SIZE);
  }
}
