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

/** Smallest token of a column at or above given bytes, or bytes below all such tokens. */
final class SmallestToken {

  private final byte[] bytes;
  private final boolean whole;

  private SmallestToken(byte[] bytes, boolean whole) {
    this.bytes = bytes;
    this.whole = whole;
  }

  private static SmallestToken whole(byte[] bytes) {
    return new SmallestToken(bytes, true);
  }

  private static SmallestToken below(byte[] bytes) {
    return new SmallestToken(bytes, false);
  }

  /**
   * Returns the smallest token at or above {@code from}, or null if there is none. Descending
   * strings have no lower limit, so there may be no smallest token. In that case, returns bytes
   * below all these tokens, marked as {@linkplain #isWhole() not whole}.
   */
  static @Nullable SmallestToken from(KeyColumn column, byte[] from) {
    if (from.length == 0 && column.isNullable()) {
      return whole(column.nullToken());
    }
    if (column.isFixed()) {
      return fixed(column.width(), from);
    }
    if (column.isDescending()) {
      return descending(column, from);
    }
    if (column.isSeparated()) {
      return ascending(column, from);
    }
    return whole(from.length == 0 ? new byte[1] : from);
  }

  private static @Nullable SmallestToken fixed(int width, byte[] from) {
    if (from.length <= width) {
      return whole(Arrays.copyOf(from, width));
    }
    byte[] next = Arrays.copyOf(from, width);
    for (int i = width - 1; i >= 0; i--) {
      if (++next[i] != 0) {
        return whole(next);
      }
    }
    return null;
  }

  private static @Nullable SmallestToken descending(KeyColumn column, byte[] from) {
    int separator = column.indexOfSeparator(from);
    if (separator < 0) {
      return column.isNullable() && Arrays.equals(from, column.nullToken())
          ? whole(from)
          : below(from);
    }
    if (separator > 0 && separator == from.length - 1) {
      return whole(from);
    }
    if (column.isLast()) {
      // A value with a zero byte has a separator inside.
      return below(from);
    }
    if (separator == 0) {
      return null;
    }
    byte[] next = Arrays.copyOf(from, separator);
    next[separator - 1]++;
    if (next[separator - 1] == KeyColumn.DESC_SEPARATOR) {
      return separator == 1 ? null : whole(next);
    }
    return below(next);
  }

  private static SmallestToken ascending(KeyColumn column, byte[] from) {
    if (from.length == 0) {
      return whole(new byte[] {1, 0});
    }
    int zero = column.indexOfSeparator(from);
    if (zero < 0) {
      return whole(KeyBytes.append(from, 0));
    }
    boolean isToken = zero == from.length - 1 && (zero > 0 || column.isNullable());
    if (isToken) {
      return whole(from);
    }
    return whole(KeyBytes.concat(Arrays.copyOf(from, zero), new byte[] {1, 0}));
  }

  byte[] bytes() {
    return bytes;
  }

  /** Returns whether the bytes are a token. Otherwise, they are below all tokens. */
  boolean isWhole() {
    return whole;
  }
}
