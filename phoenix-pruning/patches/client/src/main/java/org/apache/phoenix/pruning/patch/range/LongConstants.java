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

import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.phoenix.expression.ComparisonExpression;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.expression.LiteralExpression;

/** Comparisons with a constant that is longer than the left side can be. */
public final class LongConstants {

  private LongConstants() {}

  /**
   * Returns whether Phoenix has replaced a comparison with a constant because of the lengths,
   * although the left side can be null.
   *
   * @param comparison the result of compiling the comparison
   * @param operands the left side, and the right side
   */
  public static boolean isReplaced(
      Expression comparison, CompareOperator operator, List<Expression> operands) {
    if (!(comparison instanceof LiteralExpression)
        || (operator != CompareOperator.EQUAL && operator != CompareOperator.NOT_EQUAL)) {
      return false;
    }
    Expression left = operands.get(0);
    Expression right = operands.get(1);
    return right instanceof LiteralExpression
        && !(left instanceof LiteralExpression)
        && ((LiteralExpression) right).getValue() != null
        && isLonger(right.getMaxLength(), left.getMaxLength())
        && left.isNullable();
  }

  private static boolean isLonger(Integer length, Integer other) {
    return length != null && other != null && length > other;
  }

  /**
   * Returns a comparison of an operand with itself. It is null for a null. For all other values, it
   * is false for {@code =}, and true for {@code <>}.
   */
  public static Expression comparison(Expression operand, CompareOperator operator) {
    return new ComparisonExpression(
        Arrays.asList(operand, operand),
        operator == CompareOperator.EQUAL
            ? CompareOperator.LESS
            : CompareOperator.GREATER_OR_EQUAL);
  }
}
