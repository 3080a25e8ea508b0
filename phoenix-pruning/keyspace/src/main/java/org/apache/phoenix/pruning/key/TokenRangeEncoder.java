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

/** Converts ranges of the values of a column to ranges of its tokens: see {@link KeyColumn}. */
final class TokenRangeEncoder {

  private final KeyColumn column;

  TokenRangeEncoder(KeyColumn column) {
    this.column = column;
  }

  /**
   * Converts {@code values} to a range of token bytes.
   *
   * <p>The resulting bounds are tokens, with two exceptions. A bound of a descending string can be
   * bytes below a token. A bound that excludes no token is empty or null. So adjacent value ranges
   * give adjacent byte ranges. For example, the byte range of an INTEGER up to 5 ends where the
   * byte range of 6 and above begins.
   *
   * @return the range [lower, upper) of token bytes, or null if no token is in {@code values}
   */
  @Nullable ByteRange encode(ValueRange values) {
    boolean isLastDescending = column.isLast() && column.isDescending();
    byte[] point = isLastDescending ? values.point() : null;
    if (point != null && KeyBytes.indexOf(point, KeyColumn.ASC_SEPARATOR) < 0) {
      byte[] token = column.token(point);
      return ByteRange.of(token, KeyBytes.append(token, 0));
    }
    // "a" followed by a zero byte sorts after "a", although the column is descending.
    ValueRange range = isLastDescending ? values.fromBeginning() : values;
    byte[] afterNull =
        column.isNullable() ? KeyBytes.append(column.nullToken(), 0) : KeyBytes.EMPTY;
    if (range.isNull()) {
      return column.isNullable()
          ? ByteRange.of(KeyBytes.EMPTY, smallestBytesFrom(afterNull))
          : null;
    }
    ValueBound first = column.isDescending() ? range.upper() : range.lower();
    ValueBound end = column.isDescending() ? range.lower() : range.upper();
    if (column.isLast() && !column.isDescending()) {
      // A value that starts with zero looks like null.
      afterNull = KeyBytes.EMPTY;
      first = first == null ? null : beforeZero(first);
      end = end == null ? null : afterZero(end);
    }
    byte[] cut = first == null ? afterNull : cutPoint(first);
    if (cut == null) {
      return null;
    }
    byte[] lower = smallestBytesFrom(KeyBytes.compare(cut, afterNull) < 0 ? afterNull : cut);
    byte[] upper = end == null ? null : smallestBytesFrom(cutPoint(end));
    if (lower == null || KeyBytes.compareEnds(lower, upper) >= 0) {
      return null;
    }
    boolean isUnlimited = Arrays.equals(lower, smallestBytesFrom(KeyBytes.EMPTY));
    return ByteRange.of(isUnlimited ? KeyBytes.EMPTY : lower, upper);
  }

  /**
   * Returns a bound below all values that start with the bytes of {@code bound} and continue with a
   * zero. Returns null, which means no limit, if the bytes start with a zero.
   */
  private static @Nullable ValueBound beforeZero(ValueBound bound) {
    byte[] bytes = bound.bytes();
    int zero = KeyBytes.indexOf(bytes, KeyColumn.ASC_SEPARATOR);
    boolean afterPrefix = bound.place() == ValueBound.Place.AFTER_PREFIX;
    if (zero < 0) {
      return afterPrefix ? bound : ValueBound.before(bytes);
    }
    return zero == 0 ? null : ValueBound.before(Arrays.copyOf(bytes, zero));
  }

  /**
   * Returns a bound above all values that start with the bytes of {@code bound} up to its first
   * zero. Returns null, which means no limit, if the bytes start with a zero.
   *
   * <p>The largest token below {@code x 01} is {@code x}. It does not show whether the value
   * continues with a zero after {@code x}. So a bound before {@code x 01} becomes a bound after
   * {@code x 01}.
   */
  private static @Nullable ValueBound afterZero(ValueBound bound) {
    byte[] bytes = bound.bytes();
    int zero = KeyBytes.indexOf(bytes, KeyColumn.ASC_SEPARATOR);
    if (zero < 0) {
      boolean follows =
          bound.place() == ValueBound.Place.BEFORE
              && bytes.length > 0
              && bytes[bytes.length - 1] == KeyColumn.ASC_SEPARATOR + 1;
      return follows ? ValueBound.after(bytes) : bound;
    }
    return zero == 0 ? null : ValueBound.afterPrefix(Arrays.copyOf(bytes, zero));
  }

  /** Returns the smallest bytes of a token at or above {@code from}, or null if there are none. */
  private byte @Nullable [] smallestBytesFrom(byte @Nullable [] from) {
    SmallestToken token = from == null ? null : SmallestToken.from(column, from);
    return token == null ? null : token.bytes();
  }

  /**
   * Returns bytes that separate the tokens before a bound from the tokens after it, in key order.
   * The tokens before the bound are below the bytes. All other tokens are at or above the bytes.
   * Returns null if no bytes are above the tokens before the bound.
   */
  private byte @Nullable [] cutPoint(ValueBound bound) {
    ValueBound valid = withinValues(bound);
    byte[] value = valid.bytes();
    if (!column.isDescending()) {
      switch (valid.place()) {
        case BEFORE:
          return value;
        case AFTER_VALUE:
          return KeyBytes.append(value, column.isSeparated() ? 1 : 0);
        case AFTER_PREFIX:
          return KeyBytes.afterPrefix(value);
      }
    }
    byte[] inverted = KeyBytes.invert(value);
    switch (valid.place()) {
      case BEFORE:
        return KeyBytes.afterPrefix(inverted);
      case AFTER_VALUE:
        return column.isFixed() ? inverted : KeyBytes.append(inverted, KeyColumn.DESC_SEPARATOR);
      case AFTER_PREFIX:
        return inverted;
    }
    throw new AssertionError(valid.place());
  }

  /** Returns an equivalent bound whose bytes can be the start of a value of this column. */
  private ValueBound withinValues(ValueBound bound) {
    byte[] bytes = bound.bytes();
    int validLength = bytes.length;
    if (column.isFixed()) {
      validLength = Math.min(validLength, column.width());
    } else if (column.isSeparated()) {
      int zero = KeyBytes.indexOf(bytes, KeyColumn.ASC_SEPARATOR);
      validLength = zero < 0 ? validLength : zero;
    }
    if (validLength < bytes.length) {
      return ValueBound.after(Arrays.copyOf(bytes, validLength));
    }
    boolean tooShort =
        bytes.length < column.width() && bound.place() == ValueBound.Place.AFTER_VALUE;
    return tooShort ? ValueBound.before(bytes) : bound;
  }
}
