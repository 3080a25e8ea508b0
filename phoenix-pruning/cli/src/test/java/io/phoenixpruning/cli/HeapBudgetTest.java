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
package io.phoenixpruning.cli;

import static org.assertj.core.api.Assertions.assertThat;

import junitparams.JUnitParamsRunner;
import junitparams.Parameters;
import org.junit.Test;
import org.junit.runner.RunWith;

@RunWith(JUnitParamsRunner.class)
public class HeapBudgetTest {

  @Test
  public void theDefaultHeapHoldsTheDefaultDemo() {
    assertThat(new HeapBudget(2L << 30).maxRegions()).isGreaterThan(200);
  }

  @Test
  public void aTinyHeapHoldsNoRegion() {
    assertThat(new HeapBudget(64L << 20).maxRegions()).isZero();
  }

  @Test
  @Parameters({"1", "200", "2000", "10000"})
  public void theHeapThatRegionsNeedHoldsThem(int regions) {
    HeapBudget needed = new HeapBudget(new HeapBudget(0).neededMb(regions) << 20);
    assertThat(needed.maxRegions()).isBetween(regions, regions + 1);
  }
}
