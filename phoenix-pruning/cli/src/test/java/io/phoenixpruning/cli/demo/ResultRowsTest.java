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
package io.phoenixpruning.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.Test;

public class ResultRowsTest {

  private static ResultRows rows(String... values) {
    return new ResultRows(List.of(values).stream().map(value -> List.<Object>of(value)).toList());
  }

  @Test
  public void theOrderOfRowsMattersOnlyWhereItIsAskedFor() {
    assertThat(rows("a", "b").sameRows(rows("b", "a"))).isTrue();
    assertThat(rows("a", "b")).isNotEqualTo(rows("b", "a"));
  }

  @Test
  public void aRowThatIsThereTwiceIsNotThereOnce() {
    assertThat(rows("a", "a", "b").sameRows(rows("a", "b", "b"))).isFalse();
    assertThat(rows("a", "b").sameRows(rows("a"))).isFalse();
    assertThat(ResultRows.NONE.sameRows(rows())).isTrue();
  }
}
