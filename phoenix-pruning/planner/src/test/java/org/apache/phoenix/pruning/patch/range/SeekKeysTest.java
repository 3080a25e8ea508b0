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

import org.junit.Test;

public class SeekKeysTest {

  @Test
  public void endAfterTheIncrementedByte() {
    assertThat(SeekKeys.endOfIncremented(new byte[] {1, 2}, 2)).isEqualTo(2);
    assertThat(SeekKeys.endOfIncremented(new byte[] {1, 2, 0, 0}, 4)).isEqualTo(2);
    assertThat(SeekKeys.endOfIncremented(new byte[] {0, 1, 0, 9}, 3)).isEqualTo(2);
  }

  @Test
  public void insertAZeroInPlaceIfThereIsRoom() {
    byte[] key = {1, 2, 3, 9};
    assertThat(SeekKeys.withZeroAt(1, key, 3)).isSameAs(key).containsExactly(1, 0, 2, 3);
    byte[] atEnd = {1, 2, 9};
    assertThat(SeekKeys.withZeroAt(2, atEnd, 2)).isSameAs(atEnd).containsExactly(1, 2, 0);
  }

  @Test
  public void becomeLongerIfThereIsNoRoom() {
    byte[] key = {1, 2, 3};
    assertThat(SeekKeys.withZeroAt(1, key, 3)).containsExactly(1, 0, 2, 3);
    assertThat(SeekKeys.withZeroAt(3, key, 3)).containsExactly(1, 2, 3, 0);
    assertThat(key).containsExactly(1, 2, 3);
  }
}
