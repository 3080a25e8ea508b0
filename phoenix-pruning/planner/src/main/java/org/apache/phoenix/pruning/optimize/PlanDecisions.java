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

import java.sql.SQLException;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.jdbc.PhoenixStatement;
import org.apache.phoenix.parse.HintNode;
import org.apache.phoenix.parse.HintNode.Hint;
import org.apache.phoenix.parse.SelectStatement;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.pruning.config.PruningOptions;
import org.apache.phoenix.schema.PTable.IndexType;
import org.apache.phoenix.schema.TableRef;
import org.jspecify.annotations.Nullable;

/** Decisions between plans for a statement, one for each of its tables. */
public final class PlanDecisions {

  /**
   * Holds the decisions with the statement, because a join is compiled again after the decisions
   * are made.
   */
  public interface Holder {
    PlanDecisions getPlanDecisions();
  }

  private static final Set<Hint> HINTS =
      EnumSet.of(Hint.NO_INDEX, Hint.USE_DATA_OVER_INDEX_TABLE, Hint.USE_INDEX_OVER_DATA_TABLE);

  /** Decisions by the name and the alias of the scanned table or index. */
  private final Map<List<String>, PlanDecision> byScanned = new ConcurrentHashMap<>();

  /**
   * Names of the tables and indexes chosen for tables with local indexes; null if there are none.
   */
  private volatile @Nullable Set<String> pinned;

  private static List<String> key(TableRef scanned) {
    String alias = scanned.getTableAlias();
    return Arrays.asList(scanned.getTable().getName().getString(), alias == null ? "" : alias);
  }

  /** Removes the decisions for the previous statement. */
  public void clear() {
    byScanned.clear();
    pinned = null;
  }

  /**
   * Records the choice of {@code chosen} if the table has a local index. Readers in other processes
   * need the name of the chosen table or index. The reasons are recorded only if EXPLAIN shows
   * candidates.
   */
  public static void record(PhoenixStatement statement, QueryPlan dataPlan, QueryPlan chosen)
      throws SQLException {
    if (dataPlan.getTableRef().getTable().getIndexes().stream()
        .noneMatch(index -> index.getIndexType() == IndexType.LOCAL)) {
      return;
    }
    PruningOptions options = PruningOptions.of(statement.getConnection());
    PlanDecisions decisions = ((Holder) (Object) statement).getPlanDecisions();
    if (options.mode() != PruningMode.STOCK) {
      decisions.pin(String.valueOf(chosen.getTableRef().getTable().getName()));
    }
    if (options.explainCandidates()) {
      decisions.byScanned.put(key(chosen.getTableRef()), decision(dataPlan, chosen, options));
    }
  }

  /**
   * Returns whether {@code scanned} was chosen for a table with local indexes. Readers of its scans
   * must then choose the same table or index.
   */
  boolean hasPinned(TableRef scanned) {
    Set<String> names = pinned;
    return names != null && names.contains(String.valueOf(scanned.getTable().getName()));
  }

  private synchronized void pin(String name) {
    if (pinned == null) {
      pinned = Collections.newSetFromMap(new ConcurrentHashMap<>());
    }
    pinned.add(name);
  }

  private static PlanDecision decision(
      QueryPlan dataPlan, QueryPlan chosen, PruningOptions options) {
    HintNode hint = ((SelectStatement) dataPlan.getStatement()).getHint();
    if (chosen.getTableRef().isHinted() || HINTS.stream().anyMatch(hint::hasHint)) {
      return PlanDecision.of(chosen, "HINT");
    }
    if (options.mode() != PruningMode.EXACT) {
      return PlanDecision.of(chosen, "MODE " + options.mode().name());
    }
    PlanDecision recorded = ((PlanDecision.Holder) (Object) chosen.getContext()).getPlanDecision();
    if (recorded != null) {
      return recorded;
    }
    boolean isPointLookup = chosen.getContext().getScanRanges().isPointLookup();
    return PlanDecision.of(chosen, isPointLookup ? "POINT LOOKUP" : "ONLY CANDIDATE");
  }

  /** Returns the lines of EXPLAIN for a scan of {@code scanned}; may be empty. */
  public List<String> lines(TableRef scanned) {
    PlanDecision decision = byScanned.get(key(scanned));
    return decision == null ? Collections.emptyList() : decision.lines();
  }
}
