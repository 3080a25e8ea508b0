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
package io.phoenixpruning.it.fuzz;

import com.google.common.collect.BoundType;
import com.google.common.collect.Range;
import io.phoenixpruning.it.fuzz.ValueType.Kind;
import java.math.BigDecimal;
import java.math.RoundingMode;

/** Finds values of a type in a range. */
final class Values {

  private static final BigDecimal TWO = BigDecimal.valueOf(2);

  private Values() {}

  /** Returns a value of {@code type} in {@code range}, or null if none was found. */
  static Object in(Range<Comparable<Object>> range, ValueType type) {
    return switch (type.kind) {
      case INTEGER, TIME -> integer(range, type);
      case DECIMAL, FLOATING -> decimal(range, type);
      case STRING -> string(range, type);
      case BOOLEAN, BYTES -> endpoint(range);
    };
  }

  /** Returns true if the range certainly has no value of {@code type}. */
  static boolean isEmpty(Range<Comparable<Object>> range, ValueType type) {
    return (type.kind == Kind.INTEGER || type.kind == Kind.TIME) && integer(range, type) == null;
  }

  private static Object endpoint(Range<Comparable<Object>> range) {
    if (range.hasLowerBound() && range.lowerBoundType() == BoundType.CLOSED) {
      return range.lowerEndpoint();
    }
    return range.hasUpperBound() && range.upperBoundType() == BoundType.CLOSED
        ? range.upperEndpoint()
        : null;
  }

  private static Object integer(Range<Comparable<Object>> range, ValueType type) {
    BigDecimal min = type.min();
    BigDecimal max = type.max();
    if (range.hasLowerBound()) {
      BigDecimal lower = (BigDecimal) (Object) range.lowerEndpoint();
      BigDecimal whole = lower.setScale(0, RoundingMode.CEILING);
      boolean next = whole.compareTo(lower) == 0 && range.lowerBoundType() == BoundType.OPEN;
      min = min.max(next ? whole.add(BigDecimal.ONE) : whole);
    }
    if (range.hasUpperBound()) {
      BigDecimal upper = (BigDecimal) (Object) range.upperEndpoint();
      BigDecimal whole = upper.setScale(0, RoundingMode.FLOOR);
      boolean previous = whole.compareTo(upper) == 0 && range.upperBoundType() == BoundType.OPEN;
      max = max.min(previous ? whole.subtract(BigDecimal.ONE) : whole);
    }
    return min.compareTo(max) > 0 ? null : ValueType.number(min);
  }

  private static Object decimal(Range<Comparable<Object>> range, ValueType type) {
    Object endpoint = endpoint(range);
    BigDecimal value;
    if (endpoint != null) {
      value = (BigDecimal) endpoint;
    } else if (range.hasLowerBound() && range.hasUpperBound()) {
      value =
          ((BigDecimal) (Object) range.lowerEndpoint())
              .add((BigDecimal) (Object) range.upperEndpoint())
              .divide(TWO);
    } else if (range.hasLowerBound()) {
      value = ((BigDecimal) (Object) range.lowerEndpoint()).add(BigDecimal.ONE);
    } else {
      value =
          range.hasUpperBound()
              ? ((BigDecimal) (Object) range.upperEndpoint()).subtract(BigDecimal.ONE)
              : BigDecimal.ZERO;
    }
    return type.holds(value) ? ValueType.number(value) : null;
  }

  private static Object string(Range<Comparable<Object>> range, ValueType type) {
    Object endpoint = endpoint(range);
    if (endpoint != null) {
      return type.holds(endpoint) ? endpoint : null;
    }
    String lower = range.hasLowerBound() ? (String) (Object) range.lowerEndpoint() : "";
    for (String candidate : new String[] {lower + "a", lower + "!", "a", "!"}) {
      if (range.contains(ConditionBoxes.comparable(candidate)) && type.holds(candidate)) {
        return candidate;
      }
    }
    return null;
  }
}
