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
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.expression.LiteralExpression;
import org.apache.phoenix.parse.ArrayAllAnyComparisonNode;
import org.apache.phoenix.parse.ArrayAllComparisonNode;
import org.apache.phoenix.parse.ArrayAnyComparisonNode;
import org.apache.phoenix.parse.ParseNode;
import org.apache.phoenix.parse.SubqueryParseNode;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.pruning.patch.plan.ArrayParametersAspect;
import org.apache.phoenix.schema.types.PhoenixArray;

/**
 * Lets ALL be true, and ANY false, if a subquery that does not refer to the outer query has no
 * rows, for the patch {@code empty-subquery}. Phoenix's {@code ArrayAnyComparisonExpression} has no
 * result for an array without elements (not reported).
 *
 * <p>Example: {@code SELECT ID FROM T WHERE A > ALL (SELECT A FROM D WHERE K = 0)} finds no rows.
 */
public privileged aspect EmptyArrayAspect {

  declare precedence :
      SubqueryNullAspect, EmptyArrayAspect, RowSubqueryAspect, ArrayParametersAspect;

  Expression around(ExpressionCompiler compiler, ArrayAllAnyComparisonNode node)
      throws SQLException :
      (execution(Expression ExpressionCompiler.visitLeave(ArrayAnyComparisonNode, List))
          || execution(Expression ExpressionCompiler.visitLeave(ArrayAllComparisonNode, List)))
      && this(compiler)
      && args(node, *) {
    ParseNode subquery = node.getChildren().get(0);
    if (!(subquery instanceof SubqueryParseNode)
        || !Patches.isOn(Patch.EMPTY_SUBQUERY, compiler.context.getConnection())) {
      return proceed(compiler, node);
    }
    Object values =
        compiler.context.getSubqueryResult(((SubqueryParseNode) subquery).getSelectNode());
    return values instanceof PhoenixArray && ((PhoenixArray) values).getDimensions() == 0
        ? LiteralExpression.newConstant(node instanceof ArrayAllComparisonNode)
        : proceed(compiler, node);
  }
}
