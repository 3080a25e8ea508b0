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
import java.util.ArrayDeque;
import java.util.Deque;
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
 * Compiles an ARRAY with parameters as elements, such as {@code V = ANY (ARRAY[?, ?])}. Phoenix's
 * {@code ExpressionCompiler} describes such a parameter by another element, of which it has none if
 * all elements have one type, and fails with a {@code NullPointerException} (not reported).
 *
 * <p>An array of numbers, dates or booleans cannot hold a null. So ANY and ALL compare the other
 * elements, and their result is combined with null.
 */
public privileged aspect ArrayParametersAspect {

  /** Comparisons with ANY or ALL that are being compiled, the innermost first; null before any. */
  private Deque<ArrayAllAnyComparisonNode> ExpressionCompiler.comparisons;

  pointcut entered(ExpressionCompiler compiler, ArrayAllAnyComparisonNode node) :
      (execution(boolean ExpressionCompiler.visitEnter(ArrayAnyComparisonNode))
          || execution(boolean ExpressionCompiler.visitEnter(ArrayAllComparisonNode)))
      && this(compiler)
      && args(node);

  pointcut left(
      ExpressionCompiler compiler, ArrayAllAnyComparisonNode node, List<Expression> children) :
      (execution(Expression ExpressionCompiler.visitLeave(ArrayAnyComparisonNode, List))
          || execution(Expression ExpressionCompiler.visitLeave(ArrayAllComparisonNode, List)))
      && this(compiler)
      && args(node, children);

  before(ExpressionCompiler compiler, ArrayAllAnyComparisonNode node) : entered(compiler, node) {
    if (compiler.comparisons == null) {
      compiler.comparisons = new ArrayDeque<>();
    }
    compiler.comparisons.push(node);
  }

  Expression around(
      ExpressionCompiler compiler, ArrayAllAnyComparisonNode node, List<Expression> children)
      throws SQLException : left(compiler, node, children) {
    compiler.comparisons.pop();
    Expression comparison = proceed(compiler, node, children);
    return Patches.isOn(Patch.ARRAY_PARAMETERS, compiler.context.getConnection())
        ? ArrayParameters.withNulls(comparison, node, compiler.context.getBindManager())
        : comparison;
  }

  Expression around(ExpressionCompiler compiler, ArrayConstructorNode node, List<Expression> elements)
      throws SQLException :
      execution(Expression ExpressionCompiler.visitLeave(ArrayConstructorNode, List))
      && this(compiler)
      && args(node, elements) {
    if (!ArrayParameters.areIn(node)
        || !Patches.isOn(Patch.ARRAY_PARAMETERS, compiler.context.getConnection())) {
      return proceed(compiler, node, elements);
    }
    ArrayAllAnyComparisonNode comparison =
        compiler.comparisons == null ? null : compiler.comparisons.peek();
    boolean isCompared = comparison != null && ArrayParameters.isArrayOf(comparison, node);
    List<Expression> typed = ArrayParameters.ofVariableWidth(node, elements, isCompared);
    if (ArrayParameters.haveNoType(typed)) {
      typed =
          ArrayParameters.nulls(
              isCompared ? ArrayParameters.compared(comparison).accept(compiler) : null);
    }
    Expression array = proceed(compiler, ArrayParameters.withoutParameters(node), typed);
    PDatum element = ArrayParameters.element(array);
    for (BindParseNode parameter : ArrayParameters.of(node)) {
      compiler.context.getBindManager().addParamMetaData(parameter, element);
    }
    return array;
  }
}
