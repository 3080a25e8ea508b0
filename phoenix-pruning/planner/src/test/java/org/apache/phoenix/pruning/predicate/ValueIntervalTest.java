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
import java.util.List;
import java.util.stream.IntStream;
import junitparams.JUnitParamsRunner;
import junitparams.Parameters;
import org.apache.hadoop.hbase.CompareOperator;
import org.junit.Test;
import org.junit.runner.RunWith;

/**
 * Compares intervals with the sets of numbers that they stand for. All bounds are from -1 to 1, and
 * the sets have the numbers from -3 to 3. So an unbounded interval has numbers outside all bounded
 * intervals.
 */
@RunWith(JUnitParamsRunner.class)
public class ValueIntervalTest {

  private static final int LIMIT = 3;

  /** An interval and its set. */
  private record Example(ValueInterval interval, List<Integer> numbers, boolean isNullable) {}

  private static final List<Example> EXAMPLES = examples();

  private static List<Example> examples() {
    List<Example> examples = new ArrayList<>();
    examples.add(new Example(ValueInterval.NULL, List.of(), true));
    examples.add(new Example(ValueInterval.NONE, List.of(), false));
    for (boolean isNullable : new boolean[] {false, true}) {
      for (Integer lower : new Integer[] {null, -1, 0, 1}) {
        for (Integer upper : new Integer[] {null, -1, 0, 1}) {
          if (lower == null || upper == null || lower <= upper) {
            examples.add(
                new Example(
                    ValueInterval.between(number(lower), number(upper)).orNull(isNullable),
                    IntStream.rangeClosed(
                            lower == null ? -LIMIT : lower, upper == null ? LIMIT : upper)
                        .boxed()
                        .toList(),
                    isNullable));
          }
        }
      }
    }
    return examples;
  }

  private static BigDecimal number(Integer number) {
    return number == null ? null : BigDecimal.valueOf(number);
  }

  @Test
  public void comparisonsCanBeWhatNumbersOfTheIntervalsAre() {
    for (Example one : EXAMPLES) {
      for (Example other : EXAMPLES) {
        for (CompareOperator operator : CompareOperator.values()) {
          if (operator != CompareOperator.NO_OP) {
            ValueInterval result = one.interval.compare(operator, other.interval);
            String comparison = one.interval + " " + operator + " " + other.interval;
            boolean isKnown = !one.numbers.isEmpty() && !other.numbers.isEmpty();
            assertThat(result.canBe(true)).as(comparison).isEqualTo(can(one, operator, other));
            assertThat(result.canBe(false))
                .as(comparison)
                .isEqualTo(can(one, CompareOperators.negate(operator), other));
            assertThat(result.isNullable())
                .as(comparison)
                .isEqualTo(one.isNullable || other.isNullable || !isKnown);
          }
        }
        assertThat(one.interval.compare(CompareOperator.NO_OP, other.interval))
            .as("%s and %s", one.interval, other.interval)
            .isIn(ValueInterval.ANYTHING, ValueInterval.NULL)
            .isEqualTo(
                one.numbers.isEmpty() || other.numbers.isEmpty()
                    ? ValueInterval.NULL
                    : ValueInterval.ANYTHING);
      }
    }
  }

  private static boolean can(Example one, CompareOperator operator, Example other) {
    return one.numbers.stream()
        .anyMatch(
            number ->
                other.numbers.stream()
                    .anyMatch(second -> CompareOperatorsTest.holds(operator, number, second)));
  }

  @Test
  public void unionHasTheNumbersOfBothIntervals() {
    for (Example one : EXAMPLES) {
      for (Example other : EXAMPLES) {
        List<Integer> numbers = new ArrayList<>(one.numbers);
        numbers.addAll(other.numbers);
        ValueInterval union = one.interval.or(other.interval);
        String what = one.interval + " and " + other.interval;
        assertThat(union.isNullable()).as(what).isEqualTo(one.isNullable || other.isNullable);
        assertBounds(union, numbers, what);
      }
    }
  }

  private static void assertBounds(ValueInterval interval, List<Integer> numbers, String what) {
    assertThat(interval.hasValues()).as(what).isEqualTo(!numbers.isEmpty());
    if (!numbers.isEmpty()) {
      int least = numbers.stream().min(Integer::compare).orElseThrow();
      int greatest = numbers.stream().max(Integer::compare).orElseThrow();
      assertThat((Object) interval.lower())
          .as(what)
          .isEqualTo(least == -LIMIT ? null : number(least));
      assertThat((Object) interval.upper())
          .as(what)
          .isEqualTo(greatest == LIMIT ? null : number(greatest));
    }
  }

  @Test
  public void describesItsValues() {
    for (Example one : EXAMPLES) {
      ValueInterval interval = one.interval;
      boolean isWithinLimits =
          !one.numbers.contains(-LIMIT) && !one.numbers.contains(LIMIT) && !one.numbers.isEmpty();
      String what = interval.toString();
      assertBounds(interval, one.numbers, what);
      assertThat(interval.isNullable()).as(what).isEqualTo(one.isNullable);
      assertThat(interval.isBounded()).as(what).isEqualTo(isWithinLimits);
      assertThat(interval.isOneValue())
          .as(what)
          .isEqualTo(isWithinLimits && one.numbers.size() == 1);
      assertThat(interval.isDecided())
          .as(what)
          .isEqualTo(
              one.numbers.isEmpty()
                  || (isWithinLimits && one.numbers.size() == 1 && !one.isNullable));
      assertThat(interval.withoutNull().isNullable()).as(what).isFalse();
      assertBounds(interval.withoutNull(), one.numbers, what + " without null");
      assertThat(interval.orNull(true).isNullable()).as(what).isTrue();
      assertThat(interval.orNull(false)).as(what).isSameAs(interval);
      assertBounds(interval.orNull(true), one.numbers, what + " or null");
    }
    assertThat(ValueInterval.between(number(0), null).orNull(true)).hasToString("[0, *] or null");
    assertThat(ValueInterval.between(null, number(1))).hasToString("[*, 1]");
    assertThat(ValueInterval.NULL).hasToString(" or null");
  }

  @Test
  @Parameters({"false, false", "false, true", "true, false", "true, true"})
  public void negatesTruth(boolean isTrue, boolean isFalse) {
    ValueInterval truth = ValueInterval.truth(isTrue, isFalse);
    assertThat(truth.canBe(true)).isEqualTo(isTrue);
    assertThat(truth.canBe(false)).isEqualTo(isFalse);
    assertThat(truth.isNullable()).isEqualTo(!isTrue && !isFalse);
    assertThat(truth.not().canBe(true)).isEqualTo(isFalse);
    assertThat(truth.not().canBe(false)).isEqualTo(isTrue);
    assertThat(truth.orNull(true).not().isNullable()).isTrue();
  }

  private static List<ValueInterval> numbers() {
    return List.of(
        ValueInterval.value(BigDecimal.ONE), ValueInterval.between(null, BigDecimal.ONE));
  }

  /** Values of different classes have no order. */
  @Test
  @Parameters(method = "numbers")
  public void doesNotCompareOtherClasses(ValueInterval number) {
    assertThat(number.or(ValueInterval.TRUE)).isSameAs(ValueInterval.ANYTHING);
    assertThat(ValueInterval.TRUE.or(number)).isSameAs(ValueInterval.ANYTHING);
    ValueInterval result = number.compare(CompareOperator.LESS, ValueInterval.TRUE);
    assertThat(result.canBe(true)).isTrue();
    assertThat(result.canBe(false)).isTrue();
    assertThat(result.isNullable()).isFalse();
  }
}
