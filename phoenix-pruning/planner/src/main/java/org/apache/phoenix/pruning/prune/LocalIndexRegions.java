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
package org.apache.phoenix.pruning.prune;

import java.sql.SQLException;
import java.util.List;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.compile.StatementContext;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.iterate.ParallelScanGrouper;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.pruning.layout.DataTables;
import org.apache.phoenix.pruning.metrics.Fallbacks;
import org.apache.phoenix.pruning.predicate.EvaluationBudget;
import org.apache.phoenix.pruning.protocol.DataRowRange;
import org.apache.phoenix.pruning.region.TableRegions;
import org.apache.phoenix.pruning.where.BoundWhere;
import org.apache.phoenix.pruning.where.JoinConditions;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.schema.TableNotFoundException;
import org.jspecify.annotations.Nullable;

/** The regions of a local index that can hold a matching row, for one execution of a statement. */
public final class LocalIndexRegions {

  /**
   * Maximum number of expression nodes to evaluate for a candidate plan in each round of region
   * lookups.
   */
  private static final long NODES_OF_CANDIDATE = EvaluationBudget.NODES / 10;

  private final QueryPlan plan;

  /** Plan for the data table, or null. */
  private final @Nullable QueryPlan dataPlan;

  private final PruningMode mode;
  private final boolean isWhereKnown;
  private final TableRegions regions;

  /** Selector of regions for the statement, or null until it is first needed. */
  private @Nullable RegionSelector selector;

  /**
   * Creates the regions that {@code plan} scans.
   *
   * @param dataPlan the plan for the data table, or null
   * @param isWhereKnown false if subqueries in the WHERE have not been executed yet
   */
  public LocalIndexRegions(
      QueryPlan plan,
      @Nullable QueryPlan dataPlan,
      PruningMode mode,
      boolean isWhereKnown,
      ParallelScanGrouper grouper) {
    StatementContext context = plan.getContext();
    this.plan = plan;
    this.dataPlan = dataPlan;
    this.mode = mode;
    this.isWhereKnown = isWhereKnown;
    this.regions =
        new TableRegions(
            context, grouper, plan.getTableRef().getTable().getPhysicalName().getBytes());
  }

  /** Returns all regions of the table. This object also counts the lookups. */
  public TableRegions ofTable() {
    return regions;
  }

  /** Returns the regions that can hold a matching row, in key order. */
  public List<HRegionLocation> planned() throws SQLException {
    return select(all -> all.regions(regions.locator(), budget(EvaluationBudget.NODES)));
  }

  /**
   * Returns the current regions that can hold a row of a range, after refreshing the cached
   * locations of the range. The list is not empty if the range is that of a planned region.
   */
  public List<HRegionLocation> within(DataRowRange rows) throws SQLException {
    regions.locator().refresh(rows.start(), rows.end());
    return select(all -> all.regionsWithin(rows.start(), rows.end(), regions.locator()));
  }

  /**
   * Returns the first regions that can hold a matching row. Examines at most {@code limit} regions
   * of the key space.
   */
  FirstRegions first(int limit) throws SQLException {
    return select(all -> all.first(limit, regions.locator(), budget(NODES_OF_CANDIDATE)));
  }

  private EvaluationBudget budget(long nodes) {
    return new EvaluationBudget(nodes, plan.getContext().getStatement().getQueryTimeoutInMillis());
  }

  private interface Selection<T> {
    T of(RegionSelector selector) throws SQLException;
  }

  private <T> T select(Selection<T> selection) throws SQLException {
    try {
      return selection.of(selector());
    } catch (RuntimeException e) {
      failed(e);
      selector = KeyConstraints.unknown();
      return selection.of(selector);
    }
  }

  private RegionSelector selector() {
    if (selector == null) {
      selector = mode == PruningMode.NONE ? KeyConstraints.unknown() : ofStatement();
    }
    return selector;
  }

  /**
   * Derives the constraints of the statement. If this fails, all regions are planned, because
   * pruning must not fail a query.
   */
  private RegionSelector ofStatement() {
    StatementContext context = plan.getContext();
    PTable index = plan.getTableRef().getTable();
    try {
      PTable dataTable = DataTables.of(index, dataPlan, context.getConnection());
      return new KeyConstraints(context.getConnection(), dataTable, Fallbacks.GLOBAL)
          .of(
              index,
              isWhereKnown ? boundWhere(context, index) : null,
              JoinConditions.of(context).known());
    } catch (TableNotFoundException e) {
      // DROP TABLE scans the indexes after it has dropped the table.
      return KeyConstraints.unknown();
    } catch (SQLException | RuntimeException e) {
      failed(e);
      return KeyConstraints.unknown();
    }
  }

  private void failed(Exception cause) {
    Fallbacks.GLOBAL.pruningFailed(
        "of " + plan.getTableRef().getTable().getName().getString(), cause);
  }

  /** Returns the WHERE, or null if the context has none over the columns of {@code index}. */
  private static @Nullable Expression boundWhere(StatementContext context, PTable index) {
    BoundWhere where = ((BoundWhere.Holder) (Object) context).getBoundWhere();
    return where != null && where.table().getName().equals(index.getName())
        ? where.expression()
        : null;
  }
}
