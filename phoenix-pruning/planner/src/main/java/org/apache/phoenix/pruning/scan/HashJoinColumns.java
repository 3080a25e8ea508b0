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
package org.apache.phoenix.pruning.scan;

import java.sql.SQLException;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.execute.HashJoinPlan;
import org.apache.phoenix.execute.HashJoinPlan.SubPlan;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.expression.RowValueConstructorExpression;
import org.apache.phoenix.parse.JoinTableNode.JoinType;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.pruning.where.JoinConditions;
import org.apache.phoenix.pruning.where.JoinKeys;
import org.jspecify.annotations.Nullable;

/**
 * Columns by which a hash join compares its probe side with one of its build sides. If the probe
 * side is a scan of a local index, the values of the build side prune the scan.
 */
public final class HashJoinColumns {

  /** Build side of a hash join. */
  public interface BuildSide {
    HashJoinColumns joinColumns();
  }

  private final int join;
  private final @Nullable List<Expression> hashExpressions;
  private final @Nullable Expression probeRange;
  private final @Nullable Expression buildRange;

  /**
   * Creates the columns of one build side.
   *
   * @param join the position of the build side among those of the join
   * @param hashExpressions the columns of the build side in the hash table, or null if the join
   *     only adds a condition to the WHERE of the probe side
   * @param probeRange the columns of the probe side in this condition, or null if there is none
   * @param buildRange the columns of the build side in this condition, or null if there is none
   */
  public HashJoinColumns(
      int join,
      @Nullable List<Expression> hashExpressions,
      @Nullable Expression probeRange,
      @Nullable Expression buildRange) {
    this.join = join;
    this.hashExpressions = hashExpressions;
    this.probeRange = probeRange;
    this.buildRange = buildRange;
  }

  /** Announces the columns of all build sides whose keys will prune the probe side. */
  public static void announce(HashJoinPlan plan) {
    try {
      if (isPruned(plan)) {
        for (SubPlan subPlan : plan.getSubPlans()) {
          if (subPlan instanceof BuildSide) {
            ((BuildSide) subPlan).joinColumns().announceTo(plan);
          }
        }
      }
    } catch (SQLException | RuntimeException e) {
      JoinKeyReader.recordFailure(e);
    }
  }

  private void announceTo(HashJoinPlan plan) {
    if (isSelective(plan)) {
      QueryPlan probe = plan.getDelegate();
      JoinConditions.of(probe.getContext())
          .announce(probe.getTableRef().getTable(), probeColumns(plan));
    }
  }

  /**
   * Returns the keys that the execution of {@code plan} will find on this build side. Returns null
   * if the probe side cannot be pruned by them.
   */
  public @Nullable JoinKeys expectKeys(HashJoinPlan plan) {
    try {
      if (!isPruned(plan) || !isSelective(plan)) {
        return null;
      }
      QueryPlan probe = plan.getDelegate();
      return JoinConditions.of(probe.getContext())
          .expectKeys(probe.getTableRef().getTable(), join, probeColumns(plan), buildColumns());
    } catch (SQLException | RuntimeException e) {
      JoinKeyReader.recordFailure(e);
      return null;
    }
  }

  private static boolean isPruned(HashJoinPlan plan) throws SQLException {
    return PlanningMode.of(plan.getDelegate()) == PruningMode.EXACT;
  }

  /** Returns whether the join drops rows of the probe side that have no matching row. */
  private boolean isSelective(HashJoinPlan plan) {
    JoinType type = plan.getJoinInfo().getJoinTypes()[join];
    return type == JoinType.Inner || type == JoinType.Semi;
  }

  private List<Expression> probeColumns(HashJoinPlan plan) {
    return hashExpressions == null
        ? columns(probeRange)
        : plan.getJoinInfo().getJoinExpressions()[join];
  }

  private List<Expression> buildColumns() {
    return hashExpressions == null ? columns(buildRange) : hashExpressions;
  }

  private static List<Expression> columns(@Nullable Expression range) {
    Expression columns =
        Objects.requireNonNull(range, "a join without hash expressions has a condition");
    return columns instanceof RowValueConstructorExpression
        ? columns.getChildren()
        : Collections.singletonList(columns);
  }
}
