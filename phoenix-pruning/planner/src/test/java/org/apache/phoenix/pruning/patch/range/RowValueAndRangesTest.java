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
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.query.KeyRange;
import org.junit.Test;

public class RowValueAndRangesTest {

  private final KeyRange[] later = new KeyRange[3];
  private final RowValueAndRanges ranges =
      new RowValueAndRanges(new RowValueColumns(KeySchemas.of("I I I")));

  private static KeyRange point(int value) {
    return KeyRange.getKeyRange(Bytes.toBytes(value));
  }

  private static byte[] key(int one, int other) {
    return Bytes.add(Bytes.toBytes(one), Bytes.toBytes(other));
  }

  @Test
  public void keepsARangeThatIsCombinedWithNoOther() {
    assertThat(ranges.intersect(0, null, point(1), later)).isEqualTo(point(1));
    assertThat(ranges.intersect(0, point(1), RowValueAndRanges.ANYTHING, later))
        .isEqualTo(point(1));
    assertThat(ranges.isWider()).isFalse();
  }

  @Test
  public void isOtherThanAMissingCondition() {
    assertThat(RowValueAndRanges.ANYTHING)
        .isEqualTo(KeyRange.EVERYTHING_RANGE)
        .isNotSameAs(KeyRange.EVERYTHING_RANGE);
  }

  /** Phoenix keeps a range of a column that a trailing range excludes. */
  @Test
  public void isWiderIfATrailingRangeExcludesAll() {
    assertThat(ranges.intersect(0, point(1), point(2), later)).isEqualTo(KeyRange.EMPTY_RANGE);
    assertThat(ranges.isWider()).isFalse();
    ranges.startTrailing();
    assertThat(ranges.intersect(0, point(1), point(2), later)).isEqualTo(KeyRange.EMPTY_RANGE);
    assertThat(ranges.isWider()).isTrue();
    ranges.start();
    assertThat(ranges.isWider()).as("in the next AND").isFalse();
    ranges.startColumn();
    ranges.intersect(0, point(1), point(2), later);
    assertThat(ranges.isWider()).as("in the next column").isFalse();
  }

  @Test
  public void isWiderIfOneOfSeveralRangesIsTrimmed() {
    List<KeyRange> points = Arrays.asList(point(1), point(7));
    KeyRange range = KeyRange.getKeyRange(key(1, 1), true, key(2, 5), true);
    KeyRange from = KeyRange.getKeyRange(Bytes.toBytes(3), true, KeyRange.UNBOUND, false);
    assertThat(ranges.remaining(points)).isEqualTo(points);
    assertThat(ranges.intersectLater(0, range, from, 1))
        .isEqualTo(KeyRange.getKeyRange(Bytes.toBytes(1), true, key(2, 5), true));
    assertThat(ranges.remaining(Collections.singletonList(point(1)))).hasSize(1);
    assertThat(ranges.isWider()).as("one range").isFalse();
    ranges.intersectLater(0, range, from, 1);
    assertThat(ranges.remaining(points)).isEqualTo(points);
    assertThat(ranges.isWider()).as("two ranges").isTrue();
  }

  @Test
  public void isWiderIfTrailingRangesDiffer() {
    List<KeyRange> points = Arrays.asList(point(1), point(7));
    KeyRange[] one = {KeyRange.EVERYTHING_RANGE, point(1)};
    KeyRange[] other = {KeyRange.EVERYTHING_RANGE, point(2)};
    assertThat(ranges.normalized(points, Arrays.asList(one, one.clone()))).isEqualTo(points);
    assertThat(ranges.isWider()).isFalse();
    assertThat(ranges.normalized(points, Arrays.asList(one, other))).isEqualTo(points);
    assertThat(ranges.isWider()).isTrue();
  }
}
