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

import java.util.List;

/**
 * Node of the decision diagram of a {@link KeySpace}. A node has disjoint ranges of tokens of one
 * column, in key order. For each range, a child node defines the values of the later columns.
 * Columns that a path skips may have any value.
 */
final class KeyNode {

  /** Allows any values of the later columns. */
  static final KeyNode EVERYWHERE = terminal();

  /** Allows no values of the later columns. */
  static final KeyNode NOWHERE = terminal();

  private static final ByteRange ALL_TOKENS = ByteRange.of(KeyBytes.EMPTY, null);

  private final int column;
  private final ByteRange[] ranges;
  private final KeyNode[] children;

  private KeyNode(int column, ByteRange[] ranges, KeyNode[] children) {
    this.column = column;
    this.ranges = ranges;
    this.children = children;
  }

  private static KeyNode terminal() {
    return new KeyNode(Integer.MAX_VALUE, new ByteRange[0], new KeyNode[0]);
  }

  /** Returns a node for disjoint ranges in key order. No child may be {@link #NOWHERE}. */
  static KeyNode of(int column, List<ByteRange> ranges, List<KeyNode> children) {
    if (ranges.isEmpty()) {
      return NOWHERE;
    }
    if (ranges.size() == 1 && ranges.get(0).equals(ALL_TOKENS)) {
      return children.get(0);
    }
    return new KeyNode(column, ranges.toArray(new ByteRange[0]), children.toArray(new KeyNode[0]));
  }

  /** Returns a node of an earlier column that allows any value and continues with this node. */
  KeyNode withEarlierColumn(int earlierColumn) {
    return new KeyNode(earlierColumn, new ByteRange[] {ALL_TOKENS}, new KeyNode[] {this});
  }

  /** Returns whether this node is {@link #EVERYWHERE} or {@link #NOWHERE}. */
  boolean isTerminal() {
    return ranges.length == 0;
  }

  int column() {
    return column;
  }

  int size() {
    return ranges.length;
  }

  ByteRange range(int index) {
    return ranges[index];
  }

  KeyNode child(int index) {
    return children[index];
  }

  /** Returns the node for the columns after {@code token}. */
  KeyNode childFor(byte[] token) {
    int index = firstEndingAfter(token);
    return index < ranges.length && ranges[index].contains(token) ? children[index] : NOWHERE;
  }

  /** Returns the index of the first range with an upper bound above {@code bytes}. */
  int firstEndingAfter(byte[] bytes) {
    int low = 0;
    int high = ranges.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (KeyBytes.compareEnds(ranges[middle].upper(), bytes) > 0) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }
}
