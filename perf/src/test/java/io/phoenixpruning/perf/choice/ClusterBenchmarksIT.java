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
package io.phoenixpruning.perf.choice;

import static org.assertj.core.api.Assertions.assertThat;

import io.phoenixpruning.cli.cluster.EmbeddedCluster;
import io.phoenixpruning.perf.fanout.FanOutBenchmark;
import io.phoenixpruning.perf.fanout.ManyRegionsBenchmark;
import io.phoenixpruning.perf.region.RegionOpenBenchmark;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Runs the benchmarks that need a cluster, with small sizes that measure nothing. */
public class ClusterBenchmarksIT {

  @ClassRule public static final TemporaryFolder FOLDER = new TemporaryFolder();

  private static EmbeddedCluster cluster;

  @BeforeClass
  public static void startCluster() throws Exception {
    cluster = new EmbeddedCluster(FOLDER.getRoot().toPath());
    cluster.start();
  }

  @AfterClass
  public static void stopCluster() throws Exception {
    cluster.abort();
  }

  @Test
  public void choosesPlans() throws Exception {
    List<QueryRuns> all = new PlanChoiceBenchmark(cluster, true).run(List.of());
    assertThat(all).hasSizeGreaterThan(40);
    for (QueryRuns query : all) {
      assertThat(query.candidates()).as(query.query()).containsKeys(query.exactScans());
      assertThat(query.candidates().size()).as(query.query()).isGreaterThan(1);
      // A hint for the chosen index results in the same plan.
      assertThat(query.exact().rpcs())
          .as(query.query())
          .isEqualTo(query.candidates().get(query.exactScans()).rpcs());
    }
    assertThat(QueryRuns.report(all))
        .contains("Within 1.3 times the RPCs and the time of the best candidate:");
  }

  @Test
  public void seeksFromPrefixToPrefix() throws Exception {
    String table = new LooseIndexScanBenchmark(cluster, true).run();
    // A title, a line below it, and four queries on each of four tables.
    assertThat(table.lines()).hasSize(2 + 4 * 4);
    assertThat(table.lines().skip(2))
        .allMatch(line -> line.matches("\\| [\\d,]+ \\| `.*` \\|( [\\d.]+ \\([^)]*\\) \\|){4}"));
  }

  @Test
  public void opensRegions() throws Exception {
    assertThat(new RegionOpenBenchmark(cluster, true).run().lines())
        .hasSize(2 + 4)
        .last()
        .asString()
        .startsWith("| no coprocessor | ");
  }

  @Test
  public void runsStatementsOnManyRegions() throws Exception {
    // A title, a line below it, seven queries, and six statements that write.
    assertThat(new ManyRegionsBenchmark(cluster, true).run().lines())
        .hasSize(2 + 7 + 6)
        .last()
        .asString()
        .contains("SPLIT ON (19 keys)");
  }

  @Test
  public void fansOut() throws Exception {
    List<String> deaths = new CopyOnWriteArrayList<>();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    int exit =
        FanOutBenchmark.run(
            new PrintStream(out, true, StandardCharsets.UTF_8),
            System.err::println,
            deaths::add,
            "--quick");

    String report = out.toString(StandardCharsets.UTF_8);
    assertThat(exit).as(report).isZero();
    assertThat(deaths).isEmpty();
    // 20 regions on 2 servers, at most 5 in one probe request; stock and exact scan all of them.
    assertThat(report)
        .contains(
            "| 0 | 4 | 4 | 20 | 20 |",
            "| 1 | 4 | 5 | 20 | 20 |",
            "| 10 | 4 | 14 | 20 | 20 |",
            "| 20 | 4 | 24 | 20 | 20 |");
    // Each region reads one block of the index that is not in the cache.
    assertThat(report).contains("| 10 | 20 | 20 |");
    assertThat(report)
        .containsPattern("\\| V = \\? AND K1 = \\? \\| stock \\|( [\\d.]+ \\|){4} 20 \\| 0 \\|")
        .containsPattern("\\| V = \\? \\| exact \\|( [\\d.]+ \\|){4} \\d+ \\| 0 \\|");
  }

  @Test
  public void refusesTooFewRegions() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    assertThat(
            FanOutBenchmark.run(new PrintStream(out), progress -> {}, death -> {}, "--regions=9"))
        .isEqualTo(2);
    assertThat(out.size()).isZero();
  }
}
