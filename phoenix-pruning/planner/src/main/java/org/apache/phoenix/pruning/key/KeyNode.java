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
 * A node of the decision diagram that a {@link KeySpace} is: for the tokens of one column, disjoint
 * ranges in key order, and for each what the later columns may be. Columns that a path skips may be
 * anything.
 */
final class KeyNode {

  /** Anything may follow. */
  static final KeyNode EVERYWHERE = new KeyNode(Integer.MAX_VALUE, new ByteRange[0], null);

  /** Nothing may follow. */
  static final KeyNode NOWHERE = new KeyNode(Integer.MAX_VALUE, new ByteRange[0], null);

  private static final ByteRange ALL_TOKENS = ByteRange.of(KeyBytes.EMPTY, null);

  private final int column;
  private final ByteRange[] ranges;
  private final KeyNode[] children;

  private KeyNode(int column, ByteRange[] ranges, KeyNode[] children) {
    this.column = column;
    this.ranges = ranges;
    this.children = children;
  }

  /** The node for ranges in key order, disjoint, none with the child NOWHERE. */
  static KeyNode of(int column, List<ByteRange> ranges, List<KeyNode> children) {
    if (ranges.isEmpty()) {
      return NOWHERE;
    }
    if (ranges.size() == 1 && ranges.get(0).equals(ALL_TOKENS)) {
      return children.get(0);
    }
    return new KeyNode(column, ranges.toArray(new ByteRange[0]), children.toArray(new KeyNode[0]));
  }

  /** This node seen from an earlier column: whatever that is, this follows. */
  KeyNode from(int earlierColumn) {
    return new KeyNode(earlierColumn, new ByteRange[] {ALL_TOKENS}, new KeyNode[] {this});
  }

  boolean isTerminal() {
    return children == null;
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

  /** What may follow {@code token}. */
  KeyNode follow(byte[] token) {
    int index = firstEndingAfter(token);
    return index < ranges.length && ranges[index].contains(token) ? children[index] : NOWHERE;
  }

  /** The index of the first range with an upper bound above {@code bytes}. */
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
