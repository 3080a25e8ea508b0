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

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.Test;

public class KeySpaceTest {

  private static final KeyColumn A = KeyColumn.fixed("A", 4, false);
  private static final KeyColumn B = KeyColumn.fixed("B", 4, false);
  private static final RowKeyLayout LAYOUT = RowKeyLayout.of(A, B);

  @Test
  public void combinesWithEverywhereAndNowhere() {
    KeySpace everywhere = KeySpace.everywhere(LAYOUT);
    KeySpace nowhere = KeySpace.nowhere(LAYOUT);
    KeySpace some = in(LAYOUT, 0, 5);
    assertThat(everywhere).hasToString("*");
    assertThat(nowhere.isNowhere()).isTrue();
    assertThat(nowhere.next(new byte[0])).isNull();
    assertThat(some.and(nowhere).isNowhere()).isTrue();
    assertThat(some.or(everywhere)).hasToString("*");
    assertThat(some.and(everywhere)).hasToString(some.toString());
    assertThat(some.or(nowhere)).hasToString(some.toString());
    assertThat(some).doesNotHaveToString("*");
    assertThat(some.isNowhere()).isFalse();
  }

  @Test
  public void rangesThatMeetAreOne() {
    ValueRange upTo5 = ValueRange.below(ValueBound.after(integer(5)));
    ValueRange below5 = ValueRange.below(ValueBound.before(integer(5)));
    ValueRange from6 = ValueRange.above(ValueBound.before(integer(6)));
    ValueRange above5 = ValueRange.above(ValueBound.after(integer(5)));
    for (boolean descending : new boolean[] {false, true}) {
      RowKeyLayout layout = RowKeyLayout.of(KeyColumn.fixed("A", 4, descending));
      assertThat(KeySpace.of(layout, 0, List.of(upTo5, above5))).as("%s", layout).hasToString("*");
      assertThat(KeySpace.of(layout, 0, List.of(from6, upTo5))).as("%s", layout).hasToString("*");
      assertThat(KeySpace.of(layout, 0, List.of(below5, above5)))
          .as("%s", layout)
          .doesNotHaveToString("*");
      assertThat(KeySpace.of(layout, 0, List.of(upTo5)).or(KeySpace.of(layout, 0, List.of(from6))))
          .as("%s", layout)
          .hasToString("*");
    }
  }

  @Test
  public void nullOrNotNullIsEverywhere() {
    for (KeyColumn column :
        List.of(
            KeyColumn.variable("A", false, true),
            KeyColumn.variable("A", true, true),
            KeyColumn.trailingBinary("A", true))) {
      RowKeyLayout layout = RowKeyLayout.of(column);
      KeySpace isNull = KeySpace.of(layout, 0, List.of(ValueRange.NULL));
      KeySpace isNotNull = KeySpace.of(layout, 0, List.of(ValueRange.NOT_NULL));
      assertThat(isNull.or(isNotNull)).as("%s", column).hasToString("*");
      assertThat(isNull.and(isNotNull).isNowhere()).as("%s", column).isTrue();
    }
  }

  @Test
  public void includesEachSaltOfASaltedTable() {
    for (int buckets : new int[] {1, 2, 127, 128, 255, 256}) {
      RowKeyLayout layout = RowKeyLayout.salted(List.of(A, B), buckets, (key, from, size) -> 0);
      String everywhere = KeySpace.everywhere(layout).toString();
      assertThat(in(layout, 0, 5)).as("%s", buckets).doesNotHaveToString(everywhere);
      assertThat(KeySpace.nowhere(layout)).as("%s", buckets).doesNotHaveToString(everywhere);
      assertThat(in(layout, 0, 5).and(in(layout, 0, 6)).isNowhere()).as("%s", buckets).isTrue();
      byte[] behind = {(byte) buckets};
      byte[] next = KeySpace.everywhere(layout).next(behind);
      assertThat(next == null).as("%s: no salt %s", buckets, buckets).isEqualTo(buckets < 256);
    }
  }

  /**
   * Values of a variable-length column have no zero byte. A bound with a zero byte is therefore
   * greater than the value before the zero byte.
   */
  @Test
  public void keepsBoundsWithAZeroByte() {
    for (boolean descending : new boolean[] {false, true}) {
      RowKeyLayout layout = RowKeyLayout.of(KeyColumn.variable("A", descending, false), B);
      byte[] bound = {'x', 0};
      String what = "descending " + descending + ": x < x00";
      assertThat(holds(layout, ValueRange.below(ValueBound.before(bound)))).as(what).isTrue();
      assertThat(holds(layout, ValueRange.below(ValueBound.after(bound)))).as(what).isTrue();
      assertThat(holds(layout, ValueRange.above(ValueBound.before(bound)))).as(what).isFalse();
      assertThat(holds(layout, ValueRange.above(ValueBound.after(bound)))).as(what).isFalse();
      assertThat(holds(layout, ValueRange.point(bound))).as(what).isFalse();
    }
  }

  private static boolean holds(RowKeyLayout layout, ValueRange range) {
    KeySpace x = KeySpace.of(layout, 0, List.of(ValueRange.point(new byte[] {'x'})));
    return !x.and(KeySpace.of(layout, 0, List.of(range))).isNowhere();
  }

  @Test
  public void unionOfTooManyRangesIsEverywhere() {
    List<KeySpace> pairs = new ArrayList<>();
    for (int i = 0; i <= RangeBudget.DEFAULT_RANGES; i++) {
      pairs.add(in(LAYOUT, 0, 2 * i).and(in(LAYOUT, 1, i)));
    }
    assertThat(KeySpace.anyOf(LAYOUT, pairs.subList(0, 1000))).doesNotHaveToString("*");
    assertThat(KeySpace.anyOf(LAYOUT, pairs)).hasToString("*");
  }

  @Test
  public void intersectionOfTooManyRangesIsOneSide() {
    List<ValueRange> many =
        IntStream.rangeClosed(0, RangeBudget.DEFAULT_RANGES)
            .mapToObj(i -> ValueRange.point(integer(2 * i)))
            .toList();
    KeySpace left = KeySpace.of(LAYOUT, 0, many);
    KeySpace both = left.and(KeySpace.of(LAYOUT, 1, List.of(ValueRange.point(integer(7)))));
    assertThat(both.next(key(3, 0))).as("that is the left side").isEqualTo(key(4, 0));
  }

  @Test
  public void allOfStaysWithinItsBudget() {
    List<KeySpace> both = List.of(in(LAYOUT, 0, 5), in(LAYOUT, 1, 7));
    RangeBudget enough = new RangeBudget(10);
    assertThat(KeySpace.allOf(LAYOUT, both, enough).next(key(5, 0))).isEqualTo(key(5, 7));
    assertThat(enough.isSpent()).isFalse();
    RangeBudget none = new RangeBudget(0);
    assertThat(none.isSpent()).as("before an operation needs a range").isFalse();
    assertThat(KeySpace.allOf(LAYOUT, both, none).next(key(5, 0))).isEqualTo(key(5, 0));
    assertThat(none.isSpent()).isTrue();
    assertThat(KeySpace.allOf(LAYOUT, List.of(), none)).hasToString("*");
  }

  @Test
  public void productTakesTheSumOfItsRanges() {
    List<ValueRange> thousand =
        IntStream.range(0, 1000).mapToObj(i -> ValueRange.point(integer(2 * i))).toList();
    KeySpace product = KeySpace.of(LAYOUT, 0, thousand).and(KeySpace.of(LAYOUT, 1, thousand));
    assertThat(product.next(key(2, 1999)))
        .as("exact, though 1,000,000 keys are more than the ranges it may have")
        .isEqualTo(key(4, 0));
  }

  @Test
  public void trailingBinaryIsTheLastColumn() {
    KeyColumn binary = KeyColumn.trailingBinary("V", true);
    assertThatThrownBy(() -> RowKeyLayout.of(binary, A))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("V can only be the last of [V, A(4) NOT NULL]");
    assertThatThrownBy(() -> RowKeyLayout.of()).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> KeyColumn.fixed("A", 0, false))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  public void printsItsRangesColumnByColumn() {
    RowKeyLayout layout =
        RowKeyLayout.of(KeyColumn.variable("A", false, false), KeyColumn.variable("B", true, true));
    KeySpace a = KeySpace.of(layout, 0, List.of(ValueRange.point("k1".getBytes(ISO_8859_1))));
    KeySpace b = KeySpace.of(layout, 1, List.of(ValueRange.NULL));
    assertThat(layout).hasToString("[A NOT NULL, B DESC]");
    assertThat(a.and(b)).hasToString("A{[k1\\x00, k1\\x01\\x00) -> B{[, \\x00\\x00)}}");
    assertThat(KeySpace.everywhere(layout)).hasToString("*");
    assertThat(KeySpace.nowhere(layout)).hasToString("nowhere");
  }

  private static KeySpace in(RowKeyLayout layout, int column, int value) {
    return KeySpace.of(layout, column, List.of(ValueRange.point(integer(value))));
  }

  private static byte[] integer(int value) {
    return ByteBuffer.allocate(4).putInt(value).array();
  }

  private static byte[] key(int a, int b) {
    return ByteBuffer.allocate(8).putInt(a).putInt(b).array();
  }
}
