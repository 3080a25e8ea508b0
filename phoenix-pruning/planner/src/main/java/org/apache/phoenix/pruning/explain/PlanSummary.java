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

/** What a statement would read, scan by scan. Immutable. */
public final class PlanSummary {

  private final List<ScanSummary> scans;
  private final List<String> steps;

  private PlanSummary(List<ScanSummary> scans, List<String> steps) {
    this.scans = Collections.unmodifiableList(scans);
    this.steps = Collections.unmodifiableList(steps);
  }

  /**
   * Plans {@code sql} as {@code connection} would run it, and does not run it, nor any part of it.
   * What is only known when it runs, such as the keys that a join reads, is not known here: more
   * regions may be planned.
   *
   * @param connection one of Phoenix
   * @param sql a SELECT, an UPSERT or a DELETE
   * @param binds the values of its parameters, in their order
   * @throws SQLException if it is another statement, or Phoenix refuses it
   */
  public static PlanSummary of(Connection connection, String sql, Object... binds)
      throws SQLException {
    return CompiledStatement.with(connection, sql, binds, PlanSummary::of);
  }

  /**
   * The summary of a plan.
   *
   * @param query what reads rows; null if nothing does
   */
  private static PlanSummary of(StatementPlan plan, QueryPlan query) throws SQLException {
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
   * The same plan with only the scans that want rows of one table or view, by the table itself or
   * by an index.
   *
   * @param name as in SQL: in any case unless it is quoted; the schema may be left out
   */
  public PlanSummary ofTable(String name) {
    return new PlanSummary(
        scans.stream().filter(scan -> scan.isOfTable(name)).collect(Collectors.toList()), steps);
  }

  /** One for each table that is read, as often as it is, in the order of EXPLAIN. */
  public List<ScanSummary> scans() {
    return scans;
  }

  /** The lines of EXPLAIN; only those of the scans, if there is a hash join in a UNION. */
  public List<String> steps() {
    return steps;
  }

  /** How many regions are planned, over all scans; empty if EXPLAIN does not say it of one. */
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

  /** How many scans the client makes, over all {@link #scans()}. */
  public int clientScans() {
    return scans.stream().mapToInt(ScanSummary::clientScans).sum();
  }

  /** A line for each scan. */
  @Override
  public String toString() {
    return scans.isEmpty()
        ? "reads no table"
        : scans.stream().map(ScanSummary::toString).collect(Collectors.joining("\n"));
  }
}
