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

public class RowValueColumnsTest {

  private static RowValueColumns columns(String schema) {
    return new RowValueColumns(KeySchemas.of(schema));
  }

  private static byte[] key(int one, int other) {
    return Bytes.add(Bytes.toBytes(one), Bytes.toBytes(other));
  }

  private static KeyRange point(int one, int other) {
    return KeyRange.getKeyRange(key(one, other));
  }

  @Test
  public void areInKeyOrderUpToADescendingColumnOfVariableWidth() {
    assertThat(columns("I S I").countInKeyOrder(0, 3)).isEqualTo(3);
    assertThat(columns("I Id I").countInKeyOrder(0, 3)).isEqualTo(3);
    assertThat(columns("I Sd I").countInKeyOrder(0, 3)).isEqualTo(1);
    assertThat(columns("I Sd I").countInKeyOrder(1, 2)).as("alone").isEqualTo(1);
    assertThat(columns("I I Sd").countInKeyOrder(0, 3)).isEqualTo(2);
  }

  @Test
  public void haveEqualSuffixAfterAChangeOfSortOrder() {
    List<KeyRange> equal = List.of(point(1, 5), point(2, 5));
    assertThat(columns("I Id").haveEqualSuffix(0, 2, equal)).isTrue();
    assertThat(columns("I I").haveEqualSuffix(0, 2, equal)).as("one sort order").isFalse();
    assertThat(columns("I Id").haveEqualSuffix(0, 2, List.of(point(1, 5)))).as("one").isFalse();
    assertThat(columns("I Id").haveEqualSuffix(0, 2, List.of(point(1, 5), point(2, 6)))).isFalse();
  }

  @Test
  public void areCutByAChangeOfSortOrder() {
    List<KeyRange> range = List.of(KeyRange.getKeyRange(key(1, 5), true, key(3, 7), true));
    assertThat(columns("I Id").isCutBySortOrder(0, range)).isTrue();
    assertThat(columns("I I").isCutBySortOrder(0, range)).isFalse();
    assertThat(columns("I Id").isCutBySortOrder(0, List.of(point(1, 5)))).as("a point").isFalse();
    assertThat(columns("I Id").isCutBySortOrder(0, List.of(KeyRange.EVERYTHING_RANGE))).isFalse();
  }

  @Test
  public void areCountedByTheLongestBound() {
    KeyRange range = KeyRange.getKeyRange(Bytes.toBytes(1), true, key(3, 7), true);
    assertThat(columns("I I").columnCount(0, range)).isEqualTo(2);
    assertThat(columns("I I").columnCount(0, List.of(KeyRange.IS_NULL_RANGE, range))).isEqualTo(2);
    assertThat(columns("I I").columnCount(0, List.of(KeyRange.EVERYTHING_RANGE))).isEqualTo(1);
  }

  @Test
  public void firstColumnsHaveInclusiveBounds() {
    KeyRange range = KeyRange.getKeyRange(key(1, 5), false, key(3, 7), false);
    KeyRange same = KeyRange.getKeyRange(key(1, 6), false, key(3, 8), false);
    assertThat(columns("I I").firstColumns(0, List.of(range, same), 1))
        .containsExactly(KeyRange.getKeyRange(Bytes.toBytes(1), true, Bytes.toBytes(3), true));
  }
}
