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

/**
 * A set of row keys, given by what their columns may be: an immutable value, closed under AND and
 * OR, that answers one question, {@link #next}.
 *
 * <p>It holds a decision diagram over the columns in key order. So a product of IN lists takes the
 * sum of their sizes, not the product, and is walked without being enumerated.
 *
 * <p>It is never smaller than what was asked for. It is larger where one operation would have to
 * make more than {@value #MAX_RANGES} ranges: AND then gives one of its sides, OR gives everything.
 */
public final class KeySpace {

  static final int MAX_RANGES = 200_000;

  /** How many keys in a row may have the wrong salt, per bucket, before a key is taken as it is. */
  private static final int MAX_WRONG_SALTS_PER_BUCKET = 16;

  /** No row key is empty. */
  private static final byte[] FIRST_KEY = {0};

  private final RowKeyLayout layout;
  private final KeyNode root;

  private KeySpace(RowKeyLayout layout, KeyNode root) {
    this.layout = layout;
    this.root = root;
  }

  /** All keys of {@code layout}. */
  public static KeySpace everywhere(RowKeyLayout layout) {
    if (layout.buckets() == 0) {
      return new KeySpace(layout, KeyNode.EVERYWHERE);
    }
    return new KeySpace(
        layout,
        KeyNode.of(
            0,
            Collections.singletonList(salts(layout)),
            Collections.singletonList(KeyNode.EVERYWHERE)));
  }

  private static ByteRange salts(RowKeyLayout layout) {
    return ByteRange.of(
        KeyBytes.EMPTY, layout.buckets() > 0xFF ? null : new byte[] {(byte) layout.buckets()});
  }

  /** No key at all. */
  public static KeySpace nowhere(RowKeyLayout layout) {
    return new KeySpace(layout, KeyNode.NOWHERE);
  }

  /**
   * The keys whose column {@code index} (not counting the salt) is in one of {@code values}.
   *
   * @param values in any order; they may overlap
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

  /** The union; nothing if there are no spaces. */
  public static KeySpace anyOf(RowKeyLayout layout, List<KeySpace> spaces) {
    return spaces.isEmpty() ? nowhere(layout) : reduce(spaces, KeySpace::or);
  }

  /** The intersection; everything if there are no spaces. */
  public static KeySpace allOf(RowKeyLayout layout, List<KeySpace> spaces) {
    return spaces.isEmpty() ? everywhere(layout) : reduce(spaces, KeySpace::and);
  }

  /** By halves: each step takes as long as its operands have ranges. */
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
      return with(KeyNodeOperation.and(root, other.root, MAX_RANGES));
    } catch (KeyNodeOperation.TooComplexException e) {
      return this;
    }
  }

  public KeySpace or(KeySpace other) {
    try {
      return with(KeyNodeOperation.or(root, other.root, MAX_RANGES));
    } catch (KeyNodeOperation.TooComplexException e) {
      return everywhere(layout);
    }
  }

  private KeySpace with(KeyNode newRoot) {
    return new KeySpace(layout, newRoot);
  }

  public RowKeyLayout layout() {
    return layout;
  }

  /** Whether nothing is known about any column. */
  public boolean isEverywhere() {
    return root == KeyNode.EVERYWHERE
        || (layout.buckets() > 0
            && root.column() == 0
            && root.size() == 1
            && root.child(0) == KeyNode.EVERYWHERE
            && root.range(0).equals(salts(layout)));
  }

  public boolean isNowhere() {
    return root == KeyNode.NOWHERE;
  }

  /**
   * The smallest key at or above {@code from} that is in this space, or bytes that lie at or above
   * {@code from} and not above that key; null if no key at or above {@code from} is in this space.
   *
   * <p>Takes O(columns x log ranges), for salted keys times the number of buckets.
   *
   * @param from any bytes, e.g. a region boundary; empty for the first key
   */
  public byte[] next(byte[] from) {
    if (isNowhere()) {
      return null;
    }
    KeySeek seek = new KeySeek(layout, root);
    byte[] start = from.length == 0 ? FIRST_KEY : from;
    int patience = MAX_WRONG_SALTS_PER_BUCKET * layout.buckets();
    while (seek.find(start)) {
      if (layout.isOpen() || !seek.isWhole()) {
        return atLeast(from, seek);
      }
      byte[] rowKey = seek.rowKey();
      boolean stored = KeyBytes.compare(rowKey, from) >= 0;
      if (stored && (layout.hasRightSalt(rowKey) || --patience <= 0)) {
        return rowKey;
      }
      byte[] tokens = seek.tokens();
      start = KeyBytes.append(tokens, 0);
      if (layout.endsInZeros()
          && seek.find(start)
          && Arrays.equals(seek.tokens(), withValueGoingOn(tokens))) {
        // Between the two are values that go on with zero, of any salt.
        return KeyBytes.compare(rowKey, from) >= 0 ? rowKey : from;
      }
    }
    return null;
  }

  /** The smallest tokens above {@code tokens}, of which the last one ends in a separator. */
  private static byte[] withValueGoingOn(byte[] tokens) {
    return KeyBytes.concat(Arrays.copyOf(tokens, tokens.length - 1), new byte[] {1, 0});
  }

  /**
   * What was found, unless a row key of it that is stored with some of its nulls may lie before.
   */
  private static byte[] atLeast(byte[] from, KeySeek seek) {
    byte[] rowKey = seek.rowKey();
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
