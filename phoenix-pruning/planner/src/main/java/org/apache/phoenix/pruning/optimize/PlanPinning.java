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
package org.apache.phoenix.pruning.optimize;

import static java.util.stream.Collectors.toList;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.execute.BaseQueryPlan;
import org.apache.phoenix.execute.DelegateQueryPlan;
import org.apache.phoenix.execute.UnionPlan;
import org.apache.phoenix.iterate.DefaultParallelScanGrouper;
import org.apache.phoenix.iterate.ParallelScanGrouper;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.pruning.config.PruningOptions;
import org.apache.phoenix.pruning.protocol.PlanStamp;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.schema.PTable.IndexType;
import org.apache.phoenix.schema.PTableType;
import org.apache.phoenix.schema.TableNotFoundException;
import org.apache.phoenix.util.ScanUtil;
import org.jspecify.annotations.Nullable;

/**
 * Ensures that readers in other processes use the plan for which their scans were made.
 *
 * <p>MapReduce, Spark and Trino send scans to tasks, and each task compiles the statement again. If
 * statistics, settings or indexes have changed by then, the task can choose another plan.
 *
 * <ol>
 *   <li>The process that plans marks its scans with a {@link PlanStamp}.
 *   <li>A task of MapReduce compiles with the table or index of that stamp.
 *   <li>A reader with another plan is rejected, because it would misread the rows.
 * </ol>
 *
 * <p>The class does not affect statements that read their own scans, tables without local indexes,
 * and mode {@code stock}.
 */
public final class PlanPinning {

  /** Holds the stamp of a plan with its context. */
  public interface Holder {

    /** Returns the stamp, or null if it has not been needed yet. */
    @Nullable PlanStamp getPlanStamp();

    void setPlanStamp(PlanStamp stamp);
  }

  private static final String REMEDY =
      "Plan the scans again (restart the job), or choose the index in the statement with the hint"
          + " INDEX or NO_INDEX";

  private static final ThreadLocal<Reading> READING = new ThreadLocal<>();

  private PlanPinning() {}

  /** Scope in which a statement is compiled to read existing scans. Closing it ends the scope. */
  public static final class Reading implements AutoCloseable {

    private final List<Scan> scans;

    /** Stamp of the scans, or null if they have none. */
    private final @Nullable PlanStamp stamp;

    private final @Nullable Reading outer = READING.get();

    private Reading(List<Scan> scans) throws SQLException {
      this.scans = scans;
      this.stamp = PlanStamp.of(scans.get(0));
      READING.set(this);
    }

    /**
     * Checks that {@code plan} can read the scans.
     *
     * @throws SQLException if the plan cannot read the scans. The message names the planned table
     *     or index, the compiled table or index, and a remedy
     */
    public void check(QueryPlan plan) throws SQLException {
      for (Scan scan : scans) {
        PlanPinning.check(plan, scan);
      }
    }

    /**
     * Returns an explanation of a failed compilation if a table or an index no longer exists. The
     * message names the planned table or index, and a remedy. Returns empty for other failures.
     */
    public Optional<SQLException> explained(RuntimeException failure) {
      return stamp != null && failure.getCause() instanceof TableNotFoundException
          ? Optional.of(
              new SQLException(
                  "Scans were planned for "
                      + stamp.name()
                      + ", but this reader cannot compile its statement: "
                      + failure.getCause().getMessage()
                      + ". "
                      + REMEDY,
                  failure))
          : Optional.empty();
    }

    /**
     * Returns the candidates that may read the scans. If there is no such candidate, returns all
     * candidates, and {@link #check} later rejects the chosen plan.
     *
     * <p>Scans without a stamp were planned by Phoenix's rules. If they read no local index, none
     * existed when they were planned.
     */
    List<QueryPlan> among(List<QueryPlan> candidates) {
      List<QueryPlan> wanted = candidates.stream().filter(this::isWanted).collect(toList());
      return wanted.isEmpty() ? candidates : wanted;
    }

    private boolean isWanted(QueryPlan candidate) {
      return stamp == null
          ? isOfSameKind(candidate, scans.get(0))
          : stamp.isOf(candidate.getTableRef().getTable());
    }

    @Override
    public void close() {
      if (outer == null) {
        READING.remove();
      } else {
        READING.set(outer);
      }
    }
  }

  /**
   * Begins a scope in which this thread compiles a statement for existing scans.
   *
   * @param scans the scans of one plan; at least one
   */
  public static Reading reading(List<Scan> scans) throws SQLException {
    return new Reading(scans);
  }

  /**
   * Returns the candidates that may read the scans for which this thread compiles. Returns null if
   * the thread compiles for no scans, or if the usual rules make the choice.
   */
  public static @Nullable List<QueryPlan> pinned(List<QueryPlan> candidates) {
    Reading reading = READING.get();
    return reading == null || (reading.stamp == null && isStock(candidates.get(0)))
        ? null
        : reading.among(candidates);
  }

  private static boolean isStock(QueryPlan plan) {
    try {
      return PruningOptions.modeOf(plan.getContext().getConnection()) == PruningMode.STOCK;
    } catch (SQLException e) {
      throw new IllegalStateException("the options were checked when the connection was made", e);
    }
  }

  /**
   * Marks the scans that {@code plan} makes from {@code template}, if other processes read them.
   */
  public static void mark(QueryPlan plan, Scan template, @Nullable ParallelScanGrouper grouper) {
    if (!isOfStatement(grouper)
        && ((PlanDecisions.Holder) (Object) plan.getContext().getStatement())
            .getPlanChoices()
            .hasPinned(plan.getTableRef())) {
      stamp(plan).mark(template);
    }
  }

  /**
   * Checks that {@code plan} can read {@code scan}, which may come from another process.
   *
   * @throws SQLException if the plan cannot read the scan. The message names the planned table or
   *     index, the compiled table or index, and a remedy
   */
  public static void check(QueryPlan plan, Scan scan, @Nullable ParallelScanGrouper grouper)
      throws SQLException {
    if (!isOfStatement(grouper)) {
      check(plan, scan);
    }
  }

  private static void check(QueryPlan plan, Scan scan) throws SQLException {
    PlanStamp planned = PlanStamp.of(scan);
    if (planned == null && isStock(plan)) {
      return;
    }
    List<QueryPlan> scanning = new ArrayList<>();
    addScanning(plan, scanning);
    if (planned == null) {
      checkUnmarked(scanning, scan);
    } else if (!scanning.isEmpty()
        && scanning.stream().noneMatch(part -> stamp(part).equals(planned))) {
      throw new SQLException(
          "Scans were planned "
              + stamp(scanning.get(0)).differenceFrom(planned)
              + ". The reader would misread their rows, because statistics, settings or indexes"
              + " have changed. "
              + REMEDY);
    }
  }

  /** Refuses to read data rows as rows of a local index, or the reverse. */
  private static void checkUnmarked(List<QueryPlan> scanning, Scan scan) throws SQLException {
    if (!scanning.isEmpty() && scanning.stream().noneMatch(part -> isOfSameKind(part, scan))) {
      throw new SQLException(
          "Scans were planned for "
              + (ScanUtil.isLocalIndex(scan) ? "a local index" : "the rows of a table")
              + ", but this reader has compiled its statement for "
              + scanning.get(0).getTableRef().getTable().getName()
              + ". The reader would misread their rows, because indexes or settings have changed. "
              + REMEDY);
    }
  }

  private static boolean isOfSameKind(QueryPlan plan, Scan scan) {
    PTable table = plan.getTableRef().getTable();
    boolean isLocal = table.getIndexType() == IndexType.LOCAL;
    // The projected table of a join does not show whether an index is scanned.
    return table.getType() == PTableType.PROJECTED || isLocal == ScanUtil.isLocalIndex(scan);
  }

  /** Returns whether the scans are read by their own statement, in this process. */
  private static boolean isOfStatement(@Nullable ParallelScanGrouper grouper) {
    return grouper == null || grouper.getClass() == DefaultParallelScanGrouper.class;
  }

  /** Adds the parts of {@code plan} that make scans. */
  private static void addScanning(QueryPlan plan, List<QueryPlan> scanning) {
    if (plan instanceof BaseQueryPlan) {
      scanning.add(plan);
    } else if (plan instanceof DelegateQueryPlan) {
      addScanning(((DelegateQueryPlan) plan).getDelegate(), scanning);
    } else if (plan instanceof UnionPlan) {
      ((UnionPlan) plan).getSubPlans().forEach(part -> addScanning(part, scanning));
    }
  }

  private static PlanStamp stamp(QueryPlan plan) {
    Holder holder = (Holder) (Object) plan.getContext();
    PlanStamp stamp = holder.getPlanStamp();
    if (stamp == null) {
      stamp = PlanStamp.of(plan);
      holder.setPlanStamp(stamp);
    }
    return stamp;
  }
}
