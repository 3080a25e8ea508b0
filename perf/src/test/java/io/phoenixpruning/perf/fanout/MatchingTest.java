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
package io.phoenixpruning.perf.fanout;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.Test;

public class MatchingTest {

  private static List<Integer> regions(Matching matching, int all) {
    return IntStream.range(0, all)
        .filter(region -> Matching.in(region, all).contains(matching))
        .boxed()
        .toList();
  }

  @Test
  public void spreadsOverTheRegions() {
    assertThat(regions(Matching.NONE, 20)).isEmpty();
    assertThat(regions(Matching.ONE, 20)).containsExactly(10);
    assertThat(regions(Matching.TEN, 20)).containsExactly(1, 3, 5, 7, 9, 11, 13, 15, 17, 19);
    assertThat(regions(Matching.ALL, 20)).hasSize(20);
  }

  @Test
  public void matchesInAsManyRegionsAsItSays() {
    for (int all : new int[] {10, 11, 99, 1_000}) {
      for (Matching matching : Matching.values()) {
        assertThat(regions(matching, all))
            .as("%s of %d", matching, all)
            .hasSize(matching.regions(all));
      }
    }
  }

  /**
   * Checks that no other row has the value. Also checks that the value lies between the smallest
   * and greatest value of each file, so that no file can be skipped.
   */
  @Test
  public void liesBetweenOtherValues() {
    assertThat(Arrays.stream(Matching.values()).map(Matching::value))
        .doesNotHaveDuplicates()
        .allMatch(value -> value > Matching.SMALLEST && value < Matching.GREATEST)
        .allMatch(value -> value % 2 == 1);
  }
}
