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

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongBinaryOperator;
import org.apache.phoenix.expression.ArithmeticExpression;
import org.apache.phoenix.expression.DecimalAddExpression;
import org.apache.phoenix.expression.DecimalDivideExpression;
import org.apache.phoenix.expression.DecimalMultiplyExpression;
import org.apache.phoenix.expression.DoubleAddExpression;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.expression.LiteralExpression;
import org.apache.phoenix.expression.LongAddExpression;
import org.apache.phoenix.expression.LongDivideExpression;
import org.apache.phoenix.expression.LongMultiplyExpression;
import org.apache.phoenix.expression.LongSubtractExpression;
import org.junit.Test;

public class IntervalArithmeticTest {

  private static final List<Expression> LONGS =
      Arrays.asList(LiteralExpression.newConstant(6L), LiteralExpression.newConstant(2L));

  private static final List<Expression> DECIMALS =
      Arrays.asList(
          LiteralExpression.newConstant(new BigDecimal("6.5")),
          LiteralExpression.newConstant(new BigDecimal("2.5")));

  private static ValueInterval interval(long lower, long upper) {
    return ValueInterval.between(BigDecimal.valueOf(lower), BigDecimal.valueOf(upper));
  }

  /** Compares with the least and the greatest result of all pairs of numbers. */
  private static void assertExact(ArithmeticExpression operation, LongBinaryOperator operator) {
    assertThat(IntervalArithmetic.supports(operation)).isTrue();
    boolean isDivision = operation instanceof LongDivideExpression;
    for (int a = -3; a <= 3; a++) {
      for (int b = a; b <= 3; b++) {
        for (int c = -3; c <= 3; c++) {
          for (int d = c; d <= (isDivision ? c : 3); d++) {
            if (!isDivision || c != 0) {
              List<Long> results = new ArrayList<>();
              for (int one = a; one <= b; one++) {
                for (int other = c; other <= d; other++) {
                  results.add(operator.applyAsLong(one, other));
                }
              }
              ValueInterval result =
                  IntervalArithmetic.results(operation, List.of(interval(a, b), interval(c, d)));
              results.sort(null);
              String what = "%s of [%s, %s] and [%s, %s]".formatted(operation, a, b, c, d);
              assertThat(result.toString())
                  .as(what)
                  .isEqualTo(interval(results.get(0), results.get(results.size() - 1)).toString());
              assertThat(result.isNullable()).as(what).isFalse();
            }
          }
        }
      }
    }
  }

  @Test
  public void computesTheBoundsOfIntegers() {
    assertExact(new LongAddExpression(LONGS), (one, other) -> one + other);
    assertExact(new LongSubtractExpression(LONGS), (one, other) -> one - other);
    assertExact(new LongMultiplyExpression(LONGS), (one, other) -> one * other);
    assertExact(new LongDivideExpression(LONGS), (one, other) -> one / other);
  }

  @Test
  public void divisorsMustBeOneNumberOtherThanZero() {
    LongDivideExpression division = new LongDivideExpression(LONGS);
    for (ValueInterval divisor : List.of(interval(0, 0), interval(1, 2), interval(-1, 1))) {
      assertThat(IntervalArithmetic.results(division, List.of(interval(4, 8), divisor)))
          .as("%s", divisor)
          .isSameAs(ValueInterval.ANYTHING);
    }
  }

  @Test
  public void bigintsThatOverflowMayHaveAnyValue() {
    LongAddExpression sum = new LongAddExpression(LONGS);
    ValueInterval one = interval(1, 1);
    ValueInterval minusOne = interval(-1, -1);
    assertThat(IntervalArithmetic.results(sum, List.of(interval(0, Long.MAX_VALUE - 1), one)))
        .hasToString("[1, " + Long.MAX_VALUE + "]");
    assertThat(IntervalArithmetic.results(sum, List.of(interval(0, Long.MAX_VALUE), one)))
        .isSameAs(ValueInterval.ANYTHING);
    assertThat(IntervalArithmetic.results(sum, List.of(interval(Long.MIN_VALUE + 1, 0), minusOne)))
        .hasToString("[" + Long.MIN_VALUE + ", -1]");
    assertThat(IntervalArithmetic.results(sum, List.of(interval(Long.MIN_VALUE, 0), minusOne)))
        .isSameAs(ValueInterval.ANYTHING);
  }

  @Test
  public void isNullIfAnOperandIs() {
    LongAddExpression sum = new LongAddExpression(LONGS);
    ValueInterval nullable = interval(1, 2).orNull(true);
    assertThat(IntervalArithmetic.results(sum, List.of(nullable, interval(1, 1))).isNullable())
        .isTrue();
    assertThat(IntervalArithmetic.results(sum, List.of(interval(1, 1), nullable)).isNullable())
        .isTrue();
  }

  @Test
  public void computesTheBoundsOfDecimals() {
    DecimalAddExpression sum = new DecimalAddExpression(DECIMALS);
    ValueInterval halves = ValueInterval.between(new BigDecimal("0.5"), new BigDecimal("1.5"));
    ValueInterval result = IntervalArithmetic.results(sum, List.of(halves, interval(2, 3)));
    assertThat((BigDecimal) result.lower()).isEqualByComparingTo("2.5");
    assertThat((BigDecimal) result.upper()).isEqualByComparingTo("4.5");
  }

  @Test
  public void decimalsOfTooManyDigitsMayHaveAnyValue() {
    DecimalMultiplyExpression product = new DecimalMultiplyExpression(DECIMALS);
    BigDecimal large = BigDecimal.TEN.pow(20);
    ValueInterval factor = ValueInterval.between(large, large);
    assertThat(IntervalArithmetic.results(product, List.of(factor, factor)))
        .isSameAs(ValueInterval.ANYTHING);
  }

  @Test
  public void doesNotSupportOtherTypes() {
    DoubleAddExpression doubles =
        new DoubleAddExpression(
            Arrays.asList(LiteralExpression.newConstant(1.5), LiteralExpression.newConstant(2.5)));
    assertThat(IntervalArithmetic.results(doubles, List.of(interval(1, 2), interval(3, 4))))
        .isNull();
    DecimalDivideExpression division = new DecimalDivideExpression(DECIMALS);
    assertThat(IntervalArithmetic.supports(division)).isFalse();
    assertThat(IntervalArithmetic.results(division, List.of(interval(1, 2), interval(3, 4))))
        .isNull();
  }

  @Test
  public void numbersHaveTwoBounds() {
    assertThat(IntervalArithmetic.isNumber(interval(1, 2))).isTrue();
    assertThat(IntervalArithmetic.isNumber(ValueInterval.between(BigDecimal.ONE, null))).isFalse();
    assertThat(IntervalArithmetic.isNumber(ValueInterval.TRUE)).isFalse();
    assertThat(IntervalArithmetic.isNumber(ValueInterval.NULL)).isFalse();
  }
}
