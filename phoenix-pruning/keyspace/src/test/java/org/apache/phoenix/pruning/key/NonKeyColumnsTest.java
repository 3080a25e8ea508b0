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

import static org.apache.phoenix.pruning.key.ByteStrings.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.junit.Test;

/**
 * Compares key spaces with two non-key columns to the rows of a small grid. A cell of the grid is a
 * row (V, W, A, B). In V and W, 0 stands for null.
 */
public class NonKeyColumnsTest {

  private static final int SIZE = 5;
  private static final int CELLS = SIZE * SIZE * SIZE * SIZE;
  private static final int COLUMNS = 4;

  private static final RowKeyLayout LAYOUT =
      RowKeyLayout.of(KeyColumn.fixed("A", 1, false), KeyColumn.fixed("B", 1, false));

  /** A key space, and the cells that belong to it. */
  private record Rows(KeySpace space, IntPredicate cells) {}

  private static int value(int cell, int column) {
    int rest = cell;
    for (int i = column + 1; i < COLUMNS; i++) {
      rest /= SIZE;
    }
    return rest % SIZE;
  }

  private static Rows in(int column, int first, int last) {
    ValueRange range =
        column < 2 && last == 0
            ? ValueRange.NULL
            : ValueRange.between(ValueBound.before(bytes(first)), ValueBound.after(bytes(last)));
    List<ValueRange> ranges = List.of(range);
    return new Rows(
        column < 2
            ? KeySpace.ofNonKey(LAYOUT, column, ranges)
            : KeySpace.of(LAYOUT, column - 2, ranges),
        cell -> value(cell, column) >= first && value(cell, column) <= last);
  }

  private static Rows random(Random random, int depth) {
    if (depth == 0) {
      int column = random.nextInt(COLUMNS);
      if (column < 2 && random.nextInt(4) == 0) {
        return in(column, 0, 0);
      }
      int first = 1 + random.nextInt(SIZE - 1);
      return in(column, first, first + random.nextInt(SIZE - first));
    }
    Rows one = random(random, depth - 1);
    Rows other = random(random, depth - 1);
    return random.nextBoolean()
        ? new Rows(one.space().and(other.space()), one.cells().and(other.cells()))
        : new Rows(one.space().or(other.space()), one.cells().or(other.cells()));
  }

  @Test
  public void keysAreThoseOfTheRows() {
    Random random = new Random(7);
    for (int i = 0; i < 1_000; i++) {
      Rows rows = random(random, 1 + random.nextInt(4));
      KeySpace keys = rows.space().keys(new RangeBudget(1_000_000));
      for (int a = 0; a < SIZE; a++) {
        for (int b = 0; b < SIZE; b++) {
          int key = a * SIZE + b;
          boolean isExpected =
              IntStream.range(0, CELLS)
                  .filter(cell -> cell % (SIZE * SIZE) == key)
                  .anyMatch(rows.cells());
          assertThat(Arrays.equals(keys.next(bytes(a, b)), bytes(a, b)))
              .as("%s at %s, %s", rows.space(), a, b)
              .isEqualTo(isExpected);
        }
      }
    }
  }

  @Test
  public void valuesAreThoseOfTheRows() {
    Random random = new Random(8);
    int limited = 0;
    for (int i = 0; i < 1_000; i++) {
      Rows rows = random(random, 1 + random.nextInt(4));
      for (int column = 0; column < 2; column++) {
        List<ValueRange> values = rows.space().valuesOfNonKey(column);
        limited += values == null ? 0 : 1;
        for (int value = 0; value < SIZE; value++) {
          int wanted = value;
          int of = column;
          boolean isExpected =
              IntStream.range(0, CELLS)
                  .filter(cell -> value(cell, of) == wanted)
                  .anyMatch(rows.cells());
          assertThat(values == null || values.stream().anyMatch(range -> holds(range, wanted)))
              .as("%s of %s in %s: %s", value, column, rows.space(), values)
              .isEqualTo(values == null || isExpected);
        }
      }
    }
    assertThat(limited).isGreaterThan(200);
  }

  private static KeySpace nonKey(int index, ValueRange... values) {
    return KeySpace.ofNonKey(LAYOUT, index, List.of(values));
  }

  @Test
  public void valuesAreDisjointRanges() {
    ValueRange one = ValueRange.between(ValueBound.before(bytes(1)), ValueBound.before(bytes(2)));
    ValueRange four = ValueRange.between(ValueBound.before(bytes(4)), ValueBound.before(bytes(5)));
    KeySpace rows = nonKey(0, one, four).and(nonKey(1, ValueRange.NULL));
    assertThat(rows.valuesOfNonKey(0)).hasToString("[" + one + ", " + four + "]");
    assertThat(rows.valuesOfNonKey(1)).as("of both ranges").containsExactly(ValueRange.NULL);
    assertThat(nonKey(0, one, ValueRange.NULL).valuesOfNonKey(0))
        .hasToString("[null, " + one + "]");
    assertThat(nonKey(1, one).valuesOfNonKey(0)).as("any value").isNull();
    assertThat(nonKey(1, ValueRange.NOT_NULL).valuesOfNonKey(1))
        .hasSize(1)
        .noneMatch(ValueRange::isNull);
    assertThat(KeySpace.nowhere(LAYOUT).valuesOfNonKey(0)).isEmpty();
    assertThat(KeySpace.everywhere(LAYOUT).valuesOfNonKey(0)).isNull();
  }

  private static boolean holds(ValueRange range, int value) {
    if (value == 0 || range.isNull()) {
      return value == 0 && range.isNull();
    }
    ValueBound lower = range.lower();
    ValueBound upper = range.upper();
    return (lower == null || KeyBytes.compare(lower.bytes(), bytes(value)) <= 0)
        && (upper == null || KeyBytes.compare(bytes(value), upper.bytes()) < 0);
  }

  @Test
  public void aSpentBudgetGivesAllKeys() {
    KeySpace rows = KeySpace.nowhere(LAYOUT);
    for (int i = 1; i < 100; i++) {
      rows = rows.or(in(0, i, i).space().and(in(2, i, i).space()));
    }
    RangeBudget budget = new RangeBudget(50);
    assertThat(rows.keys(budget)).hasToString("*");
    assertThat(budget.isSpent()).isTrue();
    assertThat(rows.keys(new RangeBudget(10_000))).doesNotHaveToString("*");
  }

  @Test
  public void comesBeforeTheSalt() {
    RowKeyLayout layout =
        RowKeyLayout.salted(List.of(KeyColumn.fixed("A", 1, false)), 3, (key, from, size) -> 2);
    KeySpace five = KeySpace.of(layout, 0, List.of(ValueRange.point(bytes(5))));
    KeySpace rows = KeySpace.ofNonKey(layout, 0, List.of(ValueRange.point(bytes(1)))).and(five);
    assertThat(rows)
        .hasToString(
            "non-key column 0{[\\x01, \\x01\\x00) -> _SALT{[, \\x03) -> A{[\\x05, \\x06)}}}");
    assertThat(rows.keys(new RangeBudget(100)).next(bytes(0))).isEqualTo(bytes(2, 5));
  }
}
