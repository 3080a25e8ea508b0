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
package org.apache.phoenix.pruning.optimize;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.Test;

/** Tests each part of the cost of a plan. */
public class CostModelTest {

  private static CostModel model(double bytesPerRow) {
    return new CostModel(bytesPerRow, false, false, false);
  }

  @Test
  public void addsScansAndRows() {
    assertThat(model(0).cost(1, 10, 0, 10)).isEqualTo(310);
    assertThat(model(0).cost(3, 10, 0, 10)).isEqualTo(910);
    assertThat(model(200).cost(1, 10, 0, 10)).as("rows of 200 bytes").isEqualTo(320);
  }

  @Test
  public void addsSeeksUpToReadingTheWholeRange() {
    assertThat(model(0).cost(1, 10, 5, 1_000)).isEqualTo(330);
    assertThat(model(0).cost(1, 10, 5, 20)).isEqualTo(330);
    assertThat(model(0).cost(1, 10, 5, 19)).isEqualTo(329);
  }

  @Test
  public void addsLookupsOfDataRows() {
    assertThat(new CostModel(0, true, false, false).cost(1, 10, 0, 10)).isEqualTo(510);
  }

  @Test
  public void addsRequestsOfAGlobalIndexOnlyForLookups() {
    assertThat(new CostModel(0, false, true, false).cost(1, 10, 0, 10)).isEqualTo(310);
    assertThat(new CostModel(0, true, true, false).cost(1, 3, 0, 3)).isEqualTo(1_263);
    assertThat(new CostModel(0, true, true, false).cost(1, 10, 0, 10)).isEqualTo(3_510);
    assertThat(new CostModel(0, true, true, false).cost(1, 11, 0, 11))
        .as("at most 10 requests")
        .isEqualTo(3_531);
  }

  @Test
  public void addsSorting() {
    assertThat(new CostModel(0, false, false, true).cost(1, 10, 0, 10)).isEqualTo(315);
  }
}
