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
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.Test;

/** Compares AND and OR of key spaces with the keys of a small grid. */
public class KeySpaceAlgebraTest {

  private static final int SIZE = 5;

  private static final RowKeyLayout LAYOUT =
      RowKeyLayout.of(KeyColumn.fixed("A", 1, false), KeyColumn.fixed("B", 1, false));

  private static KeySpace in(int column, int first, int last) {
    return KeySpace.of(
        LAYOUT,
        column,
        List.of(
            ValueRange.between(ValueBound.before(bytes(first)), ValueBound.after(bytes(last)))));
  }

  /** Returns a rectangle of the grid. A side may be as long as the grid. */
  private static KeySpace rectangle(Random random) {
    KeySpace space = KeySpace.everywhere(LAYOUT);
    for (int column = 0; column < 2; column++) {
      if (random.nextInt(4) > 0) {
        int first = random.nextInt(SIZE);
        space = space.and(in(column, first, first + random.nextInt(SIZE - first)));
      }
    }
    return space;
  }

  private static boolean[] cells(KeySpace space) {
    boolean[] cells = new boolean[SIZE * SIZE];
    for (int a = 0; a < SIZE; a++) {
      for (int b = 0; b < SIZE; b++) {
        cells[a * SIZE + b] = Arrays.equals(space.next(bytes(a, b)), bytes(a, b));
      }
    }
    return cells;
  }

  @Test
  public void andIsTheIntersectionAndOrTheUnion() {
    Random random = new Random(3);
    for (int i = 0; i < 500; i++) {
      KeySpace left = rectangle(random).or(rectangle(random));
      KeySpace right = rectangle(random).or(rectangle(random));
      boolean[] inLeft = cells(left);
      boolean[] inRight = cells(right);
      boolean[] both = cells(left.and(right));
      boolean[] either = cells(left.or(right));
      for (int cell = 0; cell < inLeft.length; cell++) {
        assertThat(both[cell])
            .as("%s and %s at %s", left, right, cell)
            .isEqualTo(inLeft[cell] && inRight[cell]);
        assertThat(either[cell])
            .as("%s or %s at %s", left, right, cell)
            .isEqualTo(inLeft[cell] || inRight[cell]);
      }
      assertThat(left.and(right))
          .as("%s and %s", left, right)
          .hasToString(right.and(left).toString());
      assertThat(left.or(right)).as("%s or %s", left, right).hasToString(right.or(left).toString());
    }
  }

  @Test
  public void adjacentRangesWithTheSameContinuationAreOne() {
    KeySpace row = in(1, 3, 3);
    KeySpace parts = in(0, 0, 1).and(row).or(in(0, 2, 3).and(row));
    assertThat(parts).hasToString(in(0, 0, 1).or(in(0, 2, 3)).and(row).toString());
    assertThat(in(0, 0, 1).or(in(0, 2, 3))).hasToString("A{[, \\x04)}");
    assertThat(in(0, 0, 1).or(in(0, 3, 3))).hasToString("A{[, \\x02), [\\x03, \\x04)}");
    assertThat(in(0, 1, 1).and(row).or(in(0, 2, 2)))
        .hasToString("A{[\\x01, \\x02) -> B{[\\x03, \\x04)}, [\\x02, \\x03)}");
  }

  @Test
  public void overlappingRangesOfOneColumnAreOne() {
    List<ValueRange> ranges =
        List.of(
            ValueRange.between(ValueBound.before(bytes(5)), ValueBound.after(bytes(9))),
            ValueRange.between(ValueBound.before(bytes(1)), ValueBound.after(bytes(6))),
            ValueRange.between(ValueBound.before(bytes(2)), ValueBound.after(bytes(3))),
            ValueRange.between(ValueBound.after(bytes(9)), ValueBound.after(bytes(10))),
            ValueRange.point(bytes(12)),
            ValueRange.between(ValueBound.before(bytes(8)), ValueBound.before(bytes(7))));
    assertThat(KeySpace.of(LAYOUT, 0, ranges)).hasToString("A{[\\x01, \\x0B), [\\x0C, \\x0D)}");
  }

  @Test
  public void allOfAndAnyOfCombineEachSpaceOnce() {
    List<KeySpace> spaces = List.of(in(0, 0, 3), in(0, 2, 4), in(1, 1, 1));
    assertThat(KeySpace.allOf(LAYOUT, spaces))
        .hasToString("A{[\\x02, \\x04) -> B{[\\x01, \\x02)}}");
    assertThat(KeySpace.allOf(LAYOUT, spaces.subList(1, 2))).isSameAs(spaces.get(1));
    assertThat(KeySpace.allOf(LAYOUT, List.of())).hasToString("*");
    assertThat(KeySpace.anyOf(LAYOUT, spaces.subList(0, 2))).hasToString("A{[, \\x05)}");
    assertThat(KeySpace.anyOf(LAYOUT, List.of()).isNowhere()).isTrue();
  }

  @Test
  public void keepsItsLayout() {
    assertThat(in(0, 0, 3).and(in(1, 1, 1)).layout()).isSameAs(LAYOUT);
    assertThat(KeySpace.nowhere(LAYOUT).layout()).isSameAs(LAYOUT);
  }

  // Budget

  /** Returns a node of {@code column} with single bytes, all with the same child. */
  private static KeyNode node(int column, KeyNode child, int... values) {
    List<ByteRange> ranges = new ArrayList<>();
    for (int value : values) {
      ranges.add(ByteRange.of(bytes(value), bytes(value + 1)));
    }
    return KeyNode.of(column, ranges, Collections.nCopies(values.length, child));
  }

  @Test
  public void aResultMayHaveAsManyRangesAsAllowed() throws Exception {
    KeyNode left = node(0, KeyNode.EVERYWHERE, 1, 3, 5);
    KeyNode right = node(0, KeyNode.EVERYWHERE, 3, 5, 7);
    assertThat(KeySpaceOperation.and(left, right, new RangeBudget(2)).size()).isEqualTo(2);
    assertThatThrownBy(() -> KeySpaceOperation.and(left, right, new RangeBudget(1)))
        .isInstanceOf(KeySpaceOperation.TooComplexException.class);
    assertThat(KeySpaceOperation.or(left, right, new RangeBudget(4)).size()).isEqualTo(4);
    assertThatThrownBy(() -> KeySpaceOperation.or(left, right, new RangeBudget(3)))
        .isInstanceOf(KeySpaceOperation.TooComplexException.class);
  }

  @Test
  public void aPairOfNodesIsCombinedOnce() throws Exception {
    KeyNode left = node(0, node(1, KeyNode.EVERYWHERE, 1, 3), 1, 3, 5);
    KeyNode right = node(1, KeyNode.EVERYWHERE, 1, 3, 5);
    KeyNode both = KeySpaceOperation.and(left, right, new RangeBudget(3 + 2));
    assertThat(both.size()).isEqualTo(3);
    assertThat(both.child(0)).isSameAs(both.child(1)).isSameAs(both.child(2));
    assertThat(both.child(0).size()).isEqualTo(2);
  }
}
