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

/**
 * How one column's values stand in a row key.
 *
 * <p>A column's <em>token</em> is its part of the row key, with the separator that ends it where
 * the width is variable: {@code value} for a fixed width and for trailing binary columns, {@code
 * value 00} for other ascending columns, {@code inverted-value FF} for descending ones, {@code 00}
 * for null (nothing where it is trailing binary). No token is a prefix of another one, save for
 * trailing binary columns, so row keys compare as their tokens do. That Phoenix leaves out trailing
 * nulls and the last {@code 00} is the business of {@link RowKeyLayout}.
 *
 * <p>Source: {@code PTableImpl.newKey}, {@code RowKeySchema.next} and {@code
 * SchemaUtil.getSeparatorByte} of Phoenix 5.2, for tables with {@code rowKeyOrderOptimizable}.
 */
public final class KeyColumn {

  private static final byte[] NULL_IN_THE_MIDDLE = {0};
  private static final byte ASC_SEPARATOR = 0;
  private static final byte DESC_SEPARATOR = (byte) 0xFF;

  private final String name;
  private final int width;
  private final boolean descending;
  private final boolean nullable;

  /** Whether a separator ends its tokens. */
  private final boolean separated;

  /** Whether a key may end before it. */
  private final boolean optional;

  /** Whether its values may hold zero bytes, because it takes all that is left of a key. */
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

  /** A column of {@code width} bytes, which Phoenix does not let be null. */
  public static KeyColumn fixed(String name, int width, boolean descending) {
    if (width <= 0) {
      throw new IllegalArgumentException("width of " + name + " must be positive: " + width);
    }
    return new KeyColumn(name, width, descending, false, false);
  }

  /**
   * A column of variable width whose values hold no zero byte, and no FF as the first one if it is
   * descending: VARCHAR and DECIMAL.
   */
  public static KeyColumn variable(String name, boolean descending, boolean nullable) {
    return new KeyColumn(name, 0, descending, nullable, true);
  }

  /**
   * This column, before which a key may end: it is null then, and so are all that follow, also
   * those that Phoenix would not let be null if it checked them.
   */
  public KeyColumn optional() {
    return new KeyColumn(name, width, descending, nullable, separated, true, last);
  }

  /**
   * This column, an ascending one of variable width, as the last of a table: Phoenix takes all that
   * is left of a key for its value, zero bytes included. A view may have columns behind it, which
   * cannot be told from such values.
   */
  public KeyColumn last() {
    return new KeyColumn(name, width, descending, nullable, separated, optional, true);
  }

  /** An ascending column of any bytes, which only the end of a key can be: VARBINARY and ARRAY. */
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

  /** In bytes; 0 if it is variable. */
  int width() {
    return width;
  }

  boolean isFixed() {
    return width > 0;
  }

  /** Whether no column can follow. */
  boolean isTrailing() {
    return !isFixed() && !separated;
  }

  // Values to tokens

  byte[] nullToken() {
    return separated ? NULL_IN_THE_MIDDLE : KeyBytes.EMPTY;
  }

  /**
   * The tokens of {@code range} as [lower, upper) of token bytes; null if it can hold none.
   *
   * <p>Bounds are tokens themselves, but for an absent one where nothing is cut off and for
   * descending strings. So ranges that meet in the order of values do so in that of bytes: the
   * values up to 5 and from 6 on are all of an INTEGER.
   */
  ByteRange tokens(ValueRange range) {
    byte[] afterNull = nullable ? KeyBytes.append(nullToken(), 0) : KeyBytes.EMPTY;
    if (range.isNull()) {
      return nullable ? ByteRange.of(KeyBytes.EMPTY, smallestBytesFrom(afterNull)) : null;
    }
    ValueBound first = descending ? range.upper() : range.lower();
    ValueBound end = descending ? range.lower() : range.upper();
    if (last) {
      // A value that starts with zero looks like null.
      afterNull = KeyBytes.EMPTY;
      first = first == null ? null : beforeZero(first);
      end = end == null ? null : behindZero(end);
    }
    byte[] cut = first == null ? afterNull : cut(first);
    if (cut == null) {
      return null;
    }
    byte[] lower = smallestBytesFrom(KeyBytes.compare(cut, afterNull) < 0 ? afterNull : cut);
    byte[] upper = end == null ? null : smallestBytesFrom(cut(end));
    if (lower == null || KeyBytes.compareEnds(lower, upper) >= 0) {
      return null;
    }
    boolean all = Arrays.equals(lower, smallestBytesFrom(KeyBytes.EMPTY));
    return ByteRange.of(all ? KeyBytes.EMPTY : lower, upper);
  }

  /** A bound below all values that start with those of {@code bound} and go on with a zero. */
  private static ValueBound beforeZero(ValueBound bound) {
    byte[] bytes = bound.bytes();
    int zero = KeyBytes.indexOf(bytes, 0, ASC_SEPARATOR);
    boolean afterPrefix = bound.place() == ValueBound.Place.AFTER_PREFIX;
    if (zero < 0) {
      return afterPrefix ? bound : ValueBound.before(bytes);
    }
    return zero == 0 ? null : ValueBound.before(Arrays.copyOf(bytes, zero));
  }

  /** A bound above all values that start with those of {@code bound} up to its first zero. */
  private static ValueBound behindZero(ValueBound bound) {
    int zero = KeyBytes.indexOf(bound.bytes(), 0, ASC_SEPARATOR);
    if (zero < 0) {
      return bound;
    }
    return zero == 0 ? null : ValueBound.afterPrefix(Arrays.copyOf(bound.bytes(), zero));
  }

  private byte[] smallestBytesFrom(byte[] from) {
    Token token = from == null ? null : smallestFrom(from);
    return token == null ? null : token.bytes();
  }

  /** The smallest bytes at or above every token on the near side of {@code bound}; null: none. */
  private byte[] cut(ValueBound wanted) {
    ValueBound bound = amongValues(wanted);
    byte[] value = bound.bytes();
    if (!descending) {
      switch (bound.place()) {
        case BEFORE:
          return value;
        case AFTER_VALUE:
          return KeyBytes.append(value, separated ? 1 : 0);
        case AFTER_PREFIX:
          return KeyBytes.afterPrefix(value);
      }
    }
    byte[] inverted = KeyBytes.invert(value);
    switch (bound.place()) {
      case BEFORE:
        return KeyBytes.afterPrefix(inverted);
      case AFTER_VALUE:
        return isFixed() ? inverted : KeyBytes.append(inverted, DESC_SEPARATOR);
      case AFTER_PREFIX:
        return inverted;
    }
    throw new AssertionError(bound.place());
  }

  /** The same place, given by bytes that a value of this column may start with. */
  private ValueBound amongValues(ValueBound bound) {
    byte[] bytes = bound.bytes();
    int possible = bytes.length;
    if (isFixed()) {
      possible = Math.min(possible, width);
    } else if (separated) {
      int zero = KeyBytes.indexOf(bytes, 0, ASC_SEPARATOR);
      possible = zero < 0 ? possible : zero;
    }
    if (possible < bytes.length) {
      return ValueBound.after(Arrays.copyOf(bytes, possible));
    }
    boolean tooShort = bytes.length < width && bound.place() == ValueBound.Place.AFTER_VALUE;
    return tooShort ? ValueBound.before(bytes) : bound;
  }

  /** The token of a value that is not null. */
  byte[] token(byte[] value) {
    byte[] bytes = descending ? KeyBytes.invert(value) : value;
    return separated ? KeyBytes.append(bytes, descending ? DESC_SEPARATOR : ASC_SEPARATOR) : bytes;
  }

  // Tokens in keys

  /**
   * The length of the token that {@code rest} of a key starts with; -1 if it holds no whole one.
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

  /** How many bytes of {@code token} stay if all columns that follow it are null. */
  int lengthAtEnd(byte[] token) {
    boolean endsInZero = token.length > 0 && token[token.length - 1] == 0;
    return separated && endsInZero ? token.length - 1 : token.length;
  }

  /**
   * The smallest token at or above {@code from}; null if there is none. Where no token is the
   * smallest (descending strings have no lower limit), bytes that are below all of them, marked as
   * {@linkplain Token#isWhole() not whole}.
   */
  Token smallestFrom(byte[] from) {
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

  private Token smallestFixed(byte[] from) {
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

  private Token smallestDescending(byte[] from) {
    int separator = KeyBytes.indexOf(from, 0, DESC_SEPARATOR);
    if (separator < 0) {
      return nullable && Arrays.equals(from, NULL_IN_THE_MIDDLE)
          ? Token.whole(from)
          : Token.below(from);
    }
    if (separator > 0 && separator == from.length - 1) {
      return Token.whole(from);
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

  /** A token, or bytes below all tokens that are wanted. */
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
