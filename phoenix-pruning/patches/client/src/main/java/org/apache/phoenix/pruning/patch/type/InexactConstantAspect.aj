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
import org.apache.phoenix.compile.ExpressionCompiler;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.parse.ComparisonParseNode;
import org.apache.phoenix.parse.InListParseNode;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;

/**
 * Compares whole numbers with constants that their type cannot represent, such as an INTEGER with
 * -2.5 or 3000000000. Phoenix's {@code ComparisonExpression} rounds towards zero, {@code
 * BaseExpression} rounds elements of row values without changing the operator, and {@code
 * InListExpression} fails (not reported).
 *
 * <p>Example: {@code SELECT K FROM T WHERE K > -2.5} loses the row with -2.
 */
public privileged aspect InexactConstantAspect {

  Expression around(
      ExpressionCompiler compiler, ComparisonParseNode node, List<Expression> operands)
      throws SQLException :
      execution(Expression ExpressionCompiler.visitLeave(ComparisonParseNode, List))
      && this(compiler)
      && args(node, operands) {
    InexactComparison replacement =
        InexactComparison.of(node.getFilterOp(), operands.get(0), operands.get(1));
    if (replacement == null
        || !Patches.isOn(Patch.INEXACT_CONSTANT, compiler.context.getConnection())) {
      return proceed(compiler, node, operands);
    }
    // Describes the parameters. The result is not used.
    proceed(compiler, node, InexactConstants.withValues(operands));
    return compiler.wrapGroupByExpression(
        replacement.compile(
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
    InexactComparison replacement = InexactComparison.ofList(node.isNegate(), operands);
    return replacement == null
        ? compiled
        : compiler.wrapGroupByExpression(
            replacement.compile(
                compiler.context.getTempPtr(),
                compiler.context.getCurrentTable().getTable().rowKeyOrderOptimizable()));
  }
}
