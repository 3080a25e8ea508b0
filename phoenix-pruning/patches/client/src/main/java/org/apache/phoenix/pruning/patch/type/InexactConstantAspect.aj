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
package org.apache.phoenix.pruning.patch.type;

import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import org.apache.phoenix.compile.ExpressionCompiler;
import org.apache.phoenix.compile.StatementContext;
import org.apache.phoenix.compile.WhereOptimizer;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.expression.LiteralExpression;
import org.apache.phoenix.parse.ComparisonParseNode;
import org.apache.phoenix.parse.InListParseNode;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.pruning.patch.range.NeverTrue;
import org.apache.phoenix.thirdparty.com.google.common.base.Optional;

/**
 * Compares whole numbers with constants that their type does not have, such as an INTEGER with -2.5
 * or 3000000000. Phoenix's {@code ComparisonExpression} rounds towards zero, {@code BaseExpression}
 * rounds elements of row values without changing the operator, and {@code InListExpression} fails
 * (not reported).
 */
public privileged aspect InexactConstantAspect {

  Expression around(ExpressionCompiler compiler, ComparisonParseNode node, List<Expression> operands)
      throws SQLException :
      execution(Expression ExpressionCompiler.visitLeave(ComparisonParseNode, List))
      && this(compiler)
      && args(node, operands) {
    InexactComparison exact =
        InexactComparison.of(node.getFilterOp(), operands.get(0), operands.get(1));
    if (exact == null
        || !Patches.isOn(Patch.INEXACT_CONSTANT, compiler.context.getConnection())) {
      return proceed(compiler, node, operands);
    }
    // Describes the parameters.
    proceed(compiler, node, InexactConstants.withValues(operands));
    return compiler.wrapGroupByExpression(
        exact.compile(
            compiler.context.getTempPtr(),
            compiler.context.getCurrentTable().getTable().rowKeyOrderOptimizable()));
  }

  Expression around(ExpressionCompiler compiler, InListParseNode node, List<Expression> operands)
      throws SQLException :
      execution(Expression ExpressionCompiler.visitLeave(InListParseNode, List))
      && this(compiler)
      && args(node, operands) {
    if (!InexactConstants.isInList(operands)
        || !Patches.isOn(Patch.INEXACT_CONSTANT, compiler.context.getConnection())) {
      return proceed(compiler, node, operands);
    }
    Expression compiled =
        proceed(compiler, node, InexactConstants.withoutInexact(operands));
    InexactComparison none = InexactComparison.ofList(node.isNegate(), operands);
    return none == null
        ? compiled
        : compiler.wrapGroupByExpression(
            none.compile(
                compiler.context.getTempPtr(),
                compiler.context.getCurrentTable().getTable().rowKeyOrderOptimizable()));
  }

  /** Makes a WHERE that is never true false, so that the query reads nothing. */
  Expression around(StatementContext context, Expression where) throws SQLException :
      execution(static Expression WhereOptimizer.pushKeyExpressionsToScan(
          StatementContext, Set, Expression, Set, Optional))
      && args(context, *, where, *, *) {
    boolean isNeverTrue =
        NeverTrue.isNeverTrue(where)
            && Patches.isOn(Patch.INEXACT_CONSTANT, context.getConnection());
    return proceed(
        context,
        isNeverTrue ? LiteralExpression.newConstant(false, where.getDeterminism()) : where);
  }
}
