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

import io.phoenixpruning.perf.harness.View;
import java.util.List;
import picocli.CommandLine.Command;

/** Implements {@code pruning bench compiling}. */
@Command(
    name = "compiling",
    description = {
      "Measures compiling without a cluster, with JMH: time and allocated bytes from SQL to the"
          + " chosen plan. There are four plans: the table, two local indexes and a global index."
          + " The planner 'stock' uses stock Phoenix's jars, in JVMs that take turns with ours."
    },
    mixinStandardHelpOptions = true)
final class CompilingBench extends JmhBench {

  CompilingBench() {
    super(CompilingBenchmark.class);
  }

  @Override
  public List<View> views() {
    return List.of(
        View.of("Time to compile and to choose a plan", "time", PLANNER, CONDITION, REGIONS)
            .comparedWith(STOCK)
            .linesBy(REGIONS),
        View.of("Allocation", "allocation", PLANNER, CONDITION, REGIONS)
            .comparedWith(STOCK)
            .linesBy(REGIONS));
  }
}
