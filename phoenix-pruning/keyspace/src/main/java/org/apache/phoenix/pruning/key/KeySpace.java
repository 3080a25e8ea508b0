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

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.function.BinaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * An immutable set of row keys, defined by the possible values of the key columns. The set is
 * closed under AND and OR. {@link #next} returns the next key in the set.
 *
 * <p>The set is stored as a decision diagram over the columns in key order. So the size of a
 * product of IN lists is the sum of the list sizes, not the product. {@link #next} does not
 * enumerate the product.
 *
 * <p>The set is never smaller than the exact result, but it can be larger. If an operation would
 * create more than {@value #MAX_RANGES} ranges, AND returns one of its sides, and OR returns all
 * keys.
 */
public final class KeySpace {

  static final int MAX_RANGES = 200_000;

  /**
   * Maximum number of consecutive keys with the wrong salt, per bucket. After that, a key is
   * returned even if its salt is wrong.
   */
  private static final int MAX_WRONG_SALTS_PER_BUCKET = 16;

  /** The first possible row key, because no row key is empty. */
  private static final byte[] FIRST_KEY = {0};

  private final RowKeyLayout layout;
  private final KeyNode root;

  private KeySpace(RowKeyLayout layout, KeyNode root) {
    this.layout = layout;
    this.root = root;
  }

  /** Returns all keys of {@code layout}. */
  public static KeySpace everywhere(RowKeyLayout layout) {
    if (layout.buckets() == 0) {
      return new KeySpace(layout, KeyNode.EVERYWHERE);
    }
    return new KeySpace(
        layout,
        KeyNode.of(
            0,
            Collections.singletonList(saltRange(layout)),
            Collections.singletonList(KeyNode.EVERYWHERE)));
  }

  private static ByteRange saltRange(RowKeyLayout layout) {
    return ByteRange.of(
        KeyBytes.EMPTY, layout.buckets() > 0xFF ? null : new byte[] {(byte) layout.buckets()});
  }

  /** Returns the empty set of keys. */
  public static KeySpace nowhere(RowKeyLayout layout) {
    return new KeySpace(layout, KeyNode.NOWHERE);
  }

  /**
   * Returns the keys whose column has a value in one of {@code values}.
   *
   * @param index position of the column, not counting the salt
   * @param values ranges in any order, which may overlap
   */
  public static KeySpace of(RowKeyLayout layout, int index, Collection<ValueRange> values) {
    int column = layout.firstColumn() + index;
    List<ByteRange> tokens = new ArrayList<>(values.size());
    for (ValueRange value : values) {
      ByteRange range = layout.column(column).tokens(value);
      if (range != null) {
        tokens.add(range);
      }
    }
    tokens.sort(Comparator.comparing(ByteRange::lower, KeyBytes::compare));
    List<ByteRange> disjoint = new ArrayList<>(tokens.size());
    for (ByteRange range : tokens) {
      int last = disjoint.size() - 1;
      ByteRange previous = last < 0 ? null : disjoint.get(last);
      if (previous == null || KeyBytes.compareEnds(range.lower(), previous.upper()) > 0) {
        disjoint.add(range);
      } else if (KeyBytes.compareEnds(range.upper(), previous.upper()) > 0) {
        disjoint.set(last, ByteRange.of(previous.lower(), range.upper()));
      }
    }
    KeyNode node =
        KeyNode.of(column, disjoint, Collections.nCopies(disjoint.size(), KeyNode.EVERYWHERE));
    return everywhere(layout).and(new KeySpace(layout, node));
  }

  /** Returns the union of {@code spaces}, or no keys if the list is empty. */
  public static KeySpace anyOf(RowKeyLayout layout, List<KeySpace> spaces) {
    return spaces.isEmpty() ? nowhere(layout) : reduce(spaces, KeySpace::or);
  }

  /** Returns the intersection of {@code spaces}, or all keys if the list is empty. */
  public static KeySpace allOf(RowKeyLayout layout, List<KeySpace> spaces) {
    return spaces.isEmpty() ? everywhere(layout) : reduce(spaces, KeySpace::and);
  }

  /**
   * Combines the spaces by halves, because the time of each step depends on the number of ranges of
   * its operands.
   */
  private static KeySpace reduce(List<KeySpace> spaces, BinaryOperator<KeySpace> operator) {
    if (spaces.size() == 1) {
      return spaces.get(0);
    }
    int middle = spaces.size() / 2;
    return operator.apply(
        reduce(spaces.subList(0, middle), operator),
        reduce(spaces.subList(middle, spaces.size()), operator));
  }

  public KeySpace and(KeySpace other) {
    try {
      return withRoot(KeySpaceOperation.and(root, other.root, MAX_RANGES));
    } catch (KeySpaceOperation.TooComplexException e) {
      return this;
    }
  }

  public KeySpace or(KeySpace other) {
    try {
      return withRoot(KeySpaceOperation.or(root, other.root, MAX_RANGES));
    } catch (KeySpaceOperation.TooComplexException e) {
      return everywhere(layout);
    }
  }

  private KeySpace withRoot(KeyNode newRoot) {
    return new KeySpace(layout, newRoot);
  }

  public RowKeyLayout layout() {
    return layout;
  }

  /** Returns whether no column is limited. */
  public boolean isEverywhere() {
    return root == KeyNode.EVERYWHERE
        || (layout.buckets() > 0
            && root.column() == 0
            && root.size() == 1
            && root.child(0) == KeyNode.EVERYWHERE
            && root.range(0).equals(saltRange(layout)));
  }

  public boolean isNowhere() {
    return root == KeyNode.NOWHERE;
  }

  /**
   * Returns the smallest key at or above {@code from} in this space, or null if there is none. The
   * result can also be bytes that lie at or above {@code from} and not above that key.
   *
   * <p>The time is O(columns x log ranges). For salted keys, the time is multiplied by the number
   * of buckets.
   *
   * @param from any bytes, such as a region boundary; empty for the first key
   */
  public byte @Nullable [] next(byte[] from) {
    if (isNowhere()) {
      return null;
    }
    KeySpaceCursor cursor = new KeySpaceCursor(layout, root);
    byte[] start = from.length == 0 ? FIRST_KEY : from;
    int remainingWrongSalts = MAX_WRONG_SALTS_PER_BUCKET * layout.buckets();
    while (cursor.find(start)) {
      if (layout.isOpen() || !cursor.isWhole()) {
        return atLeast(from, cursor);
      }
      byte[] rowKey = cursor.rowKey();
      boolean isAtLeastFrom = KeyBytes.compare(rowKey, from) >= 0;
      if (isAtLeastFrom && (layout.hasValidSalt(rowKey) || --remainingWrongSalts <= 0)) {
        return rowKey;
      }
      byte[] tokens = cursor.tokens();
      start = KeyBytes.append(tokens, 0);
      if (layout.endsInZeros() && cursor.find(start) && Arrays.equals(cursor.tokens(), start)) {
        // The value may also continue with a zero byte. Keys of such values may have any salt.
        return KeyBytes.compare(rowKey, from) >= 0 ? rowKey : from;
      }
    }
    return null;
  }

  /**
   * Returns the row key found, or {@code from} if that row key is below {@code from}. In that case,
   * the same row key may be stored with some of its trailing nulls, at or above {@code from}.
   */
  private static byte[] atLeast(byte[] from, KeySpaceCursor cursor) {
    byte[] rowKey = cursor.rowKey();
    return KeyBytes.compare(rowKey, from) >= 0 ? rowKey : from;
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    append(text, root);
    return text.toString();
  }

  private void append(StringBuilder text, KeyNode node) {
    if (node.isTerminal()) {
      text.append(node == KeyNode.NOWHERE ? "nowhere" : "*");
      return;
    }
    text.append(layout.column(node.column()).name()).append('{');
    for (int i = 0; i < node.size(); i++) {
      text.append(i == 0 ? "" : ", ").append(node.range(i));
      if (node.child(i) != KeyNode.EVERYWHERE) {
        text.append(" -> ");
        append(text, node.child(i));
      }
    }
    text.append('}');
  }
}
