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

import java.util.List;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.query.KeyRange;
import org.junit.Test;

public class RowValueNormalizerTest {

  private static final byte[] ONE = Bytes.toBytes(1);

  private static RowValueNormalizer normalizer(String schema) {
    return new RowValueNormalizer(new RowValueColumns(KeySchemas.of(schema)));
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

  @Test
  public void extendsShorterBoundsWithTheLowestValues() {
    RowValueNormalizer normalizer = normalizer("I I I");
    KeyRange longest = from(key(2, 3), true);
    assertThat(
            normalizer.toSameColumns(
                0,
                List.of(from(ONE, true), from(ONE, false), to(ONE, true), to(ONE, false), longest)))
        .containsExactly(
            from(key(1, 0), true),
            from(key(2, 0), true),
            to(key(2, 0), false),
            to(key(1, 0), false),
            longest);
    assertThat(normalizer.isWider()).isFalse();
  }

  @Test
  public void cutsLongerBoundsBeforeAColumnOfVariableWidth() {
    RowValueNormalizer normalizer = normalizer("I S I");
    List<KeyRange> ranges =
        List.of(
            KeyRange.getKeyRange(ONE, true, Bytes.toBytes(2), false),
            from(Bytes.add(ONE, Bytes.toBytes("a")), false));
    List<KeyRange> normalized = normalizer.toSameColumns(0, ranges);
    assertThat(normalized.get(0))
        .isEqualTo(KeyRange.getKeyRange(ONE, true, Bytes.toBytes(2), true));
    assertThat(normalized.get(1).getLowerRange()).isEqualTo(ONE);
    assertThat(normalized.get(1).isLowerInclusive()).isTrue();
    assertThat(normalized.get(1).upperUnbound()).isTrue();
    assertThat(normalizer.isWider()).isTrue();
  }

  /** Nothing follows the last column, so its null has no bytes. */
  @Test
  public void extendsToTheLastColumn() {
    RowValueNormalizer normalizer = normalizer("I S");
    KeyRange longest = from(Bytes.add(ONE, Bytes.toBytes("a")), true);
    assertThat(normalizer.toSameColumns(0, List.of(from(ONE, true), longest)))
        .containsExactly(from(ONE, true), longest);
    assertThat(normalizer.isWider()).isFalse();
  }

  @Test
  public void keepsRangesOfOneColumn() {
    RowValueNormalizer normalizer = normalizer("I I");
    List<KeyRange> ranges = List.of(from(ONE, false), KeyRange.IS_NULL_RANGE);
    assertThat(normalizer.toSameColumns(0, ranges)).isSameAs(ranges);
    assertThat(normalizer.isWider()).isFalse();
  }

  @Test
  public void isWiderIfNoKeyFollowsAnExclusiveLowerBound() {
    RowValueNormalizer normalizer = normalizer("I I");
    byte[] last = Bytes.toBytes(-1);
    assertThat(normalizer.toSameColumns(0, List.of(from(last, false), from(key(2, 3), true))))
        .containsExactly(from(key(-1, 0), true), from(key(2, 3), true));
    assertThat(normalizer.isWider()).isTrue();
  }
}
