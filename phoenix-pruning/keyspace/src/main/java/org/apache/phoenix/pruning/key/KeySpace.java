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
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
 * create more than {@value RangeBudget#DEFAULT_RANGES} ranges, AND returns one of its sides, and OR
 * returns all keys.
 *
 * <p>A space can also limit non-key columns: columns of a row that are not part of its key. Such a
 * space is a set of rows. The diagram has the non-key columns before the key columns. {@link #keys}
 * returns the keys of the rows. So {@code V = 2 AND (V > 2 OR K > 85)} gives the keys above 85.
 */
public final class KeySpace {

  /**
   * Maximum number of consecutive keys with the wrong salt, per bucket. After that, a key is
   * returned even if its salt is wrong.
   */
  private static final int MAX_WRONG_SALTS_PER_BUCKET = 16;

  /** Encoding of all non-key columns: bytes of any length, or null. */
  private static final KeyColumn NON_KEY = KeyColumn.trailingBinary("non-key column", true);

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
    return of(layout, column, layout.column(column), values);
  }

  /**
   * Returns the rows whose non-key column has a value in one of {@code values}.
   *
   * @param index number of the non-key column, 0 or greater
   * @param values ranges in any order, which may overlap
   */
  public static KeySpace ofNonKey(RowKeyLayout layout, int index, Collection<ValueRange> values) {
    return of(layout, nonKey(index), NON_KEY, values);
  }

  /** Returns the position of a non-key column in diagrams, which is before all key columns. */
  private static int nonKey(int index) {
    return -1 - index;
  }

  private static KeySpace of(
      RowKeyLayout layout, int column, KeyColumn encoding, Collection<ValueRange> values) {
    TokenRangeEncoder encoder = new TokenRangeEncoder(encoding);
    List<ByteRange> tokens = new ArrayList<>(values.size());
    for (ValueRange value : values) {
      ByteRange range = encoder.encode(value);
      if (range != null) {
        tokens.add(range);
      }
    }
    List<ByteRange> disjoint = disjoint(tokens);
    KeyNode node =
        KeyNode.of(column, disjoint, Collections.nCopies(disjoint.size(), KeyNode.EVERYWHERE));
    return everywhere(layout).and(new KeySpace(layout, node));
  }

  /** Returns the union of {@code ranges} as disjoint ranges in order. Sorts {@code ranges}. */
  private static List<ByteRange> disjoint(List<ByteRange> ranges) {
    ranges.sort(Comparator.comparing(ByteRange::lower, KeyBytes::compare));
    List<ByteRange> disjoint = new ArrayList<>(ranges.size());
    for (ByteRange range : ranges) {
      int last = disjoint.size() - 1;
      ByteRange previous = last < 0 ? null : disjoint.get(last);
      if (previous == null || KeyBytes.compareEnds(range.lower(), previous.upper()) > 0) {
        disjoint.add(range);
      } else if (KeyBytes.compareEnds(range.upper(), previous.upper()) > 0) {
        disjoint.set(last, ByteRange.of(previous.lower(), range.upper()));
      }
    }
    return disjoint;
  }

  /** Returns the union of {@code spaces}, or no keys if the list is empty. */
  public static KeySpace anyOf(RowKeyLayout layout, List<KeySpace> spaces) {
    return spaces.isEmpty() ? nowhere(layout) : reduce(spaces, KeySpace::or);
  }

  /** Returns the union of {@code spaces}, as {@link #anyOf(RowKeyLayout, List)} within a budget. */
  public static KeySpace anyOf(RowKeyLayout layout, List<KeySpace> spaces, RangeBudget budget) {
    return spaces.isEmpty()
        ? nowhere(layout)
        : reduce(spaces, (one, other) -> one.or(other, budget));
  }

  /** Returns the intersection of {@code spaces}, or all keys if the list is empty. */
  public static KeySpace allOf(RowKeyLayout layout, List<KeySpace> spaces) {
    return spaces.isEmpty() ? everywhere(layout) : reduce(spaces, KeySpace::and);
  }

  /**
   * Returns the intersection of {@code spaces}, as {@link #allOf(RowKeyLayout, List)} within a
   * budget.
   */
  public static KeySpace allOf(RowKeyLayout layout, List<KeySpace> spaces, RangeBudget budget) {
    return spaces.isEmpty()
        ? everywhere(layout)
        : reduce(spaces, (one, other) -> one.and(other, budget));
  }

  /**
   * Combines the spaces by recursive halving, because the time of each step grows with the number
   * of ranges of its operands.
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
    return and(other, new RangeBudget());
  }

  /** Returns the intersection, or this space if {@code budget} is spent. */
  public KeySpace and(KeySpace other, RangeBudget budget) {
    try {
      return withRoot(KeySpaceOperation.and(root, other.root, budget));
    } catch (KeySpaceOperation.TooComplexException e) {
      return this;
    }
  }

  public KeySpace or(KeySpace other) {
    return or(other, new RangeBudget());
  }

  /** Returns the union, or all keys if {@code budget} is spent. */
  public KeySpace or(KeySpace other, RangeBudget budget) {
    try {
      return withRoot(KeySpaceOperation.or(root, other.root, budget));
    } catch (KeySpaceOperation.TooComplexException e) {
      return everywhere(layout);
    }
  }

  /** Returns the keys of the rows in this space: a space without non-key columns. */
  public KeySpace keys(RangeBudget budget) {
    return root.column() >= 0 ? this : keys(root, new IdentityHashMap<>(), budget);
  }

  private KeySpace keys(KeyNode node, Map<KeyNode, KeySpace> known, RangeBudget budget) {
    if (node.column() >= 0) {
      return withRoot(node);
    }
    KeySpace keys = known.get(node);
    if (keys == null) {
      // Many ranges can share a child.
      Set<KeyNode> children = Collections.newSetFromMap(new IdentityHashMap<>());
      List<KeySpace> spaces = new ArrayList<>();
      for (int i = 0; i < node.size(); i++) {
        if (children.add(node.child(i))) {
          spaces.add(keys(node.child(i), known, budget));
        }
      }
      keys = anyOf(layout, spaces, budget);
      known.put(node, keys);
    }
    return keys;
  }

  /**
   * Returns the values that a non-key column has in the rows of this space. The ranges are disjoint
   * and in order. The first range is {@link ValueRange#NULL} if the column can be null. Returns
   * null if the column may have any value.
   *
   * @param index number of the non-key column, 0 or greater
   */
  public @Nullable List<ValueRange> valuesOfNonKey(int index) {
    List<ByteRange> tokens = new ArrayList<>();
    if (!addTokens(
        root, nonKey(index), tokens, Collections.newSetFromMap(new IdentityHashMap<>()))) {
      return null;
    }
    byte[] first = NON_KEY.smallestValue();
    List<ValueRange> values = new ArrayList<>();
    for (ByteRange range : disjoint(tokens)) {
      byte[] lower = range.lower();
      if (KeyBytes.compare(lower, first) < 0) {
        values.add(ValueRange.NULL);
        lower = first;
      }
      byte[] upper = range.upper();
      if (KeyBytes.compareEnds(lower, upper) < 0) {
        values.add(
            ValueRange.between(
                ValueBound.before(lower), upper == null ? null : ValueBound.before(upper)));
      }
    }
    return values;
  }

  /** Adds the tokens of a column. Returns false if some row may have any value in the column. */
  private static boolean addTokens(
      KeyNode node, int column, List<ByteRange> tokens, Set<KeyNode> visited) {
    if (node == KeyNode.NOWHERE || !visited.add(node)) {
      return true;
    }
    if (node.column() > column) {
      return false;
    }
    for (int i = 0; i < node.size(); i++) {
      if (node.column() == column) {
        tokens.add(node.range(i));
      } else if (!addTokens(node.child(i), column, tokens, visited)) {
        return false;
      }
    }
    return true;
  }

  private KeySpace withRoot(KeyNode newRoot) {
    return new KeySpace(layout, newRoot);
  }

  public RowKeyLayout layout() {
    return layout;
  }

  public boolean isNowhere() {
    return root == KeyNode.NOWHERE;
  }

  /**
   * Returns the smallest key at or above {@code from} in this space, or null if there is none. The
   * result can also be other bytes between {@code from} and that key, both inclusive.
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
    text.append(
            node.column() < 0
                ? NON_KEY.name() + ' ' + nonKey(node.column())
                : layout.column(node.column()).name())
        .append('{');
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
