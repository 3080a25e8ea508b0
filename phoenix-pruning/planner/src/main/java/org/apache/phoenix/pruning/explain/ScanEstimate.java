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
package org.apache.phoenix.pruning.explain;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.apache.phoenix.execute.BaseQueryPlan;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.pruning.layout.DataTables;
import org.apache.phoenix.pruning.optimize.PlanEstimate;
import org.apache.phoenix.pruning.optimize.PlanEstimator;
import org.apache.phoenix.pruning.stats.TableStatistics;
import org.apache.phoenix.schema.PColumn;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.util.ScanUtil;

/** Estimated cost of one scan of a plan, with the columns that the scan uses. Immutable. */
public final class ScanEstimate {

  private final ScanSummary summary;
  private final PlanEstimate cost;
  private final ColumnConditions conditions;
  private final Set<PColumn> readColumns;
  private final int scansWithStatistics;

  private final boolean isWhereKnown;

  private ScanEstimate(BaseQueryPlan plan, boolean isWhereKnown) throws SQLException {
    this.isWhereKnown = isWhereKnown;
    // Must come first: EXPLAIN prepares the scan, which then no longer lists the columns.
    this.readColumns = ReadColumns.of(plan);
    this.summary = ScanSummary.of(plan);
    this.cost = PlanEstimator.estimate(plan);
    this.conditions = ColumnConditions.of(plan);
    this.scansWithStatistics =
        summary.regionsPlanned().orElse(0) + (int) (cost.bytesInRange() * guidepostsPerByte(plan));
  }

  private static double guidepostsPerByte(BaseQueryPlan plan) throws SQLException {
    PhoenixConnection connection = plan.getContext().getConnection();
    PTable table = DataTables.of(plan.getTableRef().getTable(), connection);
    TableStatistics statistics = TableStatistics.of(connection, table);
    return statistics.isKnown() && ScanUtil.getStatsForParallelizationProp(connection, table)
        ? 1 / statistics.bytesPerGuidepost()
        : 0;
  }

  /**
   * Plans a statement without executing it. See {@link PlanSummary#of}.
   *
   * @return an estimate for each scan, in the order of {@link PlanSummary#scans}
   */
  public static List<ScanEstimate> of(Connection connection, String sql, Object... binds)
      throws SQLException {
    return StatementCompiler.compile(
        connection,
        sql,
        binds,
        (plan, query) -> {
          ScanCollector collector = new ScanCollector();
          if (query != null) {
            query.accept(collector);
          }
          List<ScanEstimate> scans = new ArrayList<>();
          for (BaseQueryPlan scan : collector.scans()) {
            scans.add(new ScanEstimate(scan, !collector.hasScalarSubquery(scan)));
          }
          return Collections.unmodifiableList(scans);
        });
  }

  public ScanSummary summary() {
    return summary;
  }

  /**
   * Returns whether the WHERE of the scan is planned. Phoenix compiles a WHERE with a scalar
   * subquery only at execution. The plan, regions and cost of such a scan are those without the
   * WHERE.
   */
  public boolean isWhereKnown() {
    return isWhereKnown;
  }

  public PlanEstimate cost() {
    return cost;
  }

  /**
   * Estimates how many scans the client would make if a new index already had statistics. The
   * estimate is one scan for each planned region, and one for each guidepost expected in the key
   * range.
   */
  public int scansWithStatistics() {
    return scansWithStatistics;
  }

  /** Returns the conditions of the statement on columns of the table. */
  public ColumnConditions conditions() {
    return conditions;
  }

  /**
   * Returns the columns that the scan reads and that are not in its row key. If the columns read
   * are not known, returns all columns outside the row key.
   */
  public Set<PColumn> readColumns() {
    return readColumns;
  }
}
