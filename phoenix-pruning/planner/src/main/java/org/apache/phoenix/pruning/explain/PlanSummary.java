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
import java.util.OptionalInt;
import java.util.stream.Collectors;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.compile.StatementPlan;
import org.apache.phoenix.execute.BaseQueryPlan;
import org.apache.phoenix.iterate.ExplainTable;
import org.jspecify.annotations.Nullable;

/** Summary of the scans that a statement would make. Immutable. */
public final class PlanSummary {

  private final List<ScanSummary> scans;
  private final List<String> steps;

  private PlanSummary(List<ScanSummary> scans, List<String> steps) {
    this.scans = Collections.unmodifiableList(scans);
    this.steps = Collections.unmodifiableList(steps);
  }

  /**
   * Plans {@code sql} as {@code connection} would run it. No part of the statement is executed.
   *
   * <p>Some values are known only at execution, such as the keys that a join reads. Without these
   * values, more regions may be planned.
   *
   * @param connection a Phoenix connection
   * @param sql a SELECT, an UPSERT or a DELETE
   * @param binds the values of the parameters, in order
   * @throws SQLException if {@code sql} is a statement of another kind, or if Phoenix refuses it
   */
  public static PlanSummary of(Connection connection, String sql, Object... binds)
      throws SQLException {
    return StatementCompiler.compile(connection, sql, binds, PlanSummary::of);
  }

  /**
   * Summarizes a plan.
   *
   * @param query the plan that reads rows, or null if the statement reads no rows
   */
  private static PlanSummary of(StatementPlan plan, @Nullable QueryPlan query) throws SQLException {
    ScanCollector collector = new ScanCollector();
    if (query != null) {
      query.accept(collector);
    }
    List<ScanSummary> scans = new ArrayList<>();
    List<String> steps = new ArrayList<>();
    for (BaseQueryPlan scan : collector.scans()) {
      scans.add(ScanSummary.of(scan));
      if (collector.hasJoinInUnion()) {
        steps.addAll(scan.getExplainPlan().getPlanSteps());
      }
    }
    if (!collector.hasJoinInUnion()) {
      steps.addAll(plan.getExplainPlan().getPlanSteps());
    }
    return new PlanSummary(
        scans,
        steps.stream()
            .filter(step -> !step.contains(ExplainTable.REGION_LOCATIONS))
            .collect(Collectors.toList()));
  }

  /**
   * Returns the same plan with only the scans for rows of one table or view. A scan may read the
   * table itself or an index.
   *
   * @param name a name as in SQL, case-insensitive unless quoted; the schema is optional
   */
  public PlanSummary forTable(String name) {
    return new PlanSummary(
        scans.stream().filter(scan -> scan.readsTable(name)).collect(Collectors.toList()), steps);
  }

  /**
   * Returns one summary for each scan, in the order of EXPLAIN. A table that is read several times
   * has several scans.
   */
  public List<ScanSummary> scans() {
    return scans;
  }

  /**
   * Returns the lines of EXPLAIN. If a UNION contains a hash join, returns only the lines of the
   * scans.
   */
  public List<String> steps() {
    return steps;
  }

  /**
   * Returns the number of planned regions of all scans, or empty if EXPLAIN does not report the
   * number for one of the scans.
   */
  public OptionalInt regionsPlanned() {
    int sum = 0;
    for (ScanSummary scan : scans) {
      if (!scan.regionsPlanned().isPresent()) {
        return OptionalInt.empty();
      }
      sum += scan.regionsPlanned().getAsInt();
    }
    return OptionalInt.of(sum);
  }

  /** Returns the number of scans that the client makes for all {@link #scans()}. */
  public int clientScans() {
    return scans.stream().mapToInt(ScanSummary::clientScans).sum();
  }

  /** Returns a line for each scan. */
  @Override
  public String toString() {
    return scans.isEmpty()
        ? "reads no table"
        : scans.stream().map(ScanSummary::toString).collect(Collectors.joining("\n"));
  }
}
