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
package io.phoenixpruning.cli.layout;

import io.phoenixpruning.report.format.Figures;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.phoenix.compile.ExplainPlanAttributes;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.compile.ScanRanges;
import org.apache.phoenix.jdbc.PhoenixPreparedStatement;
import org.apache.phoenix.pruning.layout.IndexLayout;
import org.apache.phoenix.pruning.optimize.PlanEstimator;
import org.apache.phoenix.pruning.scan.LooseIndexScan;
import org.apache.phoenix.pruning.scan.LooseIndexScanPlanner;
import org.jspecify.annotations.Nullable;

/**
 * Planned cost of a lookup along an index.
 *
 * @param predicate condition with the values for which it was planned
 * @param planned number of regions to scan, or null in mode stock, which does not report the number
 * @param total number of regions of the table, or null in mode stock
 * @param scans number of scans, each with at least one RPC
 * @param cost optimizer's estimate, as the number of rows that could be read in the same time
 * @param accessPath how the rows are found in a region
 */
record LookupCost(
    String predicate,
    @Nullable Integer planned,
    @Nullable Integer total,
    int scans,
    double cost,
    String accessPath) {

  private static final String FILTER = "SERVER FILTER BY ";

  /** Plans a lookup without running it. */
  static LookupCost of(IndexedTable indexed, IndexLayout layout, PredicateShape shape)
      throws SQLException {
    try (PreparedStatement prepared =
        indexed.connection().prepareStatement(indexed.query(layout, "1", shape.where()))) {
      for (int i = 0; i < shape.values().size(); i++) {
        prepared.setObject(i + 1, shape.values().get(i));
      }
      PhoenixPreparedStatement statement = prepared.unwrap(PhoenixPreparedStatement.class);
      QueryPlan dataPlan = statement.compileQuery();
      QueryPlan plan = statement.optimizeQuery();
      String scanned = plan.getTableRef().getTable().getName().getString();
      ExplainPlanAttributes explained = plan.getExplainPlan().getPlanStepsAsAttributes();
      return new LookupCost(
          shape.text(),
          explained.getRegionsPlanned(),
          explained.getRegionsTotal(),
          plan.getScans().stream().mapToInt(List::size).sum(),
          PlanEstimator.estimate(dataPlan, plan).cost(),
          scanned.equals(layout.index())
              ? describeAccessPath(plan, explained.getServerWhereFilter())
              : "reads " + scanned + " instead");
    }
  }

  /**
   * @param filter line of EXPLAIN, or null if there is no filter
   */
  private static String describeAccessPath(QueryPlan plan, @Nullable String filter)
      throws SQLException {
    ScanRanges ranges = plan.getContext().getScanRanges();
    if (ranges.isPointLookup()) {
      return "one row of a region";
    }
    Optional<LooseIndexScan> loose = LooseIndexScanPlanner.plan(plan);
    if (loose.isPresent()) {
      return loose.get().seeks();
    }
    String tested =
        filter == null
            ? ""
            : filter
                .substring(FILTER.length())
                .replaceFirst("^(FIRST KEY|EMPTY COLUMN) ONLY( AND )?", "");
    return (ranges.useSkipScanFilter() ? "seeks in a region" : "one range of a region")
        + (tested.isEmpty() ? "" : ", filtered by " + tested);
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%s%s, cost %,.0f, %s",
        planned == null || total == null
            ? ""
            : String.format(Locale.ROOT, "%,d of %s, ", planned, Figures.plural(total, "region")),
        Figures.plural(scans, "scan RPC"),
        cost,
        accessPath);
  }
}
