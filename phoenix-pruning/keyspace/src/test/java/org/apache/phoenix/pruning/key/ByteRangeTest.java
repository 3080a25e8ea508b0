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
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.Test;

public class ByteRangeTest {

  @Test
  public void isNeverEmpty() {
    for (byte[] upper : new byte[][] {bytes(), bytes(1), bytes(2)}) {
      assertThatIllegalArgumentException()
          .as(KeyBytes.toText(upper))
          .isThrownBy(() -> ByteRange.of(bytes(2), upper))
          .withMessage(
              "the lower bound must be below the upper bound: [\\x02, %s)", KeyBytes.toText(upper));
    }
    assertThat(ByteRange.of(bytes(1), bytes(1, 0)).contains(bytes(1))).isTrue();
    assertThat(ByteRange.of(bytes(0xFF), null).contains(bytes(0xFF))).isTrue();
  }

  @Test
  public void lowerBoundIsInclusiveAndUpperBoundExclusive() {
    ByteRange range = ByteRange.of(bytes(1), bytes(3));
    assertThat(range.contains(bytes(0))).isFalse();
    assertThat(range.contains(bytes(1))).isTrue();
    assertThat(range.contains(bytes(2, 0xFF))).isTrue();
    assertThat(range.contains(bytes(3))).isFalse();
    assertThat(ByteRange.of(bytes(1), null).contains(bytes(0xFF, 0xFF))).isTrue();
  }

  @Test
  public void rangesWithTheSameBoundsAreEqual() {
    ByteRange range = ByteRange.of(bytes(1), bytes(3));
    ByteRange same = ByteRange.of(bytes(1), bytes(3));
    assertThat(range).isEqualTo(same).hasSameHashCodeAs(same);
    for (ByteRange other :
        new ByteRange[] {
          ByteRange.of(bytes(0), bytes(3)),
          ByteRange.of(bytes(1), bytes(4)),
          ByteRange.of(bytes(1), null)
        }) {
      assertThat(range).as("%s", other).isNotEqualTo(other).doesNotHaveSameHashCodeAs(other);
    }
    assertThat(range.equals(null)).isFalse();
  }

  @Test
  public void printsItsBounds() {
    assertThat(ByteRange.of(bytes('a'), bytes('c', 0))).hasToString("[a, c\\x00)");
    assertThat(ByteRange.of(bytes(), null)).hasToString("[, )");
  }
}
