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
package org.apache.phoenix.pruning.weave;

import java.sql.SQLException;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.phoenix.compile.QueryCompiler;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.compile.StatementContext;
import org.apache.phoenix.compile.WhereCompiler;
import org.apache.phoenix.execute.HashJoinPlan.HashSubPlan;
import org.apache.phoenix.execute.HashJoinPlan.SubPlan;
import org.apache.phoenix.execute.HashJoinPlan;
import org.apache.phoenix.execute.TupleProjector;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.expression.RowValueConstructorExpression;
import org.apache.phoenix.iterate.DelegateResultIterator;
import org.apache.phoenix.iterate.ResultIterator;
import org.apache.phoenix.parse.JoinTableNode.JoinType;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.pruning.metrics.Fallbacks;
import org.apache.phoenix.pruning.scan.PlanningMode;
import org.apache.phoenix.pruning.where.BoundWhere;
import org.apache.phoenix.pruning.where.JoinConditions;
import org.apache.phoenix.pruning.where.JoinKeys;
import org.apache.phoenix.schema.tuple.Tuple;

/**
 * Collects the keys of a hash join's build sides, so that the scan of the probe side is pruned by
 * them.
 */
public privileged aspect JoinKeysAspect {

  declare parents : StatementContext implements JoinConditions.Holder;

  /** Join conditions of the scan; null until requested. Scans without a join never request them. */
  private JoinConditions StatementContext.joinConditions;

  public synchronized JoinConditions StatementContext.getJoinConditions() {
    if (joinConditions == null) {
      joinConditions = new JoinConditions();
    }
    return joinConditions;
  }

  after(StatementContext copy, StatementContext original) returning :
      execution(StatementContext.new(StatementContext)) && this(copy) && args(original) {
    copy.joinConditions = original.getJoinConditions();
  }

  /** WHERE of the probe side without join keys; null before the first execution. */
  private BoundWhere HashJoinPlan.whereWithoutKeys;

  /** Keys of this execution, or null if the probe side cannot be pruned by them. */
  private JoinKeys HashSubPlan.joinKeys;

  pointcut compilesJoin(StatementContext context) :
      execution(QueryPlan QueryCompiler.compileJoinQuery(*, StatementContext, ..))
          && args(*, context, ..)
      || execution(QueryPlan QueryCompiler.compileJoinQuery(StatementContext, ..))
          && args(context, ..);

  before(StatementContext context, Scan scan, TupleProjector projector) :
      call(static void TupleProjector.serializeProjectorIntoScan(Scan, TupleProjector, boolean))
      && withincode(* QueryCompiler.compileJoinQuery(..))
      && args(scan, projector, *)
      && cflow(compilesJoin(context)) {
    if (context.getScan() == scan) {
      context.getJoinConditions().setProjector(projector);
    }
  }

  before(HashSubPlan join, HashJoinPlan plan) :
      execution(* HashSubPlan.execute(HashJoinPlan)) && this(join) && args(plan) {
    join.joinKeys = null;
    try {
      join.joinKeys = expectedKeys(join, plan);
    } catch (SQLException | RuntimeException e) {
      recordFailure(e);
    }
  }

  /** Records a failure. No query may fail because of pruning. */
  private static void recordFailure(Exception cause) {
    Fallbacks.GLOBAL.pruningFailed("by the keys of a join", cause);
  }

  private static JoinKeys expectedKeys(HashSubPlan join, HashJoinPlan plan) throws SQLException {
    return PlanningMode.of(plan.delegate) == PruningMode.EXACT && isSelective(join, plan)
        ? plan.delegate
            .getContext()
            .getJoinConditions()
            .expectKeys(
                plan.delegate.getTableRef().getTable(),
                join.index,
                probeColumns(join, plan),
                join.hashExpressions == null
                    ? columns(join.keyRangeRhsExpression)
                    : join.hashExpressions)
        : null;
  }

  /** Returns whether the join drops rows of the probe side that have no matching row. */
  private static boolean isSelective(HashSubPlan join, HashJoinPlan plan) {
    JoinType type = plan.joinInfo.getJoinTypes()[join.index];
    return type == JoinType.Inner || type == JoinType.Semi;
  }

  private static List<Expression> probeColumns(HashSubPlan join, HashJoinPlan plan) {
    return join.hashExpressions == null
        ? columns(join.keyRangeLhsExpression)
        : plan.joinInfo.getJoinExpressions()[join.index];
  }

  after(HashJoinPlan plan) returning :
      execution(HashJoinPlan.new(..)) && this(plan) {
    try {
      announceKeys(plan);
    } catch (SQLException | RuntimeException e) {
      recordFailure(e);
    }
  }

  private static void announceKeys(HashJoinPlan plan) throws SQLException {
    if (PlanningMode.of(plan.delegate) == PruningMode.EXACT) {
      for (SubPlan subPlan : plan.subPlans) {
        if (subPlan instanceof HashSubPlan && isSelective((HashSubPlan) subPlan, plan)) {
          plan.delegate
              .getContext()
              .getJoinConditions()
              .announce(
                  plan.delegate.getTableRef().getTable(),
                  probeColumns((HashSubPlan) subPlan, plan));
        }
      }
    }
  }

  private static List<Expression> columns(Expression expression) {
    return expression instanceof RowValueConstructorExpression
        ? expression.getChildren()
        : Collections.singletonList(expression);
  }

  ResultIterator around(HashSubPlan join) throws SQLException :
      call(ResultIterator QueryPlan.iterator())
      && withincode(* HashSubPlan.execute(HashJoinPlan))
      && this(join) {
    ResultIterator rows = proceed(join);
    return join.joinKeys == null ? rows : new KeyReader(rows, join.joinKeys);
  }

  /** Collects the keys of the rows that pass through this iterator. */
  private static final class KeyReader extends DelegateResultIterator {

    private final JoinKeys keys;
    private boolean hasFailed;

    KeyReader(ResultIterator rows, JoinKeys keys) {
      super(rows);
      this.keys = keys;
    }

    @Override
    public Tuple next() throws SQLException {
      Tuple row = super.next();
      if (!hasFailed) {
        read(row);
      }
      return row;
    }

    private void read(Tuple row) {
      try {
        if (row == null) {
          keys.complete();
        } else {
          keys.add(row);
        }
      } catch (RuntimeException e) {
        hasFailed = true;
        recordFailure(e);
      }
    }
  }

  /**
   * Plans the probe side without the keys that Phoenix's {@code HashJoinPlan} adds to its WHERE, if
   * {@link JoinKeys} has all keys. The planning then uses the keys of {@link JoinKeys}, which are
   * fewer.
   */
  Expression around(HashJoinPlan plan, StatementContext context) throws SQLException :
      call(static Expression WhereCompiler.compile(StatementContext, *, *, List, Set, *))
      && withincode(ResultIterator HashJoinPlan.iterator(..))
      && this(plan)
      && args(context, ..) {
    if (plan.whereWithoutKeys == null || plan.recompileWhereClause) {
      plan.whereWithoutKeys = context.getBoundWhere();
    }
    Expression where = proceed(plan, context);
    if (Arrays.stream(plan.subPlans).allMatch(JoinKeysAspect::areKeysKnown)) {
      context.setBoundWhere(plan.whereWithoutKeys);
    }
    return where;
  }

  private static boolean areKeysKnown(SubPlan subPlan) {
    if (!subPlan.hasKeyRangeExpression()) {
      return true;
    }
    JoinKeys keys = ((HashSubPlan) subPlan).joinKeys;
    return keys != null && keys.isComplete();
  }
}
