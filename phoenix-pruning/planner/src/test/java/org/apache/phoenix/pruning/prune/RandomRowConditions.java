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
package org.apache.phoenix.pruning.prune;

import static org.apache.phoenix.pruning.prune.RowCondition.OPERATORS;
import static org.apache.phoenix.pruning.prune.RowCondition.and;
import static org.apache.phoenix.pruning.prune.RowCondition.between;
import static org.apache.phoenix.pruning.prune.RowCondition.compare;
import static org.apache.phoenix.pruning.prune.RowCondition.in;
import static org.apache.phoenix.pruning.prune.RowCondition.isNull;
import static org.apache.phoenix.pruning.prune.RowCondition.or;
import static org.apache.phoenix.pruning.prune.RowCondition.rowIn;
import static org.apache.phoenix.pruning.prune.RowCondition.rowValue;

import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** Creates random conditions on the three key columns of a table. */
final class RandomRowConditions {

  private RandomRowConditions() {}

  /** Returns a condition with AND and OR up to {@code depth} levels deep. */
  static RowCondition condition(Random random, KeyShape shape, int depth) {
    int kind = depth == 0 ? 0 : random.nextInt(8);
    if (kind < 2) {
      return comparison(random, shape);
    }
    RowCondition one = condition(random, shape, depth - 1);
    RowCondition other = condition(random, shape, depth - 1);
    return kind < 6 ? and(one, other) : or(one, other);
  }

  private static RowCondition comparison(Random random, KeyShape shape) {
    int column = random.nextInt(3);
    String operator = OPERATORS.get(random.nextInt(OPERATORS.size()));
    int columns = 2 + random.nextInt(2);
    int from = columns == 3 ? 0 : random.nextInt(2);
    return switch (random.nextInt(6)) {
      case 5 ->
          shape.isNullable(column)
              ? isNull(column, random.nextBoolean())
              : compare(column, operator, value(random, shape, column));
      case 0 -> compare(column, operator, value(random, shape, column));
      case 1 -> in(column, values(random, shape, column, 2 + random.nextInt(3)));
      case 2 -> rowValue(operator, from, rowValues(random, shape, from, columns, 1));
      case 3 ->
          rowIn(from, columns, rowValues(random, shape, from, columns, 2 + random.nextInt(2)));
      default -> between(column, value(random, shape, column), value(random, shape, column));
    };
  }

  private static Object value(Random random, KeyShape shape, int column) {
    List<?> values = shape.values(column);
    return values.get(random.nextInt(values.size()));
  }

  private static Object[] values(Random random, KeyShape shape, int column, int count) {
    return IntStream.range(0, count).mapToObj(i -> value(random, shape, column)).toArray();
  }

  private static Object[] rowValues(
      Random random, KeyShape shape, int from, int columns, int count) {
    return IntStream.range(0, columns * count)
        .mapToObj(i -> value(random, shape, from + i % columns))
        .toArray();
  }
}
