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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Computes AND or OR of two decision diagrams. Each pair of nodes is combined only once. The time
 * and space are O(product of the sizes) at worst, and O(sum) for typical WHERE clauses.
 *
 * <p>Source of the idea: R. E. Bryant, "Graph-Based Algorithms for Boolean Function Manipulation",
 * IEEE Transactions on Computers 35(8), 1986. This class uses intervals instead of 0 and 1.
 */
final class KeySpaceOperation {

  /** Thrown if the result would have too many ranges. */
  static final class TooComplexException extends Exception {
    private static final long serialVersionUID = 1L;

    TooComplexException() {
      super(null, null, false, false);
    }
  }

  private enum Operator {
    AND,
    OR
  }

  private final Operator operator;
  private final Map<Pair, KeyNode> results = new HashMap<>();
  private final RangeBudget budget;

  private KeySpaceOperation(Operator operator, RangeBudget budget) {
    this.operator = operator;
    this.budget = budget;
  }

  static KeyNode and(KeyNode left, KeyNode right, RangeBudget budget) throws TooComplexException {
    return new KeySpaceOperation(Operator.AND, budget).combine(left, right);
  }

  static KeyNode or(KeyNode left, KeyNode right, RangeBudget budget) throws TooComplexException {
    return new KeySpaceOperation(Operator.OR, budget).combine(left, right);
  }

  private KeyNode combine(KeyNode left, KeyNode right) throws TooComplexException {
    if (left == right) {
      return left;
    }
    KeyNode absorbing = operator == Operator.AND ? KeyNode.NOWHERE : KeyNode.EVERYWHERE;
    if (left == absorbing || right == absorbing) {
      return absorbing;
    }
    if (left.isTerminal()) {
      return right;
    }
    if (right.isTerminal()) {
      return left;
    }
    Pair pair = new Pair(left, right);
    KeyNode result = results.get(pair);
    if (result == null) {
      int column = Math.min(left.column(), right.column());
      KeyNode alignedLeft = left.column() == column ? left : left.withEarlierColumn(column);
      KeyNode alignedRight = right.column() == column ? right : right.withEarlierColumn(column);
      Ranges ranges = new Ranges();
      if (operator == Operator.AND) {
        intersect(alignedLeft, alignedRight, ranges);
      } else {
        unite(alignedLeft, alignedRight, ranges);
      }
      result = KeyNode.of(column, ranges.ranges, ranges.children);
      results.put(pair, result);
    }
    return result;
  }

  private void intersect(KeyNode left, KeyNode right, Ranges result) throws TooComplexException {
    int i = 0;
    int j = 0;
    while (i < left.size() && j < right.size()) {
      ByteRange a = left.range(i);
      ByteRange b = right.range(j);
      byte[] lower = KeyBytes.compare(a.lower(), b.lower()) >= 0 ? a.lower() : b.lower();
      int endOrder = KeyBytes.compareEnds(a.upper(), b.upper());
      byte[] upper = endOrder <= 0 ? a.upper() : b.upper();
      if (KeyBytes.compareEnds(lower, upper) >= 0) {
        // Skips all ranges that end before the other side begins.
        if (endOrder < 0) {
          i = left.firstEndingAfter(b.lower());
        } else {
          j = right.firstEndingAfter(a.lower());
        }
        continue;
      }
      result.add(lower, upper, combine(left.child(i), right.child(j)));
      if (endOrder <= 0) {
        i++;
      }
      if (endOrder >= 0) {
        j++;
      }
    }
  }

  private void unite(KeyNode left, KeyNode right, Ranges result) throws TooComplexException {
    int i = 0;
    int j = 0;
    byte[] from = KeyBytes.EMPTY;
    while (i < left.size() && j < right.size()) {
      ByteRange a = left.range(i);
      ByteRange b = right.range(j);
      byte[] startA = max(from, a.lower());
      byte[] startB = max(from, b.lower());
      int startOrder = KeyBytes.compare(startA, startB);
      if (startOrder == 0) {
        int endOrder = KeyBytes.compareEnds(a.upper(), b.upper());
        byte[] upper = endOrder <= 0 ? a.upper() : b.upper();
        result.add(startA, upper, combine(left.child(i), right.child(j)));
        if (upper == null) {
          // Both ranges have no end, so no range follows.
          return;
        }
        from = upper;
        i += endOrder <= 0 ? 1 : 0;
        j += endOrder >= 0 ? 1 : 0;
      } else if (startOrder < 0) {
        from = endOrStart(a.upper(), startB);
        result.add(startA, from, left.child(i));
        i += KeyBytes.compareEnds(a.upper(), from) == 0 ? 1 : 0;
      } else {
        from = endOrStart(b.upper(), startA);
        result.add(startB, from, right.child(j));
        j += KeyBytes.compareEnds(b.upper(), from) == 0 ? 1 : 0;
      }
    }
    addRest(left, i, from, result);
    addRest(right, j, from, result);
  }

  /** Adds the ranges at index {@code first} and later, without their parts below {@code from}. */
  private static void addRest(KeyNode node, int first, byte[] from, Ranges result)
      throws TooComplexException {
    for (int i = first; i < node.size(); i++) {
      ByteRange range = node.range(i);
      result.add(max(from, range.lower()), range.upper(), node.child(i));
    }
  }

  /** Returns the smaller of an exclusive end and a start. Returns the start if the end is null. */
  private static byte[] endOrStart(byte @Nullable [] end, byte[] start) {
    return end != null && KeyBytes.compare(end, start) <= 0 ? end : start;
  }

  private static byte[] max(byte[] left, byte[] right) {
    return KeyBytes.compare(left, right) >= 0 ? left : right;
  }

  /** Ranges in key order. Adjacent ranges with the same child are merged. */
  private final class Ranges {
    private final List<ByteRange> ranges = new ArrayList<>();
    private final List<KeyNode> children = new ArrayList<>();

    void add(byte[] lower, byte @Nullable [] upper, KeyNode child) throws TooComplexException {
      if (child == KeyNode.NOWHERE) {
        return;
      }
      int last = ranges.size() - 1;
      if (last >= 0
          && children.get(last) == child
          && KeyBytes.compareEnds(ranges.get(last).upper(), lower) == 0) {
        ranges.set(last, ByteRange.of(ranges.get(last).lower(), upper));
        return;
      }
      if (!budget.spend()) {
        throw new TooComplexException();
      }
      ranges.add(ByteRange.of(lower, upper));
      children.add(child);
    }
  }

  /** Two nodes, compared by identity. */
  private static final class Pair {
    private final KeyNode left;
    private final KeyNode right;

    Pair(KeyNode left, KeyNode right) {
      this.left = left;
      this.right = right;
    }

    @Override
    @SuppressWarnings("ReferenceEquality")
    public boolean equals(Object other) {
      return other instanceof Pair && left == ((Pair) other).left && right == ((Pair) other).right;
    }

    @Override
    public int hashCode() {
      return 31 * System.identityHashCode(left) + System.identityHashCode(right);
    }
  }
}
