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
package org.apache.phoenix.pruning.key;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A contiguous set of values of a column, in the order of their ascending encodings, or only null.
 * A range of values never contains null, because no SQL comparison with null is true.
 */
public final class ValueRange {

  /** The range for IS NULL. */
  public static final ValueRange NULL = new ValueRange(null, null, true);

  /** The range for IS NOT NULL. */
  public static final ValueRange NOT_NULL = new ValueRange(null, null, false);

  private final @Nullable ValueBound lower;
  private final @Nullable ValueBound upper;
  private final boolean isNull;

  private ValueRange(@Nullable ValueBound lower, @Nullable ValueBound upper, boolean isNull) {
    this.lower = lower;
    this.upper = upper;
    this.isNull = isNull;
  }

  /** Returns the values between two bounds. A null bound means no limit. */
  public static ValueRange between(@Nullable ValueBound lower, @Nullable ValueBound upper) {
    return new ValueRange(lower, upper, false);
  }

  /** Returns a range with exactly one value. */
  public static ValueRange point(byte[] value) {
    return between(ValueBound.before(value), ValueBound.after(value));
  }

  public static ValueRange below(ValueBound upper) {
    return between(null, upper);
  }

  public static ValueRange above(ValueBound lower) {
    return between(lower, null);
  }

  /** Returns the lower bound, or null if there is none. */
  public @Nullable ValueBound lower() {
    return lower;
  }

  /** Returns the upper bound, or null if there is none. */
  public @Nullable ValueBound upper() {
    return upper;
  }

  /** Returns whether this is the range for IS NULL. */
  public boolean isNull() {
    return isNull;
  }

  /** Returns the value of a range of one value, or null if the range may have other values. */
  byte @Nullable [] point() {
    return lower != null
            && upper != null
            && lower.place() == ValueBound.Place.BEFORE
            && upper.place() == ValueBound.Place.AFTER_VALUE
            && Arrays.equals(lower.bytes(), upper.bytes())
        ? lower.bytes()
        : null;
  }

  /**
   * Returns this range, extended by all values that start with the bytes of its lower bound before
   * the first zero byte.
   */
  ValueRange fromBeginning() {
    if (lower == null) {
      return this;
    }
    byte[] bytes = lower.bytes();
    int zero = KeyBytes.indexOf(bytes, (byte) 0);
    if (zero < 0 && lower.place() == ValueBound.Place.AFTER_PREFIX) {
      return this;
    }
    return between(ValueBound.before(zero < 0 ? bytes : Arrays.copyOf(bytes, zero)), upper);
  }

  @Override
  public String toString() {
    return isNull ? "null" : "[" + lower + ", " + upper + ")";
  }
}
