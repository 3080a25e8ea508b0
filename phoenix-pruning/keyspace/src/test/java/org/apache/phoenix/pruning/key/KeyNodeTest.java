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

import java.util.List;
import org.junit.Test;

public class KeyNodeTest {

  private static final KeyNode LATER =
      KeyNode.of(1, List.of(ByteRange.of(bytes(7), bytes(8))), List.of(KeyNode.EVERYWHERE));

  private static final KeyNode NODE =
      KeyNode.of(
          0,
          List.of(
              ByteRange.of(bytes(1), bytes(2)),
              ByteRange.of(bytes(2), bytes(4)),
              ByteRange.of(bytes(6), null)),
          List.of(LATER, KeyNode.EVERYWHERE, LATER));

  @Test
  public void findsTheFirstRangeThatEndsAfterAKey() {
    int[] expected = {0, 0, 1, 1, 2, 2, 2};
    for (int key = 0; key < expected.length; key++) {
      assertThat(NODE.firstEndingAfter(bytes(key))).as("%s", key).isEqualTo(expected[key]);
    }
    assertThat(LATER.firstEndingAfter(bytes(8))).as("behind the last range").isEqualTo(1);
    assertThat(LATER.firstEndingAfter(bytes(7, 0xFF))).isZero();
  }

  @Test
  public void findsTheChildForAToken() {
    assertThat(NODE.childFor(bytes(0))).isSameAs(KeyNode.NOWHERE);
    assertThat(NODE.childFor(bytes(1))).isSameAs(LATER);
    assertThat(NODE.childFor(bytes(2))).isSameAs(KeyNode.EVERYWHERE);
    assertThat(NODE.childFor(bytes(5))).isSameAs(KeyNode.NOWHERE);
    assertThat(NODE.childFor(bytes(6))).isSameAs(LATER);
    assertThat(LATER.childFor(bytes(8))).as("behind the last range").isSameAs(KeyNode.NOWHERE);
  }

  @Test
  public void hasNoNodeWithoutEffect() {
    assertThat(KeyNode.of(0, List.of(), List.of())).isSameAs(KeyNode.NOWHERE);
    ByteRange all = ByteRange.of(bytes(), null);
    assertThat(KeyNode.of(0, List.of(all), List.of(LATER))).isSameAs(LATER);
    ByteRange most = ByteRange.of(bytes(0), null);
    assertThat(KeyNode.of(0, List.of(most), List.of(LATER))).isNotSameAs(LATER);
  }

  @Test
  public void startsAtAnEarlierColumnWithAnyValue() {
    KeyNode any = LATER.withEarlierColumn(0);
    assertThat(any.column()).isZero();
    assertThat(any.size()).isEqualTo(1);
    assertThat(any.child(0)).isSameAs(LATER);
    assertThat(any.range(0)).isEqualTo(ByteRange.of(bytes(), null));
  }

  @Test
  public void onlyEverywhereAndNowhereAreTerminal() {
    assertThat(KeyNode.EVERYWHERE.isTerminal()).isTrue();
    assertThat(KeyNode.NOWHERE.isTerminal()).isTrue();
    assertThat(LATER.isTerminal()).isFalse();
  }
}
