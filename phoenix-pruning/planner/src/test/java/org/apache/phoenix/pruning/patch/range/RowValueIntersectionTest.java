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
package org.apache.phoenix.pruning.patch.range;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.query.KeyRange;
import org.junit.Before;
import org.junit.Test;

public class RowValueIntersectionTest {

  private static final byte[] ONE = Bytes.toBytes(1);
  private static final byte[] THREE = Bytes.toBytes(3);
  private static final byte[] FOUR = Bytes.toBytes(4);

  private final KeyRange[] later = new KeyRange[3];
  private final RowValueIntersection intersection =
      new RowValueIntersection(new RowValueColumns(KeySchemas.of("I I I")));

  @Before
  public void restrictNoLaterColumn() {
    Arrays.fill(later, KeyRange.EVERYTHING_RANGE);
  }

  private static byte[] key(int one, int other) {
    return Bytes.add(Bytes.toBytes(one), Bytes.toBytes(other));
  }

  private static KeyRange from(byte[] lower, boolean inclusive) {
    return KeyRange.getKeyRange(lower, inclusive, KeyRange.UNBOUND, false);
  }

  private static KeyRange to(byte[] upper, boolean inclusive) {
    return KeyRange.getKeyRange(KeyRange.UNBOUND, false, upper, inclusive);
  }

  private static KeyRange point(int value) {
    return KeyRange.getKeyRange(Bytes.toBytes(value));
  }

  /** {@code (A, B) <= (2, 1) AND A < 4}, for which Phoenix drops the bound of B. */
  @Test
  public void takesTheLesserUpperBound() {
    KeyRange pair = to(key(2, 1), true);
    assertThat(intersection.intersect(0, pair, to(FOUR, false), later)).isEqualTo(pair);
    assertThat(intersection.intersect(0, to(FOUR, false), pair, later)).isEqualTo(pair);
    assertThat(later).containsOnly(KeyRange.EVERYTHING_RANGE);
    assertThat(intersection.isWider()).isFalse();
  }

  /** {@code A = 1 AND (A, B) > (1, 5)} restricts B. */
  @Test
  public void restrictsALaterColumn() {
    assertThat(intersection.intersect(0, point(1), from(key(1, 5), false), later))
        .isEqualTo(point(1));
    assertThat(later)
        .containsExactly(
            KeyRange.EVERYTHING_RANGE, from(Bytes.toBytes(5), false), KeyRange.EVERYTHING_RANGE);
    assertThat(intersection.isWider()).isFalse();
  }

  @Test
  public void findsThatNoKeyIsInBothRanges() {
    assertThat(intersection.intersect(0, to(ONE, false), from(key(1, 0), true), later))
        .isEqualTo(KeyRange.EMPTY_RANGE);
    assertThat(intersection.intersect(0, from(ONE, false), to(key(1, 9), true), later))
        .isEqualTo(KeyRange.EMPTY_RANGE);
  }

  @Test
  public void leavesRangesWithoutBoundsToPhoenix() {
    assertThat(intersection.intersect(0, KeyRange.EVERYTHING_RANGE, point(1), later))
        .isEqualTo(point(1));
    assertThat(intersection.intersect(0, KeyRange.EMPTY_RANGE, point(1), later))
        .isEqualTo(KeyRange.EMPTY_RANGE);
  }

  /** {@code (A, B) BETWEEN (1, 5) AND (3, 7)} with another condition on B. */
  @Test
  public void cutsBoundsThatALaterColumnExcludes() {
    KeyRange pairs = KeyRange.getKeyRange(key(1, 5), true, key(3, 7), true);
    assertThat(intersection.intersectLater(0, pairs, point(6), 1))
        .isEqualTo(KeyRange.getKeyRange(ONE, true, THREE, true));
    assertThat(intersection.intersectLater(0, pairs, point(4), 1))
        .isEqualTo(KeyRange.getKeyRange(ONE, false, THREE, true));
    assertThat(intersection.intersectLater(0, pairs, point(8), 1))
        .isEqualTo(KeyRange.getKeyRange(ONE, true, THREE, false));
    assertThat(intersection.intersectLater(0, pairs, KeyRange.EVERYTHING_RANGE, 1)).isSameAs(pairs);
    assertThat(intersection.isWider()).isFalse();
  }

  @Test
  public void dropsASingleKeyThatALaterColumnExcludes() {
    KeyRange pair = KeyRange.getKeyRange(key(1, 5));
    assertThat(intersection.intersectLater(0, pair, point(5), 1)).isSameAs(pair);
    assertThat(intersection.intersectLater(0, pair, point(6), 1)).isEqualTo(KeyRange.EMPTY_RANGE);
  }
}
