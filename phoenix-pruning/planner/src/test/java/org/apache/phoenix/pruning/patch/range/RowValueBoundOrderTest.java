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

public class RowValueBoundOrderTest {

  private static final byte[] ONE = Bytes.toBytes(1);
  private static final byte[] ONE_TWO = Bytes.add(ONE, Bytes.toBytes(2));
  private static final byte[] TWO = Bytes.toBytes(2);

  private final RowValueBoundOrder order =
      new RowValueBoundOrder(new RowValueColumns(KeySchemas.of("I I I")));

  private static KeyRange from(byte[] lower, boolean inclusive) {
    return KeyRange.getKeyRange(lower, inclusive, KeyRange.UNBOUND, false);
  }

  private static KeyRange to(byte[] upper, boolean inclusive) {
    return KeyRange.getKeyRange(KeyRange.UNBOUND, false, upper, inclusive);
  }

  @Test
  public void sortsLowerBounds() {
    List<KeyRange> ascending =
        List.of(
            KeyRange.EVERYTHING_RANGE,
            from(ONE, true),
            from(ONE_TWO, true),
            from(ONE_TWO, false),
            from(ONE, false),
            from(TWO, true));
    for (int i = 0; i < ascending.size(); i++) {
      for (int j = 0; j < ascending.size(); j++) {
        assertThat(Integer.signum(order.compareLower(0, ascending.get(i), ascending.get(j))))
            .as("%s, %s", ascending.get(i), ascending.get(j))
            .isEqualTo(Integer.compare(i, j));
      }
    }
  }

  @Test
  public void sortsUpperBounds() {
    List<KeyRange> ascending =
        List.of(
            to(ONE, false),
            to(ONE_TWO, false),
            to(ONE_TWO, true),
            to(ONE, true),
            to(TWO, false),
            KeyRange.EVERYTHING_RANGE);
    for (int i = 0; i < ascending.size(); i++) {
      for (int j = 0; j < ascending.size(); j++) {
        assertThat(Integer.signum(order.compareUpper(0, ascending.get(i), ascending.get(j))))
            .as("%s, %s", ascending.get(i), ascending.get(j))
            .isEqualTo(Integer.compare(i, j));
      }
    }
  }

  @Test
  public void findsEmptyRanges() {
    assertThat(order.isEmpty(0, ONE_TWO, true, ONE, true)).isFalse();
    assertThat(order.isEmpty(0, ONE_TWO, true, ONE, false)).isTrue();
    assertThat(order.isEmpty(0, ONE, false, ONE_TWO, true)).isTrue();
    assertThat(order.isEmpty(0, ONE, true, ONE_TWO, true)).isFalse();
    assertThat(order.isEmpty(0, TWO, true, ONE_TWO, true)).isTrue();
    assertThat(order.isEmpty(0, TWO, true, KeyRange.UNBOUND, false)).isFalse();
  }

  @Test
  public void findsPrefixes() {
    assertThat(order.isOnePrefixOfOther(0, ONE, ONE_TWO)).isTrue();
    assertThat(order.isOnePrefixOfOther(0, ONE_TWO, ONE)).isTrue();
    assertThat(order.isOnePrefixOfOther(0, TWO, ONE_TWO)).isFalse();
    assertThat(order.isOnePrefixOfOther(0, ONE_TWO, ONE_TWO)).as("same columns").isFalse();
    assertThat(order.isOnePrefixOfOther(0, ONE, KeyRange.UNBOUND)).isFalse();
  }
}
