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

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Bounds of the columns of a key within a range of row keys, such as a region. The first column
 * lies between two values. So does each further column, as long as all columns before it have only
 * one value.
 */
public final class KeyBounds {

  private final List<Bounds> columns;

  private KeyBounds(List<Bounds> columns) {
    this.columns = columns;
  }

  /** Bounds of the values of one column, in ascending encoding and without separator. */
  public static final class Bounds {

    private static final Bounds NONE = new Bounds(null, null, true, false);

    private final byte @Nullable [] lower;
    private final byte @Nullable [] upper;
    private final boolean nullable;
    private final boolean fixed;

    private Bounds(
        byte @Nullable [] lower, byte @Nullable [] upper, boolean nullable, boolean fixed) {
      this.lower = lower;
      this.upper = upper;
      this.nullable = nullable;
      this.fixed = fixed;
    }

    /** Returns the inclusive lower bound, or null if there is none. */
    public byte @Nullable [] lower() {
      return lower;
    }

    /** Returns the inclusive upper bound, or null if there is none. */
    public byte @Nullable [] upper() {
      return upper;
    }

    /** Returns whether the column can be null. */
    public boolean isNullable() {
      return nullable;
    }

    /** Returns whether the column has only one value and cannot be null. */
    public boolean isSingleValue() {
      return !nullable && lower != null && Arrays.equals(lower, upper);
    }

    /** Returns the only value of the column, or null if there are more values or none. */
    private byte @Nullable [] onlyValue() {
      return isSingleValue() ? lower : null;
    }

    /**
     * Returns the maximum number of values. Returns infinity if there is no maximum, because the
     * width is variable or a bound is missing.
     */
    public double count() {
      if (isSingleValue()) {
        return 1;
      }
      return fixed && lower != null && upper != null
          ? new BigInteger(1, upper).subtract(new BigInteger(1, lower)).doubleValue() + 1
          : Double.POSITIVE_INFINITY;
    }

    private Bounds inverted() {
      return new Bounds(
          upper == null ? null : KeyBytes.invert(upper),
          lower == null ? null : KeyBytes.invert(lower),
          nullable,
          fixed);
    }
  }

  /**
   * Returns the bounds of the columns of {@code layout}.
   *
   * @param start inclusive start key; empty for the first key
   * @param end exclusive end key; empty for no end
   */
  public static KeyBounds of(RowKeyLayout layout, byte[] start, byte[] end) {
    List<Bounds> all = new ArrayList<>();
    byte[] from = start;
    byte[] to = end.length == 0 ? null : end;
    for (int i = 0; i < layout.size(); i++) {
      KeyColumn column = layout.column(i);
      Bounds tokens = tokens(layout, i, from, to);
      Bounds values = column.isDescending() ? tokens.inverted() : tokens;
      all.add(values);
      byte[] value = values.onlyValue();
      if (value == null) {
        break;
      }
      byte[] token = column.token(value);
      from = startsWith(from, token) ? withoutPrefix(from, token) : KeyBytes.EMPTY;
      to =
          to != null && to.length > token.length && startsWith(to, token)
              ? withoutPrefix(to, token)
              : null;
    }
    return new KeyBounds(all.subList(Math.min(layout.firstColumn(), all.size()), all.size()));
  }

  /**
   * Returns the bounds of a column.
   *
   * @param index position of the column, not counting the salt
   */
  public Bounds column(int index) {
    return index < columns.size() ? columns.get(index) : Bounds.NONE;
  }

  /**
   * Returns bounds of the tokens of a column, without separators. The tokens of a descending column
   * are inverted.
   *
   * @param to exclusive end of the rest of the key, which starts with this column; null for no end
   */
  private static Bounds tokens(RowKeyLayout layout, int index, byte[] from, byte @Nullable [] to) {
    KeyColumn column = layout.column(index);
    if (column.isTrailing() || column.isLast()) {
      return Bounds.NONE;
    }
    if (!column.isFixed()) {
      boolean nullable = from.length == 0 || from[0] == 0;
      return new Bounds(lowerVariable(column, from), upperVariable(column, to), nullable, false);
    }
    byte[] lower = Arrays.copyOf(from, column.width());
    if (to == null) {
      byte[] greatest = new byte[column.width()];
      Arrays.fill(greatest, (byte) 0xFF);
      return new Bounds(lower, greatest, false, true);
    }
    byte[] upper = Arrays.copyOf(to, column.width());
    return new Bounds(
        lower, endsBeforeFirst(layout, index, to) ? previous(upper) : upper, false, true);
  }

  /** Returns whether no key with the column value of {@code to} is below {@code to}. */
  private static boolean endsBeforeFirst(RowKeyLayout layout, int index, byte[] to) {
    int covered = layout.column(index).width();
    for (int i = covered; i < to.length; i++) {
      if (to[i] != 0) {
        return false;
      }
    }
    for (int i = index + 1; i < layout.size() && layout.column(i).isFixed(); i++) {
      covered += layout.column(i).width();
    }
    return to.length <= covered;
  }

  private static byte @Nullable [] lowerVariable(KeyColumn column, byte[] from) {
    int end = column.indexOfSeparator(from);
    if (end < 0) {
      // In a descending column, a value sorts after all longer values that begin with it.
      return column.isDescending() || from.length == 0 ? null : from;
    }
    return end == 0 ? null : Arrays.copyOf(from, end);
  }

  private static byte @Nullable [] upperVariable(KeyColumn column, byte @Nullable [] to) {
    if (to == null || to.length == 0) {
      return null;
    }
    int end = column.indexOfSeparator(to);
    return end < 0 ? to : end == 0 ? null : Arrays.copyOf(to, end);
  }

  /**
   * Returns the greatest bytes of the same length below {@code bytes}, or null if there are none.
   */
  private static byte @Nullable [] previous(byte[] bytes) {
    byte[] previous = bytes.clone();
    for (int i = previous.length - 1; i >= 0; i--) {
      if (previous[i]-- != 0) {
        return previous;
      }
    }
    return null;
  }

  private static boolean startsWith(byte[] bytes, byte[] prefix) {
    return bytes.length >= prefix.length
        && Arrays.equals(Arrays.copyOf(bytes, prefix.length), prefix);
  }

  private static byte[] withoutPrefix(byte[] bytes, byte[] prefix) {
    return Arrays.copyOfRange(bytes, prefix.length, bytes.length);
  }
}
