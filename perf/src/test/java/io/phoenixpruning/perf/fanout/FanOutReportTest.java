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

import java.util.EnumMap;
import java.util.Map;
import org.junit.Test;

public class FanOutReportTest {

  private static Runs runs(double millis, long rpcs) {
    Runs runs = new Runs();
    runs.add(millis, rpcs, 7);
    return runs;
  }

  private static Map<Matching, Map<Way, Runs>> ten(Runs stock, Runs exact) {
    Map<Way, Runs> ways = new EnumMap<>(Way.class);
    ways.put(Way.STOCK, stock);
    ways.put(Way.EXACT, exact);
    return Map.of(Matching.TEN, ways);
  }

  @Test
  public void boundsTheRpcsByServersAndChunks() {
    assertThat(FanOutReport.rpcs(ten(runs(1, 5_000), runs(1, 42)), 5_000, 4, 500).lines())
        .containsExactly(
            "| Scan RPCs, by number of matching regions | S x ceil(R / (S x chunk)) | the same + M"
                + " | stock | exact |",
            "|---:|---:|---:|---:|---:|",
            "| 10 | 12 | 22 | 5,000 | 42 |");
  }

  @Test
  public void comparesTimesWithThoseOfTheFirstWay() {
    assertThat(FanOutReport.times("ms", ten(runs(100, 1), runs(25, 1)), 20).lines())
        .containsExactly(
            "| ms | stock | exact |",
            "|---:|---:|---:|",
            "| 10 | 100.0 (100.0 to 100.0) | 25.0 (25.0 to 25.0), **0.25** |");
  }

  @Test
  public void saysWhyAWayFails() {
    Runs rejected = new Runs();
    rejected.fail("rejected");
    assertThat(FanOutReport.times("ms", ten(rejected, runs(25, 1)), 20).lines().skip(2))
        .containsExactly("| 10 | rejected | 25.0 (25.0 to 25.0) |");
    assertThat(FanOutReport.blockMisses(ten(rejected, runs(25, 1)), 20).lines().skip(2))
        .containsExactly("| 10 | rejected | 7 |");
  }
}
