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

import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.query.KeyRange;
import org.junit.Test;

public class ExcludedBoundsTest {

  private static final byte[] A = Bytes.toBytes("a");

  private static boolean excludesLonger(
      KeyRange range, String columns, int slot, int... furtherColumns) {
    return ExcludedBounds.excludesLonger(range, KeySchemas.of(columns), furtherColumns, slot);
  }

  @Test
  public void endAKeyIfALongerValueCanFollow() {
    KeyRange excluded = KeyRange.getKeyRange(A, false, KeyRange.UNBOUND, false);
    assertThat(excludesLonger(excluded, "S I", 0, 0, 0)).isTrue();
    assertThat(excludesLonger(excluded, "I S", 1, 0, 0)).isTrue();
    assertThat(excludesLonger(excluded, "B I", 0, 0, 0)).isTrue();
    assertThat(excludesLonger(excluded, "Bd I", 0, 0, 0)).isTrue();
    assertThat(excludesLonger(excluded, "Sd I", 0, 0, 0)).as("no text has 0xFF").isFalse();
    assertThat(excludesLonger(excluded, "I I", 0, 0, 0)).as("fixed width").isFalse();
  }

  @Test
  public void areNeitherInclusiveNorUnbounded() {
    KeyRange included = KeyRange.getKeyRange(A, true, KeyRange.UNBOUND, false);
    KeyRange unbounded = KeyRange.getKeyRange(KeyRange.UNBOUND, false, A, false);
    assertThat(excludesLonger(included, "S I", 0, 0, 0)).isFalse();
    assertThat(excludesLonger(unbounded, "S I", 0, 0, 0)).isFalse();
  }

  @Test
  public void ofARowValueEndWithItsLastColumn() {
    KeyRange excluded = KeyRange.getKeyRange(A, false, KeyRange.UNBOUND, false);
    assertThat(excludesLonger(excluded, "I S I", 0, 1, 0)).isTrue();
    assertThat(excludesLonger(excluded, "S I S", 0, 1, 0)).isFalse();
    assertThat(excludesLonger(excluded, "S I S", 1, 1, 0)).isTrue();
  }
}
