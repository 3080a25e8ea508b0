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
import org.apache.phoenix.query.KeyRange;
import org.junit.Test;

public class TrailingRangesTest {

  private static final KeyRange ALL = KeyRange.EVERYTHING_RANGE;

  @Test
  public void areUnboundedIfNoColumnIsBounded() {
    KeyRange[] unbounded = {ALL, ALL};
    KeyRange[] bounded = {ALL, KeyRange.getKeyRange(new byte[] {1})};
    assertThat(TrailingRanges.isUnbounded(unbounded)).isTrue();
    assertThat(TrailingRanges.isUnbounded(bounded)).isFalse();
    List<KeyRange[]> one = List.<KeyRange[]>of(unbounded);
    List<KeyRange[]> other = List.<KeyRange[]>of(bounded);
    assertThat(TrailingRanges.areDroppedByPhoenix(one, one)).isTrue();
    assertThat(TrailingRanges.areDroppedByPhoenix(one, other)).isTrue();
    assertThat(TrailingRanges.areDroppedByPhoenix(other, one)).isFalse();
    assertThat(TrailingRanges.areDroppedByPhoenix(one, List.of(unbounded, unbounded))).isFalse();
  }
}
