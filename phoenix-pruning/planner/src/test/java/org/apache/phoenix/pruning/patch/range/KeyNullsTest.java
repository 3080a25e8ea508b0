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
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.query.KeyRange;
import org.junit.Test;

public class KeyNullsTest {

  private static final KeyRange BELOW =
      KeyRange.getKeyRange(KeyRange.UNBOUND, false, Bytes.toBytes("b"), false);

  @Test
  public void areInTheFirstRangeOfEachSlot() {
    List<KeyRange> isNull = List.of(KeyRange.IS_NULL_RANGE, BELOW);
    List<KeyRange> all = List.of(KeyRange.EVERYTHING_RANGE);
    List<KeyRange> below = List.of(BELOW);
    assertThat(KeyNulls.allContainNull(List.of(below, isNull, all), 1)).isTrue();
    assertThat(KeyNulls.allContainNull(List.of(below, isNull, all), 0)).isFalse();
    assertThat(KeyNulls.allContainNull(List.of(isNull, below), 0)).isFalse();
    assertThat(KeyNulls.allContainNull(List.of(below), 1)).as("no slot").isTrue();
  }

  @Test
  public void followTheColumnsOfAKey() {
    KeyNulls nulls = new KeyNulls(KeySchemas.of("I S S S"), new int[] {0, 1, 0});
    byte[] number = Bytes.toBytes(7);
    ImmutableBytesWritable value = new ImmutableBytesWritable(number, 0, 4);
    assertThat(nulls.columnCount(value, 0, 2)).isEqualTo(1);
    assertThat(nulls.zeroBytesAtEnd(value, 0, 2)).isEqualTo(2);
    assertThat(nulls.zeroBytesAtEnd(value, 0, 1)).isZero();
    byte[] longer = Bytes.add(new byte[] {9}, number, Bytes.toBytes("a"));
    ImmutableBytesWritable text = new ImmutableBytesWritable(longer, 5, 1);
    assertThat(nulls.columnCount(text, 1, 2)).isEqualTo(2);
    assertThat(nulls.zeroBytesAtEnd(text, 1, 2)).as("the text and a null").isEqualTo(2);
  }

  @Test
  public void becomeZeroBytes() {
    byte[] bytes = {1, 2, 3, 4};
    ImmutableBytesWritable end = KeyNulls.withZeros(new ImmutableBytesWritable(bytes, 3, 1), 1, 2);
    assertThat(end.get()).containsExactly(2, 3, 0, 0);
    assertThat(end.getOffset()).isEqualTo(4);
    assertThat(end.getLength()).isZero();
  }
}
