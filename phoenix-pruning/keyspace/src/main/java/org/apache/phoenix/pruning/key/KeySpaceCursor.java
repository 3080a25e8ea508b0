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

/** Searches for the smallest row key of a key space at or above a given key. */
final class KeySpaceCursor {

  private final RowKeyLayout layout;
  private final KeyNode root;

  private byte[] out = new byte[64];
  private int length;

  /**
   * True if {@link #out} is a key of all columns; false if it is only a lower bound of such keys.
   */
  private boolean whole;

  /**
   * Length in bytes of {@link #out} without trailing nulls and without the separator of the last
   * ascending column.
   */
  private int trimmedLength;

  /**
   * Length in bytes of a prefix of {@link #out} that is itself a key at or above {@link #searchKey}
   * and that ends before an optional column; -1 if there is none.
   */
  private int shortestLength;

  private byte[] searchKey = KeyBytes.EMPTY;

  KeySpaceCursor(RowKeyLayout layout, KeyNode root) {
    this.layout = layout;
    this.root = root;
  }

  /**
   * Searches for the smallest tokens at or above {@code from}. Trailing nulls are kept. Returns
   * false if there are no such tokens.
   */
  boolean find(byte[] from) {
    length = 0;
    trimmedLength = 0;
    shortestLength = -1;
    searchKey = from;
    whole = true;
    return seek(root, 0, from, 0);
  }

  boolean isWhole() {
    return whole;
  }

  /** Returns the tokens found, with all separators. */
  byte[] tokens() {
    return Arrays.copyOf(out, length);
  }

  /** Returns the row key found, as Phoenix stores it. */
  byte[] rowKey() {
    if (shortestLength >= 0) {
      return Arrays.copyOf(out, shortestLength);
    }
    return Arrays.copyOf(out, whole ? trimmedLength : length);
  }

  private boolean seek(KeyNode node, int column, byte[] from, int offset) {
    if (offset >= from.length) {
      return appendSmallest(node, column, KeyBytes.EMPTY);
    }
    if (column == layout.size()) {
      // Keys of an open layout continue after the last column. The caller returns the start key.
      return layout.isOpen();
    }
    byte[] rest = Arrays.copyOfRange(from, offset, from.length);
    int tokenLength = layout.column(column).tokenLength(rest);
    if (tokenLength > 0) {
      byte[] token = Arrays.copyOf(rest, tokenLength);
      KeyNode child = node.column() == column ? node.childFor(token) : node;
      if (child != KeyNode.NOWHERE) {
        if (valueMayContinue(node, column, rest, tokenLength)) {
          append(from, offset, rest.length);
          whole = false;
          return true;
        }
        int lengthBefore = length;
        int trimmedBefore = trimmedLength;
        appendToken(column, token);
        if (seek(child, column + 1, from, offset + tokenLength)) {
          return true;
        }
        length = lengthBefore;
        trimmedLength = trimmedBefore;
      }
    }
    return appendSmallest(node, column, rest);
  }

  /**
   * Returns whether {@code rest} may be the start of a longer value of the last column. Values of
   * this column can contain zero bytes, so a token at the start of {@code rest} may be only a
   * prefix of the value. Longer values sort after this token, so {@code node} must also allow the
   * next token.
   */
  private boolean valueMayContinue(KeyNode node, int column, byte[] rest, int tokenLength) {
    if (layout.isOpen()
        || !layout.endsInZeros()
        || column < layout.size() - 1
        || tokenLength == rest.length) {
      return false;
    }
    byte[] next =
        layout.column(column).isDescending()
            ? KeyBytes.append(Arrays.copyOf(rest, tokenLength), 0)
            : KeyBytes.concat(Arrays.copyOf(rest, tokenLength - 1), new byte[] {1, 0});
    return node.column() != column || node.childFor(next) != KeyNode.NOWHERE;
  }

  /**
   * Appends the smallest tokens of {@code column} and all later columns. The first token is at or
   * above {@code from}. Returns false if there are none.
   */
  private boolean appendSmallest(KeyNode node, int column, byte[] from) {
    if (column == layout.size()) {
      return true;
    }
    if (node.column() != column) {
      return appendSmallest(node, column, from, null);
    }
    for (int i = node.firstEndingAfter(from); i < node.size(); i++) {
      byte[] lower = node.range(i).lower();
      byte[] start = KeyBytes.compare(lower, from) >= 0 ? lower : from;
      if (appendSmallest(node.child(i), column, start, node.range(i).upper())) {
        return true;
      }
    }
    return false;
  }

  /**
   * Appends the smallest tokens, as {@link #appendSmallest(KeyNode, int, byte[])} does. The first
   * token is below {@code upper}, unless {@code upper} is null.
   */
  private boolean appendSmallest(KeyNode child, int column, byte[] from, byte @Nullable [] upper) {
    SmallestToken token = SmallestToken.from(layout.column(column), from);
    if (token == null || KeyBytes.compareEnds(token.bytes(), upper) >= 0) {
      return false;
    }
    int lengthBefore = length;
    int trimmedBefore = trimmedLength;
    appendToken(column, token.bytes());
    int lengthOfToken = length;
    if (!appendSmallest(child, column + 1, KeyBytes.EMPTY)) {
      length = lengthBefore;
      trimmedLength = trimmedBefore;
      return false;
    }
    if (!token.isWhole()) {
      length = lengthOfToken;
      whole = false;
      shortestLength = -1;
    }
    boolean isNull =
        token.isWhole() && Arrays.equals(token.bytes(), layout.column(column).nullToken());
    if (isNull && mayEndBefore(column, trimmedBefore, lengthOfToken)) {
      shortestLength = trimmedBefore;
    }
    return true;
  }

  /**
   * Returns whether the first {@code end} bytes of {@link #out} can be a complete key. The column
   * must be optional, and all later columns, which start at {@code offset}, may be null.
   */
  private boolean mayEndBefore(int column, int end, int offset) {
    return layout.column(column).isOptional()
        && end > layout.firstColumn()
        && mayBeNullFrom(column + 1, offset)
        && KeyBytes.compare(Arrays.copyOf(out, end), searchKey) >= 0;
  }

  /**
   * Returns whether {@code column} and all later columns may be null. In both sort orders, null is
   * the smallest value. In a descending column of fixed width, the bytes are the greatest possible
   * value, so they do not exclude null.
   */
  private boolean mayBeNullFrom(int column, int offset) {
    int position = offset;
    for (int i = column; i < layout.size() && position < length; i++) {
      int tokenLength = layout.column(i).tokenLength(Arrays.copyOfRange(out, position, length));
      if (tokenLength < 0) {
        // These bytes are a lower bound of values that are not null.
        return false;
      }
      for (int b = position; b < position + tokenLength; b++) {
        if (out[b] != 0 && !layout.column(i).isFixedDescending()) {
          return false;
        }
      }
      position += tokenLength;
    }
    return true;
  }

  private void appendToken(int column, byte[] token) {
    append(token, 0, token.length);
    int keptLength = layout.column(column).lengthAtEnd(token);
    if (keptLength > 0) {
      trimmedLength = length - token.length + keptLength;
    }
  }

  private void append(byte[] bytes, int offset, int count) {
    if (length + count > out.length) {
      out = Arrays.copyOf(out, Math.max(2 * out.length, length + count));
    }
    System.arraycopy(bytes, offset, out, length, count);
    length += count;
  }
}
