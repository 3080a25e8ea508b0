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
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Encoding of the values of one column in a row key.
 *
 * <p>The <em>token</em> of a column is its part of the row key. If the width is variable, the token
 * includes the separator that ends it:
 *
 * <ul>
 *   <li>{@code value} for a fixed width (inverted if descending) and for trailing binary columns
 *   <li>{@code value 00} for other ascending columns
 *   <li>{@code inverted-value FF} for descending columns of variable width
 *   <li>{@code 00} for null in a column of variable width; nothing in a trailing binary column
 * </ul>
 *
 * <p>No token is a prefix of another token, except in trailing binary columns. So row keys compare
 * as their tokens do. Phoenix omits trailing nulls and the last {@code 00}, which {@link
 * RowKeyLayout} handles.
 *
 * <p>Source: {@code PTableImpl.newKey}, {@code RowKeySchema.next} and {@code
 * SchemaUtil.getSeparatorByte} of Phoenix 5.2, for tables with {@code rowKeyOrderOptimizable}.
 */
public final class KeyColumn {

  private static final byte[] NULL_TOKEN = {0};
  private static final byte ASC_SEPARATOR = 0;
  private static final byte DESC_SEPARATOR = (byte) 0xFF;

  private final String name;
  private final int width;
  private final boolean descending;
  private final boolean nullable;

  /** True if a separator ends the tokens of this column. */
  private final boolean separated;

  /** True if a key may end before this column. */
  private final boolean optional;

  /** True if this column takes the rest of a key, so its values may contain zero bytes. */
  private final boolean last;

  private KeyColumn(
      String name, int width, boolean descending, boolean nullable, boolean separated) {
    this(name, width, descending, nullable, separated, false, false);
  }

  private KeyColumn(
      String name,
      int width,
      boolean descending,
      boolean nullable,
      boolean separated,
      boolean optional,
      boolean last) {
    this.name = Objects.requireNonNull(name);
    this.width = width;
    this.descending = descending;
    this.nullable = nullable;
    this.separated = separated;
    this.optional = optional;
    this.last = last;
  }

  /** Creates a column of {@code width} bytes, which Phoenix does not allow to be null. */
  public static KeyColumn fixed(String name, int width, boolean descending) {
    if (width <= 0) {
      throw new IllegalArgumentException("width of " + name + " must be positive: " + width);
    }
    return new KeyColumn(name, width, descending, false, false);
  }

  /**
   * Creates a column of variable width: VARCHAR or DECIMAL. Its values contain no zero byte. The
   * values of a descending column do not begin with FF.
   */
  public static KeyColumn variable(String name, boolean descending, boolean nullable) {
    return new KeyColumn(name, 0, descending, nullable, true);
  }

  /**
   * Returns this column, marked so that a key may end before it. In such a key, this column and all
   * later columns are null. They can include NOT NULL columns, which Phoenix does not check.
   */
  public KeyColumn optional() {
    return new KeyColumn(name, width, descending, nullable, separated, true, last);
  }

  /**
   * Returns this column as the last column of a table. Phoenix takes the rest of a key as its
   * value, including zero bytes. A view may have further columns, which cannot be distinguished
   * from such values.
   *
   * @throws IllegalArgumentException if the column is not a nullable column of variable width
   */
  public KeyColumn last() {
    if (!nullable || !separated) {
      throw new IllegalArgumentException(name + " must be nullable and of variable width");
    }
    return new KeyColumn(name, width, descending, nullable, separated, optional, true);
  }

  /**
   * Creates an ascending column of arbitrary bytes, which can only be at the end of a key:
   * VARBINARY or ARRAY.
   */
  public static KeyColumn trailingBinary(String name, boolean nullable) {
    return new KeyColumn(name, 0, false, nullable, false);
  }

  public String name() {
    return name;
  }

  boolean isLast() {
    return last;
  }

  boolean isOptional() {
    return optional;
  }

  boolean isFixedDescending() {
    return isFixed() && descending;
  }

  boolean isDescending() {
    return descending;
  }

  /** Returns the width in bytes, or 0 for a variable width. */
  int width() {
    return width;
  }

  boolean isFixed() {
    return width > 0;
  }

  /** Returns whether no column can follow this column. */
  boolean isTrailing() {
    return !isFixed() && !separated;
  }

  // Values to tokens

  byte[] nullToken() {
    return separated ? NULL_TOKEN : KeyBytes.EMPTY;
  }

  /** Returns the smallest token of a trailing binary column that is not null. */
  byte[] smallestValue() {
    return KeyBytes.append(nullToken(), 0);
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
  @Nullable ByteRange tokens(ValueRange values) {
    boolean isLastDescending = last && descending;
    byte[] point = isLastDescending ? values.point() : null;
    if (point != null && KeyBytes.indexOf(point, 0, ASC_SEPARATOR) < 0) {
      byte[] token = token(point);
      return ByteRange.of(token, KeyBytes.append(token, 0));
    }
    // "a" followed by a zero byte sorts after "a", although the column is descending.
    ValueRange range = isLastDescending ? values.fromBeginning() : values;
    byte[] afterNull = nullable ? KeyBytes.append(nullToken(), 0) : KeyBytes.EMPTY;
    if (range.isNull()) {
      return nullable ? ByteRange.of(KeyBytes.EMPTY, smallestBytesFrom(afterNull)) : null;
    }
    ValueBound first = descending ? range.upper() : range.lower();
    ValueBound end = descending ? range.lower() : range.upper();
    if (last && !descending) {
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
    int zero = KeyBytes.indexOf(bytes, 0, ASC_SEPARATOR);
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
    int zero = KeyBytes.indexOf(bytes, 0, ASC_SEPARATOR);
    if (zero < 0) {
      boolean follows =
          bound.place() == ValueBound.Place.BEFORE
              && bytes.length > 0
              && bytes[bytes.length - 1] == ASC_SEPARATOR + 1;
      return follows ? ValueBound.after(bytes) : bound;
    }
    return zero == 0 ? null : ValueBound.afterPrefix(Arrays.copyOf(bytes, zero));
  }

  /** Returns the smallest bytes of a token at or above {@code from}, or null if there are none. */
  private byte @Nullable [] smallestBytesFrom(byte @Nullable [] from) {
    Token token = from == null ? null : smallestFrom(from);
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
    if (!descending) {
      switch (valid.place()) {
        case BEFORE:
          return value;
        case AFTER_VALUE:
          return KeyBytes.append(value, separated ? 1 : 0);
        case AFTER_PREFIX:
          return KeyBytes.afterPrefix(value);
      }
    }
    byte[] inverted = KeyBytes.invert(value);
    switch (valid.place()) {
      case BEFORE:
        return KeyBytes.afterPrefix(inverted);
      case AFTER_VALUE:
        return isFixed() ? inverted : KeyBytes.append(inverted, DESC_SEPARATOR);
      case AFTER_PREFIX:
        return inverted;
    }
    throw new AssertionError(valid.place());
  }

  /** Returns an equivalent bound whose bytes can be the start of a value of this column. */
  private ValueBound withinValues(ValueBound bound) {
    byte[] bytes = bound.bytes();
    int validLength = bytes.length;
    if (isFixed()) {
      validLength = Math.min(validLength, width);
    } else if (separated) {
      int zero = KeyBytes.indexOf(bytes, 0, ASC_SEPARATOR);
      validLength = zero < 0 ? validLength : zero;
    }
    if (validLength < bytes.length) {
      return ValueBound.after(Arrays.copyOf(bytes, validLength));
    }
    boolean tooShort = bytes.length < width && bound.place() == ValueBound.Place.AFTER_VALUE;
    return tooShort ? ValueBound.before(bytes) : bound;
  }

  /** Returns the token of a value, which must not be null. */
  byte[] token(byte[] value) {
    byte[] bytes = descending ? KeyBytes.invert(value) : value;
    return separated ? KeyBytes.append(bytes, descending ? DESC_SEPARATOR : ASC_SEPARATOR) : bytes;
  }

  // Tokens in keys

  /**
   * Returns the length of the token at the start of {@code rest}, or -1 if there is no whole token.
   *
   * @param rest the rest of a key, starting with this column
   */
  int tokenLength(byte[] rest) {
    if (isFixed()) {
      return rest.length >= width ? width : -1;
    }
    if (!separated) {
      return rest.length;
    }
    if (nullable && rest[0] == 0) {
      return 1;
    }
    int end = KeyBytes.indexOf(rest, 0, descending ? DESC_SEPARATOR : ASC_SEPARATOR);
    return end <= 0 ? -1 : end + 1;
  }

  /** Returns the number of bytes of {@code token} that remain if all later columns are null. */
  int lengthAtEnd(byte[] token) {
    boolean endsInZero = token.length > 0 && token[token.length - 1] == 0;
    return separated && endsInZero ? token.length - 1 : token.length;
  }

  /**
   * Returns the smallest token at or above {@code from}, or null if there is none. Descending
   * strings have no lower limit, so there may be no smallest token. In that case, returns bytes
   * below all these tokens, marked as {@linkplain Token#isWhole() not whole}.
   */
  @Nullable Token smallestFrom(byte[] from) {
    if (from.length == 0 && nullable) {
      return Token.whole(nullToken());
    }
    if (isFixed()) {
      return smallestFixed(from);
    }
    if (descending) {
      return smallestDescending(from);
    }
    if (separated) {
      return smallestSeparated(from);
    }
    return Token.whole(from.length == 0 ? new byte[1] : from);
  }

  private @Nullable Token smallestFixed(byte[] from) {
    if (from.length <= width) {
      return Token.whole(Arrays.copyOf(from, width));
    }
    byte[] next = Arrays.copyOf(from, width);
    for (int i = width - 1; i >= 0; i--) {
      if (++next[i] != 0) {
        return Token.whole(next);
      }
    }
    return null;
  }

  private @Nullable Token smallestDescending(byte[] from) {
    int separator = KeyBytes.indexOf(from, 0, DESC_SEPARATOR);
    if (separator < 0) {
      return nullable && Arrays.equals(from, NULL_TOKEN) ? Token.whole(from) : Token.below(from);
    }
    if (separator > 0 && separator == from.length - 1) {
      return Token.whole(from);
    }
    if (last) {
      // A value with a zero byte has a separator inside.
      return Token.below(from);
    }
    if (separator == 0) {
      return null;
    }
    byte[] next = Arrays.copyOf(from, separator);
    next[separator - 1]++;
    if (next[separator - 1] == DESC_SEPARATOR) {
      return separator == 1 ? null : Token.whole(next);
    }
    return Token.below(next);
  }

  private Token smallestSeparated(byte[] from) {
    if (from.length == 0) {
      return Token.whole(new byte[] {1, 0});
    }
    int zero = KeyBytes.indexOf(from, 0, ASC_SEPARATOR);
    if (zero < 0) {
      return Token.whole(KeyBytes.append(from, 0));
    }
    boolean isToken = zero == from.length - 1 && (zero > 0 || nullable);
    if (isToken) {
      return Token.whole(from);
    }
    return Token.whole(KeyBytes.concat(Arrays.copyOf(from, zero), new byte[] {1, 0}));
  }

  @Override
  public String toString() {
    return name
        + (isFixed() ? "(" + width + ")" : "")
        + (descending ? " DESC" : "")
        + (nullable ? "" : " NOT NULL");
  }

  /** A token, or bytes below all tokens that are searched for. */
  static final class Token {
    private final byte[] bytes;
    private final boolean whole;

    private Token(byte[] bytes, boolean whole) {
      this.bytes = bytes;
      this.whole = whole;
    }

    static Token whole(byte[] bytes) {
      return new Token(bytes, true);
    }

    static Token below(byte[] bytes) {
      return new Token(bytes, false);
    }

    byte[] bytes() {
      return bytes;
    }

    boolean isWhole() {
      return whole;
    }
  }
}
