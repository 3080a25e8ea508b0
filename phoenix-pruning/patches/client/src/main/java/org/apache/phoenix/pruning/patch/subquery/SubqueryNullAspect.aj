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
import java.util.List;
import org.apache.phoenix.compile.ExpressionCompiler;
import org.apache.phoenix.execute.HashJoinPlan.WhereClauseSubPlan;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.parse.ArrayAllAnyComparisonNode;
import org.apache.phoenix.parse.ArrayAllComparisonNode;
import org.apache.phoenix.parse.ArrayAnyComparisonNode;
import org.apache.phoenix.parse.ParseNode;
import org.apache.phoenix.parse.SubqueryParseNode;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.schema.types.PArrayDataType;
import org.apache.phoenix.schema.types.PDataType;
import org.apache.phoenix.schema.types.PhoenixArray;

/**
 * Compares with the nulls of a subquery in ANY and ALL. Phoenix's {@code WhereClauseSubPlan} keeps
 * the values in an array, in which a null number is 0 (not reported).
 *
 * <p>Example: {@code SELECT K FROM T WHERE V <> ANY (SELECT X FROM D)} finds all rows whose V is
 * not 0, if an X is null.
 */
public privileged aspect SubqueryNullAspect {

  /** True if these are the values of a subquery that also returned a null. */
  private boolean PhoenixArray.isWithoutNull;

  PhoenixArray around(WhereClauseSubPlan plan, PDataType type, Object[] values) :
      call(static PhoenixArray PArrayDataType.instantiatePhoenixArray(PDataType, Object[]))
      && within(WhereClauseSubPlan)
      && this(plan)
      && args(type, values) {
    Object[] others = SubqueryNulls.withoutNulls(values);
    if (others.length == values.length
        || !Patches.isOn(Patch.SUBQUERY_NULL, plan.plan.getContext().getConnection())) {
      return proceed(plan, type, values);
    }
    PhoenixArray array = proceed(plan, type, others);
    array.isWithoutNull = true;
    return array;
  }

  Expression around(ExpressionCompiler compiler, ArrayAllAnyComparisonNode node)
      throws SQLException :
      (execution(Expression ExpressionCompiler.visitLeave(ArrayAnyComparisonNode, List))
          || execution(Expression ExpressionCompiler.visitLeave(ArrayAllComparisonNode, List)))
      && this(compiler)
      && args(node, *) {
    Expression comparison = proceed(compiler, node);
    ParseNode subquery = node.getChildren().get(0);
    if (!(subquery instanceof SubqueryParseNode)) {
      return comparison;
    }
    Object values =
        compiler.context.getSubqueryResult(((SubqueryParseNode) subquery).getSelectNode());
    return values instanceof PhoenixArray && ((PhoenixArray) values).isWithoutNull
        ? SubqueryNulls.withNull(comparison, node instanceof ArrayAllComparisonNode)
        : comparison;
  }
}
