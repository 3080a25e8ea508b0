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

import java.util.Objects;
import org.apache.hadoop.hbase.CompareOperator;
import org.jspecify.annotations.Nullable;

/**
 * Possible values of an expression: null, values between two bounds, or both. Numbers are
 * BigDecimals and truth values are Booleans. Values of different classes are not compared. The set
 * may contain too many values, but never too few.
 */
final class ValueInterval {

  static final ValueInterval ANYTHING = new ValueInterval(null, null, true, true);

  /** No value and no null: the neutral element of {@link #or}. */
  static final ValueInterval NONE = new ValueInterval(null, null, false, false);

  static final ValueInterval NULL = new ValueInterval(null, null, false, true);
  static final ValueInterval TRUE = value(true);
  static final ValueInterval FALSE = value(false);

  /** Inclusive lower bound, or null if there is none. */
  private final @Nullable Comparable<?> lower;

  /** Inclusive upper bound, or null if there is none. */
  private final @Nullable Comparable<?> upper;

  private final boolean hasValues;
  private final boolean nullable;

  private ValueInterval(
      @Nullable Comparable<?> lower,
      @Nullable Comparable<?> upper,
      boolean hasValues,
      boolean nullable) {
    this.lower = lower;
    this.upper = upper;
    this.hasValues = hasValues;
    this.nullable = nullable;
  }

  static ValueInterval value(Comparable<?> value) {
    return between(value, value);
  }

  /** Returns the values between two inclusive bounds. A bound is null if it is absent. */
  static ValueInterval between(@Nullable Comparable<?> lower, @Nullable Comparable<?> upper) {
    return new ValueInterval(lower, upper, true, false);
  }

  /** Returns the truth values that are possible, or {@link #NULL} if neither is. */
  static ValueInterval truth(boolean isTrue, boolean isFalse) {
    return isTrue || isFalse ? between(!isFalse, isTrue) : NULL;
  }

  /** Returns these values, with null added if {@code isNull}. */
  ValueInterval orNull(boolean isNull) {
    return isNull && !nullable ? new ValueInterval(lower, upper, hasValues, true) : this;
  }

  ValueInterval withoutNull() {
    return nullable ? new ValueInterval(lower, upper, hasValues, false) : this;
  }

  /** Returns the possible results of NOT, for possible truth values. */
  ValueInterval not() {
    return truth(canBe(false), canBe(true)).orNull(nullable);
  }

  /** Returns a set that contains the values of both sets. */
  ValueInterval or(ValueInterval other) {
    if (!hasValues || !other.hasValues) {
      return (hasValues ? this : other).orNull(nullable || other.nullable);
    }
    if (!isComparable(other)) {
      return ANYTHING;
    }
    return new ValueInterval(
        lower == null || other.lower == null ? null : min(lower, other.lower),
        upper == null || other.upper == null ? null : max(upper, other.upper),
        true,
        nullable || other.nullable);
  }

  /** Returns the inclusive lower bound, or null if there is none. */
  @Nullable Comparable<?> lower() {
    return lower;
  }

  /** Returns the inclusive upper bound, or null if there is none. */
  @Nullable Comparable<?> upper() {
    return upper;
  }

  /** Returns whether a value other than null is possible. */
  boolean hasValues() {
    return hasValues;
  }

  boolean isNullable() {
    return nullable;
  }

  boolean isBounded() {
    return hasValues && lower != null && upper != null;
  }

  /** Returns whether exactly one value other than null is possible; null may be possible, too. */
  boolean isOneValue() {
    return hasValues && lower != null && upper != null && compare(lower, upper) == 0;
  }

  /** Returns whether only one result (a single value or null) is possible. */
  boolean isDecided() {
    return !hasValues || (isOneValue() && !nullable);
  }

  boolean canBe(boolean truth) {
    if (hasValues && lower instanceof Boolean && upper instanceof Boolean) {
      return truth ? (Boolean) upper : !(Boolean) lower;
    }
    return hasValues;
  }

  /**
   * Returns the possible results of comparing these values with others. The result is null if one
   * operand is null.
   */
  ValueInterval compare(CompareOperator operator, ValueInterval other) {
    if (!hasValues || !other.hasValues) {
      return NULL;
    }
    boolean isNull = nullable || other.nullable;
    if (!isComparable(other)) {
      return truth(true, true).orNull(isNull);
    }
    boolean less = isLess(lower, other.upper);
    boolean greater = isLess(other.lower, upper);
    boolean equal = !isBelow(upper, other.lower) && !isBelow(other.upper, lower);
    return compared(operator, less, equal, greater).orNull(isNull);
  }

  private static ValueInterval compared(
      CompareOperator operator, boolean less, boolean equal, boolean greater) {
    switch (operator) {
      case LESS:
        return truth(less, equal || greater);
      case LESS_OR_EQUAL:
        return truth(less || equal, greater);
      case EQUAL:
        return truth(equal, less || greater);
      case NOT_EQUAL:
        return truth(less || greater, equal);
      case GREATER_OR_EQUAL:
        return truth(equal || greater, less);
      case GREATER:
        return truth(greater, less || equal);
      default:
        return ANYTHING;
    }
  }

  /**
   * Returns whether a value of at least {@code lower} can be less than a value of at most {@code
   * upper}. An absent bound is null.
   */
  private static boolean isLess(@Nullable Comparable<?> lower, @Nullable Comparable<?> upper) {
    return lower == null || upper == null || compare(lower, upper) < 0;
  }

  private static boolean isBelow(@Nullable Comparable<?> upper, @Nullable Comparable<?> lower) {
    return upper != null && lower != null && compare(upper, lower) < 0;
  }

  private boolean isComparable(ValueInterval other) {
    Class<?> type = type();
    Class<?> otherType = other.type();
    return type == null || otherType == null || type == otherType;
  }

  /** Returns the class of the values, or null if there is no bound. */
  private @Nullable Class<?> type() {
    Comparable<?> bound = lower == null ? upper : lower;
    return bound == null ? null : bound.getClass();
  }

  private static Comparable<?> min(Comparable<?> one, Comparable<?> other) {
    return compare(one, other) <= 0 ? one : other;
  }

  private static Comparable<?> max(Comparable<?> one, Comparable<?> other) {
    return compare(one, other) >= 0 ? one : other;
  }

  @SuppressWarnings("unchecked")
  private static int compare(Comparable<?> one, Comparable<?> other) {
    return ((Comparable<Object>) one).compareTo(other);
  }

  @Override
  public String toString() {
    String values = hasValues ? "[" + text(lower) + ", " + text(upper) + "]" : "";
    return nullable ? values + " or null" : values;
  }

  private static String text(@Nullable Comparable<?> bound) {
    return Objects.toString(bound, "*");
  }
}
