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
package org.apache.phoenix.pruning.region;

import static org.assertj.core.api.Assertions.assertThat;

import com.carrotsearch.randomizedtesting.RandomizedRunner;
import com.carrotsearch.randomizedtesting.RandomizedTest;
import org.junit.Test;
import org.junit.runner.RunWith;

/**
 * Compares the planned regions of random tables, predicates and boundaries with brute force.
 *
 * <p>The build fixes the seed, so that only a change of the code can make it fail. An empty {@code
 * -Dtests.seed=} draws a random seed, which a failure shows as {@code SeedInfo.seed([...])}. {@code
 * -Dtests.seed=<that>} repeats the run. {@code -Dtests.cases=} sets the number of cases.
 */
@RunWith(RandomizedRunner.class)
public class RegionWalkRandomTest extends RandomizedTest {

  private static final int CASES = Integer.getInteger("tests.cases", 100_000);
  private static final int CASES_PER_TABLE = 250;

  @Test
  public void plansTheRegionsThatCanHoldAMatch() {
    RandomCases cases = new RandomCases(randomLong());
    for (int i = 0; i < CASES; i++) {
      if (i % CASES_PER_TABLE == 0) {
        cases.nextTable();
      }
      PruningCase pruningCase = cases.next();
      if (pruningCase.violation() != null) {
        PruningCase shrunk = pruningCase.shrink();
        assertThat(shrunk.violation()).as("case %s of\n  %s", i, shrunk).isNull();
      }
    }
  }
}
