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

/** One search for the smallest row key of a key space at or above a given key. */
final class KeySeek {

  private final RowKeyLayout layout;
  private final KeyNode root;

  private byte[] out = new byte[64];
  private int length;

  /** Whether {@link #out} is a key of all columns, not just bytes below such keys. */
  private boolean whole;

  /** How much of {@link #out} has to stay when trailing nulls are left out. */
  private int trimmed;

  /**
   * How much of {@link #out} is a key by itself, at or above the one that was looked for, which
   * ends before an optional column; -1 if there is none.
   */
  private int shortest;

  private byte[] wanted;

  KeySeek(RowKeyLayout layout, KeyNode root) {
    this.layout = layout;
    this.root = root;
  }

  /** Looks for tokens, untrimmed, at or above {@code from}; false if there are none. */
  boolean find(byte[] from) {
    length = 0;
    trimmed = 0;
    shortest = -1;
    wanted = from;
    whole = true;
    return seek(root, 0, from, 0);
  }

  boolean isWhole() {
    return whole;
  }

  /** What was found, with all separators. */
  byte[] tokens() {
    return Arrays.copyOf(out, length);
  }

  /** What was found, as Phoenix stores it. */
  byte[] rowKey() {
    if (shortest >= 0) {
      return Arrays.copyOf(out, shortest);
    }
    return Arrays.copyOf(out, whole ? trimmed : length);
  }

  private boolean seek(KeyNode node, int column, byte[] from, int offset) {
    if (offset >= from.length) {
      return smallest(node, column, KeyBytes.EMPTY);
    }
    if (column == layout.size()) {
      if (layout.isOpen()) {
        append(from, offset, from.length - offset);
        trimmed = length;
        return true;
      }
      return false;
    }
    byte[] rest = Arrays.copyOfRange(from, offset, from.length);
    int tokenLength = layout.column(column).tokenLength(rest);
    if (tokenLength > 0) {
      byte[] token = Arrays.copyOf(rest, tokenLength);
      KeyNode child = node.column() == column ? node.follow(token) : node;
      if (child != KeyNode.NOWHERE) {
        int lengthBefore = length;
        int trimmedBefore = trimmed;
        appendToken(column, token);
        if (seek(child, column + 1, from, offset + tokenLength)) {
          return true;
        }
        length = lengthBefore;
        trimmed = trimmedBefore;
      }
    }
    return smallest(node, column, rest);
  }

  /**
   * Appends the smallest tokens from {@code column} on, the first of them at or above {@code from}.
   */
  private boolean smallest(KeyNode node, int column, byte[] from) {
    if (column == layout.size()) {
      return true;
    }
    if (node.column() != column) {
      return smallest(node, column, from, null);
    }
    for (int i = node.firstEndingAfter(from); i < node.size(); i++) {
      byte[] lower = node.range(i).lower();
      byte[] start = KeyBytes.compare(lower, from) >= 0 ? lower : from;
      if (smallest(node.child(i), column, start, node.range(i).upper())) {
        return true;
      }
    }
    return false;
  }

  private boolean smallest(KeyNode child, int column, byte[] from, byte[] upper) {
    KeyColumn.Token token = layout.column(column).smallestFrom(from);
    if (token == null || KeyBytes.compareEnds(token.bytes(), upper) >= 0) {
      return false;
    }
    int lengthBefore = length;
    int trimmedBefore = trimmed;
    appendToken(column, token.bytes());
    int lengthOfToken = length;
    if (!smallest(child, column + 1, KeyBytes.EMPTY)) {
      length = lengthBefore;
      trimmed = trimmedBefore;
      return false;
    }
    if (!token.isWhole()) {
      length = lengthOfToken;
      whole = false;
      shortest = -1;
    }
    boolean isNull =
        token.isWhole() && Arrays.equals(token.bytes(), layout.column(column).nullToken());
    if (isNull && mayEndBefore(column, trimmedBefore, lengthOfToken)) {
      shortest = trimmedBefore;
    }
    return true;
  }

  /**
   * Whether the first {@code end} bytes of {@link #out} can be a whole key: the column is optional,
   * and those behind it, which stand from {@code offset} on, may all be null.
   */
  private boolean mayEndBefore(int column, int end, int offset) {
    return layout.column(column).isOptional()
        && end > layout.firstColumn()
        && nullsFrom(column + 1, offset)
        && KeyBytes.compare(Arrays.copyOf(out, end), wanted) >= 0;
  }

  /** Null is the smallest value, whatever the order of its column. */
  private boolean nullsFrom(int column, int offset) {
    int position = offset;
    for (int i = column; i < layout.size() && position < length; i++) {
      int tokenLength = layout.column(i).tokenLength(Arrays.copyOfRange(out, position, length));
      if (tokenLength < 0) {
        // A lower bound of values that are not null.
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
    int kept = layout.column(column).lengthAtEnd(token);
    if (kept > 0) {
      trimmed = length - token.length + kept;
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
