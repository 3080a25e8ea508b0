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
import org.apache.phoenix.pruning.plan.PruningMode;
import org.apache.phoenix.pruning.plan.PruningOptions;
import org.apache.phoenix.pruning.protocol.PlanStamp;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.schema.PTable.IndexType;
import org.apache.phoenix.schema.PTableType;
import org.apache.phoenix.schema.TableNotFoundException;
import org.apache.phoenix.util.ScanUtil;

/**
 * Keeps readers of other processes to the plan that their scans belong to.
 *
 * <p>MapReduce, Spark and Trino send scans to tasks, and each task compiles the statement again.
 * Statistics, settings or indexes may differ by then, and with them the choice of the plan. (1) The
 * process that plans marks its scans with a {@link PlanStamp}. (2) A task of MapReduce compiles
 * with the table or index of that stamp. (3) Whoever reads with another plan is refused, as it
 * would misread the rows.
 *
 * <p>Statements that read their own scans are left alone, and so are tables without local indexes
 * and mode {@code stock}.
 */
public final class PlanPinning {

  /** Keeps the stamp of a plan with its context. */
  public interface Holder {

    /** Null until it is needed. */
    PlanStamp getPlanStamp();

    void setPlanStamp(PlanStamp stamp);
  }

  private static final String REMEDY =
      "Plan the scans again (start the job again), or name the index in the statement with the hint"
          + " INDEX or NO_INDEX";

  private static final ThreadLocal<Reading> READING = new ThreadLocal<>();

  private PlanPinning() {}

  /** The compilation of a statement to read scans that exist. It ends when it is closed. */
  public static final class Reading implements AutoCloseable {

    private final List<Scan> scans;

    /** Null if the scans have none. */
    private final PlanStamp stamp;

    private final Reading outer = READING.get();

    private Reading(List<Scan> scans) throws SQLException {
      this.scans = scans;
      this.stamp = PlanStamp.of(scans.get(0));
      READING.set(this);
    }

    /**
     * Refuses a plan that cannot read the scans.
     *
     * @throws SQLException that says what was planned, what was compiled, and what can be done
     */
    public void check(QueryPlan plan) throws SQLException {
      for (Scan scan : scans) {
        PlanPinning.check(plan, scan);
      }
    }

    /**
     * Explains a failure to compile: if a table or an index is gone, it says what was planned and
     * what can be done. Empty for other failures.
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
     * Returns the candidates that may read the scans: the one that planned them. Returns all if it
     * is not among them; {@link #check} refuses the plan then.
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
   * Lets this thread compile for scans that exist.
   *
   * @param scans of one plan, at least one
   */
  public static Reading reading(List<Scan> scans) throws SQLException {
    return new Reading(scans);
  }

  /**
   * Returns those of {@code candidates} that may read the scans for which this thread compiles;
   * null if it does not compile for any, or leaves the choice to the usual rules.
   */
  public static List<QueryPlan> pinned(List<QueryPlan> candidates) {
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

  /** Marks the scans that {@code plan} makes of {@code template}, if other processes read them. */
  public static void mark(QueryPlan plan, Scan template, ParallelScanGrouper grouper) {
    if (!isOfStatement(grouper)
        && ((PlanChoices.Holder) (Object) plan.getContext().getStatement())
            .getPlanChoices()
            .hasPinned(plan.getTableRef())) {
      stamp(plan).mark(template);
    }
  }

  /**
   * Refuses a plan that cannot read {@code scan}, which may be of another process.
   *
   * @throws SQLException that says what was planned, what was compiled, and what can be done
   */
  public static void check(QueryPlan plan, Scan scan, ParallelScanGrouper grouper)
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
              + ", so it would misread their rows: statistics, settings or indexes have changed in"
              + " between. "
              + REMEDY);
    }
  }

  /** Refuses to read data rows as rows of a local index, or the other way round. */
  private static void checkUnmarked(List<QueryPlan> scanning, Scan scan) throws SQLException {
    if (!scanning.isEmpty() && scanning.stream().noneMatch(part -> isOfSameKind(part, scan))) {
      throw new SQLException(
          "Scans were planned for "
              + (ScanUtil.isLocalIndex(scan) ? "a local index" : "the rows of a table")
              + ", but this reader has compiled its statement for "
              + scanning.get(0).getTableRef().getTable().getName()
              + ", so it would misread their rows: indexes or settings have changed in between. "
              + REMEDY);
    }
  }

  private static boolean isOfSameKind(QueryPlan plan, Scan scan) {
    PTable table = plan.getTableRef().getTable();
    boolean isLocal = table.getIndexType() == IndexType.LOCAL;
    // The projected table of a join does not tell.
    return table.getType() == PTableType.PROJECTED || isLocal == ScanUtil.isLocalIndex(scan);
  }

  /** Statements of this process read their scans themselves. */
  private static boolean isOfStatement(ParallelScanGrouper grouper) {
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
