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

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.pruning.protocol.PlannedRegion;
import org.junit.Test;

/**
 * Plans random queries on random tables without a cluster, and compares the planned regions with
 * the regions that could hold a row that matches. {@code FuzzIT} runs such queries.
 */
public class PlansTest {

  private static final RunLength LENGTH = RunLength.of("plans.minutes", 15);

  /** Number of queries on each table. Creating a table takes as long as planning many queries. */
  private static final int QUERIES = LENGTH.isTimed() ? 600 : 60;

  /** Number of lists of boundaries that each table has, one after the other, for each query. */
  private static final int LAYOUTS = LENGTH.isTimed() ? 32 : 16;

  /** Plans one of this many queries again, for some lists of boundaries. */
  private static final int AGAIN_EACH = 10;

  /** One of this many lists of boundaries. Planning a query again takes longer than iterating. */
  private static final int AGAIN_LAYOUTS = LAYOUTS / 2;

  private static final int THREADS =
      LENGTH.isTimed() ? Runtime.getRuntime().availableProcessors() : 1;

  @Test
  public void haveAllRegionsThatCanHoldARow() throws Exception {
    long firstSeed = Long.getLong("plans.seed", LENGTH.isTimed() ? System.currentTimeMillis() : 1);
    System.out.println(
        "Seeds from " + firstSeed + "; run them again with -Dplans.seed=" + firstSeed);
    FuzzReport report = new FuzzReport();
    SeedRun run = new SeedRun(LENGTH.start(1), firstSeed);
    run.run(
        THREADS,
        ClusterlessServices::create,
        (seed, services) -> plan(seed, services, run, report));
    System.out.println(report);
    assertThat(report.queries()).isPositive();
  }

  private static void plan(long seed, ClusterlessServices services, SeedRun run, FuzzReport report)
      throws Exception {
    Random random = new Random(seed);
    TableGenerator generator = new TableGenerator(random);
    RandomTable wanted = generator.table();
    try (ConnectionlessTable planned =
        report
            .times()
            .timed(
                "create tables",
                () -> new ConnectionlessTable(services, "P" + seed, wanted, generator, LAYOUTS))) {
      report.countTable();
      Oracle oracle = new Oracle(planned.table(), report.times());
      QueryGenerator queries = new QueryGenerator(random, planned.table());
      for (int i = 0; i < QUERIES && !run.isStopped(); i++) {
        RandomQuery query = report.times().timed("generate", queries::query);
        if (!query.form().isOneScan()) {
          continue;
        }
        Optional<Disagreement> disagreement;
        try {
          disagreement = compare(planned, oracle, query, i, report);
        } catch (SQLException e) {
          report.countRefused(e);
          continue;
        } catch (Exception | StackOverflowError e) {
          throw new AssertionError(
              String.format(
                  "seed %d, query %d: %s on %s", seed, i, query.sql(), wanted.createTable()),
              e);
        }
        report.countQuery(query, 0);
        assertThat(disagreement)
            .as("seed %d, query %d: %s on %s", seed, i, query.sql(), wanted.createTable())
            .isEmpty();
      }
    }
  }

  /**
   * Compares the regions that a query plans in each layout. Phoenix looks up the regions whenever a
   * plan is iterated, so the query is compiled once.
   *
   * @param number number of the query. Some queries are also planned again in some layouts
   */
  private static Optional<Disagreement> compare(
      ConnectionlessTable table, Oracle oracle, RandomQuery query, int number, FuzzReport report)
      throws Exception {
    if (!PlannedRegionCheck.appliesTo(query)) {
      return Optional.empty();
    }
    PhaseTimes times = report.times();
    PlannedRegionCheck comparison = new PlannedRegionCheck(table, oracle, report, query);
    table.use(0);
    try (PreparedStatement statement = times.timed("parse", () -> table.prepare(query))) {
      QueryPlan plan = times.timed("plan", () -> ConnectionlessTable.plan(statement));
      for (int layout = 0; layout < LAYOUTS; layout++) {
        table.use(layout);
        List<PlannedRegion> regions =
            times.timed("iterate", () -> ConnectionlessTable.iterate(plan));
        List<PlannedRegion> others =
            isPlannedAgain(number, layout) ? plannedAgain(table, query) : null;
        // Costs can choose the data table for one layout, and the index for another.
        if (regions != null && others != null) {
          assertThat(others).as("planned again: %s", query.sql()).isEqualTo(regions);
        }
        Optional<Disagreement> disagreement = comparison.compare(regions);
        if (disagreement.isPresent()) {
          return disagreement;
        }
      }
    }
    return Optional.empty();
  }

  private static boolean isPlannedAgain(int number, int layout) {
    return number % AGAIN_EACH == 0 && (layout - number / AGAIN_EACH) % AGAIN_LAYOUTS == 0;
  }

  private static List<PlannedRegion> plannedAgain(ConnectionlessTable table, RandomQuery query)
      throws SQLException {
    try (PreparedStatement statement = table.prepare(query)) {
      return ConnectionlessTable.iterate(ConnectionlessTable.plan(statement));
    }
  }
}
