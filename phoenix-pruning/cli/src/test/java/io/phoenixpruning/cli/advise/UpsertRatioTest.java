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
package io.phoenixpruning.cli.advise;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.Test;

public class UpsertRatioTest {

  @Test
  public void theMedianAndTheEnds() {
    assertThat(UpsertRatio.of(List.of(1.61, 0.9, 1.4, 8.0, 1.35), 2_000))
        .isEqualTo(new UpsertRatio(1.4, 0.9, 8.0, 5, 2_000))
        .hasToString("1.40 times as long (0.90 to 8.00 in 5 rounds of 2,000 rows)");
  }

  @Test
  public void hasOneFigureForOneRound() {
    assertThat(UpsertRatio.of(List.of(1.5), 1)).isEqualTo(new UpsertRatio(1.5, 1.5, 1.5, 1, 1));
  }
}
