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
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.pruning.protocol.PlanStamp;
import org.apache.phoenix.schema.TableNotFoundException;
import org.jspecify.annotations.Nullable;

/**
 * Scope in which a thread compiles a statement to read existing scans. Within the scope, the
 * statement is compiled with the table or index for which the scans were planned.
 */
public final class PinnedCompilation implements AutoCloseable {

  private static final ThreadLocal<PinnedCompilation> CURRENT = new ThreadLocal<>();

  private final List<Scan> scans;

  /** Stamp of the scans, or null if they have none. */
  private final @Nullable PlanStamp stamp;

  private final @Nullable PinnedCompilation outer = CURRENT.get();

  private PinnedCompilation(List<Scan> scans) throws SQLException {
    this.scans = scans;
    this.stamp = PlanStamp.of(scans.get(0));
  }

  /**
   * Begins a scope in which this thread compiles a statement for existing scans.
   *
   * @param scans the scans of one plan; at least one
   */
  public static PinnedCompilation begin(List<Scan> scans) throws SQLException {
    PinnedCompilation compilation = new PinnedCompilation(scans);
    CURRENT.set(compilation);
    return compilation;
  }

  /**
   * Returns the candidates that may read the scans for which this thread compiles. Returns null if
   * the thread compiles for no scans, or if the usual rules make the choice.
   */
  public static @Nullable List<QueryPlan> restrict(List<QueryPlan> candidates) {
    PinnedCompilation current = CURRENT.get();
    return current == null
            || (current.stamp == null && ConnectionMode.of(candidates.get(0)) == PruningMode.STOCK)
        ? null
        : current.readers(candidates);
  }

  /**
   * Returns the candidates that may read the scans. If there is no such candidate, returns all
   * candidates, and {@link #check} later refuses the chosen plan.
   *
   * <p>Scans without a stamp were planned by Phoenix's rules. If they read no local index, the
   * table had no local index when they were planned.
   */
  private List<QueryPlan> readers(List<QueryPlan> candidates) {
    List<QueryPlan> readers = candidates.stream().filter(this::canRead).collect(toList());
    return readers.isEmpty() ? candidates : readers;
  }

  private boolean canRead(QueryPlan candidate) {
    return stamp == null
        ? PlanStampCheck.isOfSameKind(candidate, scans.get(0))
        : stamp.isOf(candidate.getTableRef().getTable());
  }

  /**
   * Checks that {@code plan} can read the scans.
   *
   * @throws SQLException if the plan cannot read the scans. The message names the planned table or
   *     index, the compiled table or index, and a remedy
   */
  public void check(QueryPlan plan) throws SQLException {
    for (Scan scan : scans) {
      PlanStampCheck.check(plan, scan);
    }
  }

  /**
   * Returns an explanation of a failed compilation if a table or an index no longer exists. The
   * message names the planned table or index, and a remedy. Returns empty for other failures.
   */
  public Optional<SQLException> explain(RuntimeException failure) {
    return stamp != null && failure.getCause() instanceof TableNotFoundException
        ? Optional.of(
            new SQLException(
                "Scans were planned for "
                    + stamp.name()
                    + ", but this reader cannot compile its statement: "
                    + failure.getCause().getMessage()
                    + ". "
                    + PlanStampCheck.REMEDY,
                failure))
        : Optional.empty();
  }

  @Override
  public void close() {
    if (outer == null) {
      CURRENT.remove();
    } else {
      CURRENT.set(outer);
    }
  }
}
