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

import java.util.Objects;

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

  static final byte ASC_SEPARATOR = 0;
  static final byte DESC_SEPARATOR = (byte) 0xFF;

  private static final byte[] NULL_TOKEN = {ASC_SEPARATOR};

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

  boolean isNullable() {
    return nullable;
  }

  /** Returns whether a separator ends the tokens of this column. */
  boolean isSeparated() {
    return separated;
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

  byte[] nullToken() {
    return separated ? NULL_TOKEN : KeyBytes.EMPTY;
  }

  /** Returns the smallest token of a trailing binary column that is not null. */
  byte[] smallestValue() {
    return KeyBytes.append(nullToken(), 0);
  }

  /** Returns the token of a value, which must not be null. */
  byte[] token(byte[] value) {
    byte[] bytes = descending ? KeyBytes.invert(value) : value;
    return separated ? KeyBytes.append(bytes, separator()) : bytes;
  }

  private byte separator() {
    return descending ? DESC_SEPARATOR : ASC_SEPARATOR;
  }

  /**
   * Returns the position of the first separator in {@code rest}, or -1 if there is none.
   *
   * @param rest the rest of a key, starting with this column, whose tokens end with a separator
   */
  int indexOfSeparator(byte[] rest) {
    return KeyBytes.indexOf(rest, separator());
  }

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
    int end = indexOfSeparator(rest);
    return end <= 0 ? -1 : end + 1;
  }

  /** Returns the number of bytes of {@code token} that remain if all later columns are null. */
  int lengthAtEnd(byte[] token) {
    boolean endsInZero = token.length > 0 && token[token.length - 1] == 0;
    return separated && endsInZero ? token.length - 1 : token.length;
  }

  @Override
  public String toString() {
    return name
        + (isFixed() ? "(" + width + ")" : "")
        + (descending ? " DESC" : "")
        + (nullable ? "" : " NOT NULL");
  }
}
