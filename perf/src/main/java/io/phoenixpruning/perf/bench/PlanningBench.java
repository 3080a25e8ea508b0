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

import io.phoenixpruning.perf.harness.Result;
import io.phoenixpruning.perf.harness.Summary;
import io.phoenixpruning.perf.harness.View;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.jdbc.PhoenixPreparedStatement;
import picocli.CommandLine.Command;

/** Implements {@code pruning bench planning}. */
@Command(
    name = "planning",
    description = {
      "Measures planning without a cluster, with JMH: time and allocated bytes from a compiled"
          + " statement to its scans, for tables of up to 100,000 regions. The planner 'stock'"
          + " uses stock Phoenix's jars, in JVMs that take turns with ours."
    },
    mixinStandardHelpOptions = true)
final class PlanningBench extends JmhBench {

  PlanningBench() {
    super(PlanningBenchmark.class);
  }

  @Override
  public List<View> views() {
    return List.of(
        View.of("Planning time", "time", PLANNER, CONDITION, REGIONS)
            .comparedWith(STOCK)
            .linesBy(REGIONS),
        View.of(
                "Allocation, including compilation of the statement",
                "allocation",
                PLANNER,
                CONDITION,
                REGIONS)
            .comparedWith(STOCK)
            .linesBy(REGIONS),
        View.of(
                "Planned regions (stock: our jars in mode stock)",
                "planned",
                PLANNER,
                CONDITION,
                REGIONS)
            .linesBy(REGIONS));
  }

  @Override
  protected List<Result> otherResults(
      Map<String, String> at, int size, LeadingColumnCondition condition) throws SQLException {
    Summary planned = Summary.of(planned(size, condition, Objects.requireNonNull(at.get(PLANNER))));
    return List.of(new Result(at, "planned", "regions", planned));
  }

  /**
   * Counts the planned regions in this JVM, with our jars. Mode stock stands for Phoenix's jars.
   */
  private static int planned(int size, LeadingColumnCondition condition, String mode)
      throws SQLException {
    try (PlannedTable table =
            new PlannedTable(
                "P_%d_%s_%s".formatted(size, condition, mode),
                size,
                mode,
                "LOCAL INDEX i_%s ON %s (v2)");
        PreparedStatement query = table.query("/*+ INDEX(%s i_%s) */", condition)) {
      QueryPlan plan = query.unwrap(PhoenixPreparedStatement.class).optimizeQuery();
      plan.iterator();
      return plan.getScans().size();
    }
  }
}
