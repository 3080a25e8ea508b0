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
import java.util.List;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** A small run of the benchmark, which measures nothing. */
public class PlanChoiceBenchmarkIT {

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  @Test
  public void quickRun() throws Exception {
    EmbeddedCluster cluster = new EmbeddedCluster(folder.getRoot().toPath());
    try {
      cluster.start();
      List<QueryRuns> all = new PlanChoiceBenchmark(cluster, true).run(List.of());
      assertThat(all).hasSizeGreaterThan(40);
      for (QueryRuns query : all) {
        assertThat(query.candidates()).as(query.query()).containsKeys(query.exactScans());
        assertThat(query.candidates().size()).as(query.query()).isGreaterThan(1);
        // A hint for it makes the same plan.
        assertThat(query.exact().rpcs())
            .as(query.query())
            .isEqualTo(query.candidates().get(query.exactScans()).rpcs());
      }
      assertThat(QueryRuns.report(all))
          .contains("Within 1.3 times the RPCs and the time of the best candidate:");
    } finally {
      cluster.abort();
    }
  }
}
