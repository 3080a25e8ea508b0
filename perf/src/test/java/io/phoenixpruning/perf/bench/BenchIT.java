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

import io.phoenixpruning.perf.harness.Result;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.ClassRule;
import org.junit.Test;

/**
 * Runs the benchmarks of {@code pruning bench} with small sizes that measure nothing. Those that
 * need a cluster share one, so that the test starts it only once.
 */
public class BenchIT extends BenchRuns {

  @ClassRule public static final SharedCluster CLUSTER = SharedCluster.rule();

  @Test
  public void reportsPlanningTimes() throws Exception {
    List<Result> results = run(new PlanningBench(), "planning");
    assertThat(figure(results, "planned", Map.of("planner", "exact"))).isEqualTo(1);
    assertThat(figure(results, "planned", Map.of("planner", "stock"))).isEqualTo(2);
    assertThat(results).extracting(Result::measure).contains("time", "allocation");
  }

  @Test
  public void reportsCompilingTimes() throws Exception {
    List<Result> results = run(new CompilingBench(), "compiling");
    for (String planner : new String[] {"stock", "exact"}) {
      Map<String, String> at = Map.of("condition", "point", "planner", planner);
      assertThat(figure(results, "time", at)).as("%s", at).isPositive();
      assertThat(figure(results, "allocation", at)).as("%s", at).isPositive();
    }
  }

  @Test
  public void comparesTheChosenPlanWithTheBest() throws Exception {
    List<Result> results = run(CLUSTER, new ChoiceBench(), "choice");
    Map<String, Map<String, Double>> rpcs = new HashMap<>();
    for (Result result : results) {
      if (result.measure().equals("rpcs")) {
        rpcs.computeIfAbsent(
                result.at().get("workload") + ": " + result.at().get("query"),
                added -> new HashMap<>())
            .put(result.at().get("plan"), result.summary().median());
      }
    }
    assertThat(rpcs).hasSize(2 * 16);
    rpcs.forEach((query, ofPlans) -> assertThat(ofPlans).as(query).containsKeys("best", "exact"));
    assertThat(results)
        .filteredOn(result -> result.measure().equals("failures"))
        .extracting(result -> result.at().get("plan"))
        .doesNotContain("exact");
    assertThat(results)
        .filteredOn(result -> result.measure().equals("ratio"))
        .hasSize(2 * 16 * 2)
        .allMatch(result -> result.summary().median() >= 1);
    assertThat(results).filteredOn(result -> result.measure().equals("good")).hasSize(2 * 2);
  }

  @Test
  public void seeksFromPrefixToPrefix() throws Exception {
    List<Result> results = run(CLUSTER, new LooseScanBench(), "loosescan");
    // Four queries with four plans, on a table with one prefix and on one with 1,000.
    assertThat(results).hasSize(2 * 4 * 4);
    assertThat(results).extracting(result -> result.at().get("prefixes")).contains("1", "1000");
  }

  @Test
  public void reportsThroughputAndSizesOfWrites() throws Exception {
    List<Result> results = run(CLUSTER, new WritesBench(), "writes");
    assertThat(results.stream().filter(result -> result.measure().equals("throughput")))
        .hasSize(5 * 2);
    double data = figure(results, "bytes", Map.of("indexes", "none", "part", "data"));
    assertThat(data).isGreaterThan(10);
    assertThat(figure(results, "bytes", Map.of("indexes", "none", "part", "indexes"))).isZero();
    for (String indexes : new String[] {"natural", "rearranged", "two local", "global"}) {
      assertThat(figure(results, "bytes", Map.of("indexes", indexes, "part", "indexes")))
          .as(indexes)
          .isGreaterThan(10);
    }
  }

  @Test
  public void reportsLatencyUnderLoad() throws Exception {
    List<Result> results = run(CLUSTER, new LoadBench(), "load");
    for (String way : new String[] {"stock", "exact", "probe"}) {
      for (String load : new String[] {"points alone", "points together with fan-outs"}) {
        Map<String, String> at = Map.of("way", way, "load", load, "query", "point");
        assertThat(figure(results, "latency", at)).as("%s", at).isPositive();
        assertThat(figure(results, "failures", at)).as("%s", at).isZero();
      }
      Map<String, String> fanOuts =
          Map.of("way", way, "load", "points together with fan-outs", "query", "fan-out");
      assertThat(figure(results, "latency", fanOuts)).as("%s", fanOuts).isPositive();
    }
  }
}
