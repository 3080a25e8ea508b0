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
package org.apache.phoenix.pruning.patch.range;

import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.phoenix.compile.ExpressionCompiler;
import org.apache.phoenix.expression.ComparisonExpression;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.parse.LikeParseNode;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;

/**
 * Compares a text with a pattern that is too long for it. If the part before the first wildcard is
 * longer than the text can be, Phoenix's {@code ExpressionCompiler} replaces the condition by false
 * (not reported). This is wrong for NOT LIKE, and for a null within a NOT. Phoenix also counts the
 * backslashes that escape a character.
 *
 * <p>Example: {@code SELECT K FROM T WHERE V NOT LIKE 'zzz%'} finds no rows if V is a VARCHAR(2).
 */
public privileged aspect LongPatternAspect {

  /** Hides the length, so that Phoenix compiles the condition. */
  Integer around(ExpressionCompiler compiler) :
      call(Integer getMaxLength())
      && withincode(Expression ExpressionCompiler.visitLeave(LikeParseNode, List))
      && this(compiler) {
    return Patches.isOn(Patch.LONG_PATTERN, compiler.context.getConnection())
        ? null
        : proceed(compiler);
  }

  /**
   * Replaces a condition on a text that is too short for the pattern by a comparison of the text
   * with itself. The comparison is null for a null, and has the same result for all other values.
   * So no key range has bounds that are longer than the text.
   */
  Expression around(ExpressionCompiler compiler, LikeParseNode like, List<Expression> operands)
      throws SQLException :
      execution(Expression ExpressionCompiler.visitLeave(LikeParseNode, List))
      && this(compiler)
      && args(like, operands) {
    Expression condition = proceed(compiler, like, operands);
    Expression text = operands.get(0);
    if (!LongPatterns.isTooLong(operands.get(1), text)
        || !Patches.isOn(Patch.LONG_PATTERN, compiler.context.getConnection())) {
      return condition;
    }
    return compiler.wrapGroupByExpression(
        new ComparisonExpression(
            Arrays.asList(text, text),
            like.isNegate() ? CompareOperator.GREATER_OR_EQUAL : CompareOperator.LESS));
  }
}
