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
import java.util.ArrayList;
import java.util.List;
import org.apache.phoenix.cache.ServerCacheClient.ServerCache;
import org.apache.phoenix.compile.ExpressionCompiler;
import org.apache.phoenix.compile.StatementContext;
import org.apache.phoenix.execute.HashJoinPlan;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.expression.RowValueConstructorExpression;
import org.apache.phoenix.parse.ArrayAllComparisonNode;
import org.apache.phoenix.parse.ArrayAnyComparisonNode;
import org.apache.phoenix.parse.ComparisonParseNode;
import org.apache.phoenix.parse.ParseNode;
import org.apache.phoenix.parse.SelectStatement;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.pruning.patch.plan.ArrayParametersAspect;
import org.apache.phoenix.pruning.patch.type.InexactConstantAspect;

/**
 * Compares a row value with the rows of a subquery as with row values of constants. Phoenix's
 * {@code HashJoinPlan.WhereClauseSubPlan} makes a VARBINARY of each row, which {@code
 * ComparisonExpression} compares with the first element (not reported).
 *
 * <p>Example: {@code SELECT K FROM T WHERE (A, K) > (SELECT A, K FROM T WHERE K = 5)} fails.
 */
public privileged aspect RowSubqueryAspect {

  declare precedence : RowSubqueryAspect, ArrayParametersAspect, InexactConstantAspect;

  /** Rows that the subquery has returned, if it has several columns. Null without the patch. */
  private List<List<Expression>> HashJoinPlan.WhereClauseSubPlan.rows;

  pointcut subquery(HashJoinPlan.WhereClauseSubPlan plan) :
      withincode(ServerCache HashJoinPlan.WhereClauseSubPlan.execute(HashJoinPlan))
      && this(plan);

  before(HashJoinPlan.WhereClauseSubPlan plan, HashJoinPlan outer) :
      execution(ServerCache HashJoinPlan.WhereClauseSubPlan.execute(HashJoinPlan))
      && this(plan)
      && args(outer) {
    plan.rows = isOn(outer.getContext()) ? new ArrayList<>() : null;
  }

  before(HashJoinPlan.WhereClauseSubPlan plan, List row) :
      call(RowValueConstructorExpression.new(List, boolean))
      && subquery(plan)
      && args(row, *) {
    if (plan.rows != null) {
      plan.rows.add(row);
    }
  }

  void around(HashJoinPlan.WhereClauseSubPlan plan, Object result) :
      call(void StatementContext.setSubqueryResult(SelectStatement, Object))
      && subquery(plan)
      && args(*, result) {
    proceed(plan, RowSubquery.Result.of(plan.rows, result));
    plan.rows = null;
  }

  Object around() :
      call(Object StatementContext.getSubqueryResult(SelectStatement))
      && within(ExpressionCompiler) {
    return RowSubquery.Result.ofPhoenix(proceed());
  }

  boolean around(ExpressionCompiler compiler, ParseNode node) :
      (execution(boolean ExpressionCompiler.visitEnter(ComparisonParseNode))
          || execution(boolean ExpressionCompiler.visitEnter(ArrayAnyComparisonNode))
          || execution(boolean ExpressionCompiler.visitEnter(ArrayAllComparisonNode)))
      && this(compiler)
      && args(node) {
    return !(RowSubquery.isIn(node, compiler.context) && isOn(compiler.context))
        && proceed(compiler, node);
  }

  Expression around(ExpressionCompiler compiler, ParseNode node) throws SQLException :
      (execution(Expression ExpressionCompiler.visitLeave(ComparisonParseNode, List))
          || execution(Expression ExpressionCompiler.visitLeave(ArrayAnyComparisonNode, List))
          || execution(Expression ExpressionCompiler.visitLeave(ArrayAllComparisonNode, List)))
      && this(compiler)
      && args(node, *) {
    return RowSubquery.isIn(node, compiler.context) && isOn(compiler.context)
        ? RowSubquery.in(node).compile(compiler, compiler.context)
        : proceed(compiler, node);
  }

  private static boolean isOn(StatementContext context) {
    return Patches.isOn(Patch.ROW_SUBQUERY, context.getConnection());
  }
}
