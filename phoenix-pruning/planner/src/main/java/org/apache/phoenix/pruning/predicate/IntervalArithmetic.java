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
import java.math.RoundingMode;
import java.util.Collections;
import java.util.List;
import java.util.function.BinaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.phoenix.expression.AddExpression;
import org.apache.phoenix.expression.ArithmeticExpression;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.expression.LongDivideExpression;
import org.apache.phoenix.expression.MultiplyExpression;
import org.apache.phoenix.expression.SubtractExpression;
import org.apache.phoenix.schema.types.PDataType;
import org.apache.phoenix.schema.types.PDecimal;
import org.apache.phoenix.schema.types.PLong;
import org.apache.phoenix.util.NumberUtil;
import org.jspecify.annotations.Nullable;

/**
 * Computes the possible results of Phoenix's arithmetic from the intervals of the operands (Moore
 * 1966). Supports +, - and *, and / of two integers.
 */
final class IntervalArithmetic {

  private static final BigDecimal LEAST_LONG = BigDecimal.valueOf(Long.MIN_VALUE);
  private static final BigDecimal GREATEST_LONG = BigDecimal.valueOf(Long.MAX_VALUE);

  private IntervalArithmetic() {}

  /** Returns whether {@link #results} can compute the operation. */
  static boolean supports(ArithmeticExpression operation) {
    return operator(operation) != null;
  }

  /** Returns the operator on exact values, or null if it is not supported. */
  private static @Nullable BinaryOperator<BigDecimal> operator(ArithmeticExpression operation) {
    if (operation instanceof AddExpression) {
      return BigDecimal::add;
    }
    if (operation instanceof SubtractExpression) {
      return BigDecimal::subtract;
    }
    if (operation instanceof MultiplyExpression) {
      return BigDecimal::multiply;
    }
    return operation instanceof LongDivideExpression && operation.getChildren().size() == 2
        ? (dividend, divisor) -> dividend.divide(divisor, 0, RoundingMode.DOWN)
        : null;
  }

  /** Returns whether all values of {@code interval} are numbers between two known bounds. */
  static boolean isNumber(ValueInterval interval) {
    return interval.isBounded() && interval.lower() instanceof BigDecimal;
  }

  /**
   * Returns the possible results of an operation on numbers.
   *
   * @param operands the intervals of the operands, each of which {@link #isNumber}
   * @return the results, or null if the operation or the type of the result is not supported
   */
  static @Nullable ValueInterval results(
      ArithmeticExpression operation, List<ValueInterval> operands) {
    BinaryOperator<BigDecimal> operator = operator(operation);
    if (operator == null) {
      return null;
    }
    ValueInterval result = operands.get(0);
    for (ValueInterval operand : operands.subList(1, operands.size())) {
      if (operation instanceof LongDivideExpression && !isNonZeroConstant(operand)) {
        return ValueInterval.ANYTHING;
      }
      result = applyToBounds(operator, result, operand);
    }
    ValueInterval stored = stored(operation, result);
    return stored == null
        ? null
        : stored.orNull(operands.stream().anyMatch(ValueInterval::isNullable));
  }

  private static boolean isNonZeroConstant(ValueInterval divisor) {
    return divisor.isOneValue() && number(divisor.lower()).signum() != 0;
  }

  /** Returns a bound of an interval that {@link #isNumber} accepts. */
  private static BigDecimal number(@Nullable Comparable<?> bound) {
    if (bound instanceof BigDecimal) {
      return (BigDecimal) bound;
    }
    throw new IllegalArgumentException("expected the bound of a number, but found " + bound);
  }

  /** Returns the possible results of an operation that is monotonic in each operand. */
  private static ValueInterval applyToBounds(
      BinaryOperator<BigDecimal> operation, ValueInterval left, ValueInterval right) {
    List<BigDecimal> results =
        Stream.of(number(left.lower()), number(left.upper()))
            .flatMap(
                one ->
                    Stream.of(number(right.lower()), number(right.upper()))
                        .map(other -> operation.apply(one, other)))
            .collect(Collectors.toList());
    return ValueInterval.between(Collections.min(results), Collections.max(results));
  }

  /**
   * Returns the result as its type stores it, or null if the type is not supported. A BIGINT that
   * overflows may have any value.
   */
  private static @Nullable ValueInterval stored(
      ArithmeticExpression operation, ValueInterval exact) {
    BigDecimal lower = number(exact.lower());
    BigDecimal upper = number(exact.upper());
    if (operation.getDataType() == PLong.INSTANCE) {
      return lower.compareTo(LEAST_LONG) < 0 || upper.compareTo(GREATEST_LONG) > 0
          ? ValueInterval.ANYTHING
          : exact;
    }
    if (operation.getDataType() != PDecimal.INSTANCE) {
      return null;
    }
    BigDecimal least = stored(operation, lower);
    BigDecimal greatest = stored(operation, upper);
    return least == null || greatest == null
        ? ValueInterval.ANYTHING
        : ValueInterval.between(least, greatest);
  }

  /**
   * Returns {@code value} as the DECIMAL type of {@code expression} stores it, or null if it does
   * not fit.
   */
  private static @Nullable BigDecimal stored(Expression expression, BigDecimal value) {
    BigDecimal scaled =
        expression.getMaxLength() == null && expression.getScale() == null
            ? value
            : NumberUtil.setDecimalWidthAndScale(
                value, expression.getMaxLength(), expression.getScale());
    return scaled == null ? null : scaled.round(PDataType.DEFAULT_MATH_CONTEXT);
  }
}
