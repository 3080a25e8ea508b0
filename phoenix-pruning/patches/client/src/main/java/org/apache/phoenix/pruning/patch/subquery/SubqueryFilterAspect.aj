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
package org.apache.phoenix.pruning.patch.subquery;

import java.sql.SQLException;
import java.util.Set;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.phoenix.compile.QueryCompiler;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.compile.StatementContext;
import org.apache.phoenix.compile.WhereCompiler;
import org.apache.phoenix.execute.HashJoinPlan;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.iterate.ParallelScanGrouper;
import org.apache.phoenix.iterate.ResultIterator;
import org.apache.phoenix.parse.FilterableStatement;
import org.apache.phoenix.parse.ParseNode;
import org.apache.phoenix.parse.SelectStatement;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.thirdparty.com.google.common.base.Optional;

/**
 * Evaluates the condition of a client plan after its subqueries have run, for the patch {@code
 * joined-subquery}. Phoenix's {@code HashJoinPlan} compiles the condition of the plan below again
 * instead (not reported).
 *
 * <p>Example: {@code SELECT X FROM (SELECT ID X FROM T LIMIT 9) WHERE X = (SELECT MAX(K) FROM D)}
 * fails.
 */
public privileged aspect SubqueryFilterAspect {

  /** Condition with subqueries on the rows of another plan, or null. */
  public SelectStatement StatementContext.conditionOfSubqueries;

  /** Context of the condition on the rows of this plan, or null if Phoenix evaluates it. */
  public StatementContext HashJoinPlan.outerContext;

  after(StatementContext context, SelectStatement select, Set subqueries) returning :
      call(Expression WhereCompiler.compile(
          StatementContext, FilterableStatement, ParseNode, Set, Optional))
      && withincode(QueryPlan QueryCompiler.compileSingleFlatQuery(..))
      && args(context, select, *, subqueries, *) {
    context.conditionOfSubqueries = subqueries.isEmpty() ? null : select;
  }

  after(StatementContext context, QueryPlan inner) returning(QueryPlan plan) :
      execution(QueryPlan QueryCompiler.compileSingleFlatQuery(..))
      && args(context, *, *, *, inner, *, *) {
    if (inner != null
        && context.conditionOfSubqueries != null
        && Patches.isOn(Patch.JOINED_SUBQUERY, context.getConnection())) {
      JoinedSubqueries.planOf(plan).outerContext = context;
    }
  }

  /** Stores the result of a subquery where the condition is compiled. */
  StatementContext around(HashJoinPlan plan) :
      call(StatementContext HashJoinPlan.getContext())
      && within(HashJoinPlan.WhereClauseSubPlan)
      && target(plan) {
    return plan.outerContext == null ? proceed(plan) : plan.outerContext;
  }

  boolean around(HashJoinPlan plan) :
      get(boolean HashJoinPlan.recompileWhereClause)
      && withincode(ResultIterator HashJoinPlan.iterator(ParallelScanGrouper, Scan))
      && target(plan) {
    return plan.outerContext == null && proceed(plan);
  }

  ResultIterator around(HashJoinPlan plan, QueryPlan inner, ParallelScanGrouper grouper)
      throws SQLException :
      call(ResultIterator QueryPlan.iterator(ParallelScanGrouper, Scan))
      && withincode(ResultIterator HashJoinPlan.iterator(ParallelScanGrouper, Scan))
      && this(plan)
      && target(inner)
      && args(grouper, *) {
    return plan.outerContext == null
        ? proceed(plan, inner, grouper)
        : JoinedSubqueries.filter(
            inner.iterator(grouper),
            plan.outerContext,
            plan.outerContext.conditionOfSubqueries);
  }
}
