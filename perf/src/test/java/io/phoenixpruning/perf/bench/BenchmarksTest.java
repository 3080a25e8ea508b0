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
package io.phoenixpruning.perf.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.phoenixpruning.perf.planning.Condition;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import org.junit.Test;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.RunnerException;

/**
 * Runs the benchmarks, which themselves check that exact planning plans only regions that can
 * match.
 */
public class BenchmarksTest {

  @Test
  public void quickRun() throws RunnerException {
    Collection<RunResult> results = Benchmarks.run(List.of(), true);
    int conditions = Condition.values().length;
    int sizes = 2;
    int modes = 2;
    int ofRanges = 4;
    assertThat(results).hasSize(ofRanges * sizes + 2 * conditions * sizes * modes);
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    Benchmarks.print(results, new PrintStream(printed, true, StandardCharsets.UTF_8));
    assertThat(printed.toString(StandardCharsets.UTF_8))
        .containsSubsequence(
            "PlanChoiceCostBenchmark, ",
            "| point, exact | ",
            "PlanningBenchmark, ",
            "|  | 100 regions | 1,000 regions |",
            "| --- | ---: | ---: |",
            "| point, exact | ",
            "| point, stock | ",
            "| 1 % of the regions, exact | ",
            "| arithmetic, for a point, exact | ",
            "| all regions, stock | ",
            "RegionWalkBenchmark, ",
            "| IN of 4 | ",
            "| all regions | ");
  }
}
