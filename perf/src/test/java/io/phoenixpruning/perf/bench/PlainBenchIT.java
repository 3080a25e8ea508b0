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

import io.phoenixpruning.perf.harness.Benchmark;
import io.phoenixpruning.perf.harness.JarsBenchmark;
import io.phoenixpruning.perf.harness.Result;
import java.util.List;
import java.util.Map;
import org.junit.ClassRule;
import org.junit.Test;

/** Runs the benchmarks that compare servers with Phoenix's jars and ours, with small sizes. */
public class PlainBenchIT extends BenchRuns {

  @ClassRule public static final SharedSides SIDES = new SharedSides();

  private List<Result> run(JarsBenchmark benchmark, String name) throws Exception {
    benchmark.useSharedSides(SIDES.get());
    return run((Benchmark) benchmark, name);
  }

  /** Compares allocated bytes with Phoenix's jars. A busy machine does not change these counts. */
  @Test
  public void comparesPlainTables() throws Exception {
    List<Result> results = run(new PlainBench(), "plain");
    for (PlainTable table : List.of(PlainTable.PLAIN, PlainTable.INDEXED)) {
      for (PlainOperation operation : PlainBench.quickOperations(table)) {
        assertThat(allocation(results, "client", table, operation))
            .as("client, %s, %s", table, operation)
            .isBetween(0.95, 1.05);
        // For short statements, background work of the server dominates its allocation.
        if (operation.executions() == 1) {
          assertThat(allocation(results, "server", table, operation))
              .as("server, %s, %s", table, operation)
              .isBetween(0.95, 1.05);
        }
      }
    }
  }

  @Test
  public void opensRegions() throws Exception {
    List<Result> results = run(new RegionOpenBench(), "regionopen");
    for (String jars : new String[] {"Phoenix", "ours"}) {
      for (String table :
          new String[] {"Phoenix table", "idle coprocessor with properties", "no coprocessor"}) {
        Map<String, String> at = Map.of("table", table, "jars", jars);
        assertThat(figure(results, "time", at)).as("%s", at).isPositive();
        assertThat(figure(results, "CPU", at)).as("%s", at).isPositive();
      }
    }
    assertThat(results).filteredOn(result -> result.measure().equals("heap")).hasSize(2 * 3);
  }

  /**
   * Returns the ratio of our smallest allocation to Phoenix's smallest. Background work of a
   * process only adds to the allocation of a statement, and adds more if the machine is busy.
   */
  private static double allocation(
      List<Result> results, String process, PlainTable table, PlainOperation operation) {
    String cost = process + " allocation";
    Map<String, String> at =
        Map.of("table", table.title(), "operation", operation.title(), "cost", cost);
    return least(results, cost, with(at, "jars", JarsBenchmark.Jars.OURS.title()))
        / least(results, cost, with(at, "jars", JarsBenchmark.Jars.PHOENIX.title()));
  }

  private static double least(List<Result> results, String measure, Map<String, String> at) {
    return result(results, measure, at).summary().min();
  }
}
