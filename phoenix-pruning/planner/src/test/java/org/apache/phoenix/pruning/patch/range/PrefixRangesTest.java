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

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.query.KeyRange;
import org.junit.Test;

public class PrefixRangesTest {

  private static boolean endsWithPrefix(String lower, String upper) {
    return PrefixRanges.endsWithPrefix(Bytes.toBytes(lower), Bytes.toBytes(upper));
  }

  @Test
  public void endWithAProperPrefixOfTheirStart() {
    assertThat(endsWithPrefix("abc", "ab")).isTrue();
    assertThat(endsWithPrefix("abc", "a")).isTrue();
    assertThat(endsWithPrefix("abc", "")).as("unbounded").isFalse();
    assertThat(endsWithPrefix("abc", "abc")).isFalse();
    assertThat(endsWithPrefix("ab", "abc")).isFalse();
    assertThat(endsWithPrefix("abc", "ac")).isFalse();
  }

  @Test
  public void areReplacedWithEmptyRanges() {
    KeyRange ends = KeyRange.getKeyRange(new byte[] {5, 6}, true, new byte[] {5}, true, true);
    KeyRange other = KeyRange.getKeyRange(new byte[] {5}, true, new byte[] {6}, true);
    List<List<KeyRange>> slots =
        List.of(new ArrayList<>(List.of(other)), new ArrayList<>(List.of(other, ends)));
    assertThat(PrefixRanges.replaceWithEmpty(slots))
        .containsExactly(List.of(other), List.of(other, ends));
    assertThat(slots).containsExactly(List.of(other), List.of(other, KeyRange.EMPTY_RANGE));
  }

  @Test
  public void areNotReplacedIfThereAreNone() {
    KeyRange range = KeyRange.getKeyRange(new byte[] {5}, true, new byte[] {6}, true);
    List<List<KeyRange>> slots = List.of(List.of(range), List.of(KeyRange.EVERYTHING_RANGE));
    assertThat(PrefixRanges.replaceWithEmpty(slots)).isNull();
  }
}
