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
package org.apache.phoenix.pruning.patch.plan;

import java.sql.SQLException;
import java.util.List;
import org.apache.phoenix.compile.ExpressionCompiler;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.parse.ArrayAllAnyComparisonNode;
import org.apache.phoenix.parse.ArrayAllComparisonNode;
import org.apache.phoenix.parse.ArrayAnyComparisonNode;
import org.apache.phoenix.parse.ArrayConstructorNode;
import org.apache.phoenix.parse.BindParseNode;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.schema.PDatum;

/**
 * Compiles an ARRAY with parameters as elements. Phoenix's {@code ExpressionCompiler} describes
 * such a parameter by another element. If all elements have the same type, it remembers no element,
 * and fails with a {@code NullPointerException} (not reported).
 *
 * <p>ANY and ALL are compiled as comparisons with each element. An array of numbers, dates or
 * booleans cannot hold a null. An array of texts or bytes cannot hold a value that starts with a
 * zero byte.
 *
 * <p>Example: {@code SELECT K FROM T WHERE V = ANY (ARRAY[?, ?])} fails.
 */
public privileged aspect ArrayParametersAspect {

  boolean around(ExpressionCompiler compiler, ArrayAllAnyComparisonNode node) :
      (execution(boolean ExpressionCompiler.visitEnter(ArrayAnyComparisonNode))
          || execution(boolean ExpressionCompiler.visitEnter(ArrayAllComparisonNode)))
      && this(compiler)
      && args(node) {
    return !(ArrayParameters.areIn(node)
            && Patches.isOn(Patch.ARRAY_PARAMETERS, compiler.context.getConnection()))
        && proceed(compiler, node);
  }

  Expression around(
      ExpressionCompiler compiler, ArrayAllAnyComparisonNode node, List<Expression> children)
      throws SQLException :
      (execution(Expression ExpressionCompiler.visitLeave(ArrayAnyComparisonNode, List))
          || execution(Expression ExpressionCompiler.visitLeave(ArrayAllComparisonNode, List)))
      && this(compiler)
      && args(node, children) {
    return ArrayParameters.areIn(node)
            && Patches.isOn(Patch.ARRAY_PARAMETERS, compiler.context.getConnection())
        ? ArrayParameters.comparisons(node).accept(compiler)
        : proceed(compiler, node, children);
  }

  Expression around(
      ExpressionCompiler compiler, ArrayConstructorNode node, List<Expression> elements)
      throws SQLException :
      execution(Expression ExpressionCompiler.visitLeave(ArrayConstructorNode, List))
      && this(compiler)
      && args(node, elements) {
    if (!ArrayParameters.areIn(node)
        || !Patches.isOn(Patch.ARRAY_PARAMETERS, compiler.context.getConnection())) {
      return proceed(compiler, node, elements);
    }
    Expression array =
        proceed(
            compiler,
            ArrayParameters.withoutParameters(node),
            ArrayParameters.ofVariableWidth(node, elements));
    PDatum element = ArrayParameters.element(array);
    for (BindParseNode parameter : ArrayParameters.of(node)) {
      compiler.context.getBindManager().addParamMetaData(parameter, element);
    }
    return array;
  }
}
