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
package org.apache.phoenix.pruning.region;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.pruning.key.KeySpace;
import org.apache.phoenix.pruning.key.RowKeyLayout;
import org.apache.phoenix.pruning.key.ValueBound;
import org.apache.phoenix.pruning.key.ValueRange;

/**
 * WHERE clause that can be evaluated on values directly, and that provides the key space under
 * test.
 */
sealed interface TestPredicate {

  boolean test(byte[][] row);

  KeySpace keySpace(RowKeyLayout layout);

  /** {@code (a AND b AND ...)}. */
  record And(List<TestPredicate> parts) implements TestPredicate {
    @Override
    public boolean test(byte[][] row) {
      for (TestPredicate part : parts) {
        if (!part.test(row)) {
          return false;
        }
      }
      return true;
    }

    @Override
    public KeySpace keySpace(RowKeyLayout layout) {
      KeySpace space = KeySpace.everywhere(layout);
      for (TestPredicate part : parts) {
        space = space.and(part.keySpace(layout));
      }
      return space;
    }

    @Override
    public String toString() {
      return parts.stream().map(Object::toString).collect(Collectors.joining(" AND ", "(", ")"));
    }
  }

  /** {@code (a OR b OR ...)}. */
  record Or(List<TestPredicate> parts) implements TestPredicate {
    @Override
    public boolean test(byte[][] row) {
      for (TestPredicate part : parts) {
        if (part.test(row)) {
          return true;
        }
      }
      return false;
    }

    @Override
    public KeySpace keySpace(RowKeyLayout layout) {
      return KeySpace.anyOf(layout, parts.stream().map(part -> part.keySpace(layout)).toList());
    }

    @Override
    public String toString() {
      return parts.stream().map(Object::toString).collect(Collectors.joining(" OR ", "(", ")"));
    }
  }

  /** Condition that a column is in any of several ranges, such as a comparison, IN or BETWEEN. */
  record In(int column, List<Range> ranges) implements TestPredicate {
    @Override
    public boolean test(byte[][] row) {
      for (Range range : ranges) {
        if (range.test(row[column])) {
          return true;
        }
      }
      return false;
    }

    @Override
    public KeySpace keySpace(RowKeyLayout layout) {
      return KeySpace.of(layout, column, ranges.stream().map(Range::valueRange).toList());
    }

    @Override
    public String toString() {
      return "c" + column + " in " + ranges;
    }
  }

  /** Comparison of a column with a value. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Range(Op op, byte[] value) {

    enum Op {
      EQUAL,
      LESS,
      LESS_OR_EQUAL,
      GREATER,
      GREATER_OR_EQUAL,
      STARTS_WITH,
      IS_NULL,
      IS_NOT_NULL
    }

    boolean test(byte[] actual) {
      if (actual.length == 0) {
        return op == Op.IS_NULL;
      }
      int comparison = Bytes.compareTo(actual, value);
      return switch (op) {
        case EQUAL -> comparison == 0;
        case LESS -> comparison < 0;
        case LESS_OR_EQUAL -> comparison <= 0;
        case GREATER -> comparison > 0;
        case GREATER_OR_EQUAL -> comparison >= 0;
        case STARTS_WITH ->
            actual.length >= value.length
                && Arrays.equals(Arrays.copyOf(actual, value.length), value);
        case IS_NULL -> false;
        case IS_NOT_NULL -> true;
      };
    }

    ValueRange valueRange() {
      return switch (op) {
        case EQUAL -> ValueRange.point(value);
        case LESS -> ValueRange.below(ValueBound.before(value));
        case LESS_OR_EQUAL -> ValueRange.below(ValueBound.after(value));
        case GREATER -> ValueRange.above(ValueBound.after(value));
        case GREATER_OR_EQUAL -> ValueRange.above(ValueBound.before(value));
        case STARTS_WITH ->
            ValueRange.between(ValueBound.before(value), ValueBound.afterPrefix(value));
        case IS_NULL -> ValueRange.NULL;
        case IS_NOT_NULL -> ValueRange.NOT_NULL;
      };
    }

    @Override
    public String toString() {
      return op + " " + Bytes.toStringBinary(value);
    }
  }
}
