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
package io.phoenixpruning.it.fuzz;

import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.client.Admin;

/** Checks one statement on one table. */
final class FuzzCase {

  private static final AtomicInteger MADE = new AtomicInteger();

  private FuzzCase() {}

  /**
   * Creates the table and makes all checks. Returns a difference between the answers, or empty if
   * there is none.
   */
  static Optional<Disagreement> check(String url, Admin admin, RandomTable table, RandomQuery query)
      throws Exception {
    String prefix = "C" + MADE.incrementAndGet();
    TableGenerator splits = new TableGenerator(new Random(0));
    FuzzReport report = new FuzzReport();
    PhaseTimes times = report.times();
    try (Connections connections = DeployedTable.connections(url);
        DeployedTable deployed =
            new DeployedTable(connections, admin, prefix, table, splits, times)) {
      return check(
          deployed,
          new Oracle(deployed.table(), times),
          query,
          List.of(MetamorphicCheck.values()),
          report);
    }
  }

  /**
   * Compares the answers to a statement. Returns a difference between them, or empty if there is
   * none.
   *
   * @param checks additional checks with the condition of the statement
   */
  static Optional<Disagreement> check(
      DeployedTable deployed,
      Oracle oracle,
      RandomQuery query,
      List<MetamorphicCheck> checks,
      FuzzReport report)
      throws Exception {
    AnswerComparison rows = new AnswerComparison(deployed, oracle, report);
    Optional<Disagreement> disagreement = rows.compare(query);
    if (disagreement.isEmpty()) {
      disagreement =
          new PlannedRegionCheck(deployed, oracle, report, query).compare(rows.plannedRegions());
    }
    for (MetamorphicCheck check : checks) {
      if (disagreement.isPresent()) {
        return disagreement;
      }
      disagreement = report.times().timed("checks", () -> check.check(deployed, query, report));
    }
    return disagreement;
  }
}
