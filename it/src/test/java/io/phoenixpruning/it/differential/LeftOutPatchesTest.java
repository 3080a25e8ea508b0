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
package io.phoenixpruning.it.differential;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.phoenixpruning.it.differential.AnswerDifference.Case;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.apache.phoenix.pruning.patch.Patch;
import org.junit.Test;

public class LeftOutPatchesTest {

  @Test
  public void leavesOutEachPatch() {
    assertThat(LeftOutPatches.parse("each").of(statement(3, 7)))
        .containsExactlyInAnyOrderElementsOf(DifferentialRun.PATCHES);
  }

  @Test
  public void leavesOutNamedPatches() {
    assertThat(LeftOutPatches.parse("skip-scan,key-order").of(statement(3, 7)))
        .containsExactlyInAnyOrder(Patch.SKIP_SCAN, Patch.KEY_ORDER);
  }

  @Test
  public void leavesOutNoPatch() {
    assertThat(LeftOutPatches.parse("0").of(statement(3, 7))).isEmpty();
  }

  @Test
  public void patchesTakeTurns() {
    LeftOutPatches two = LeftOutPatches.parse("2");
    Map<Patch, Integer> counts = new EnumMap<>(Patch.class);
    int statements = DifferentialRun.PATCHES.size() * 5;
    for (int i = 0; i < statements; i++) {
      List<Patch> patches = two.of(statement(1 + i / 50, i % 50));
      assertThat(patches).as("statement %s", i).hasSize(2).doesNotHaveDuplicates();
      patches.forEach(patch -> counts.merge(patch, 1, Integer::sum));
    }
    assertThat(counts.keySet()).containsAll(DifferentialRun.PATCHES);
    assertThat(counts.values()).containsOnly(10);
  }

  @Test
  public void refusesUnknownPatches() {
    assertThatThrownBy(() -> LeftOutPatches.parse("skip-scan,skipscan"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'skip-scan,skipscan'")
        .hasMessageContaining("key-order");
  }

  private static Case statement(long seed, int number) {
    return new Case(seed, number, null, null);
  }
}
