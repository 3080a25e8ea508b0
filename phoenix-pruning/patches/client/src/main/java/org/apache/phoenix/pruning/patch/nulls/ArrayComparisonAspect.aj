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
package org.apache.phoenix.pruning.patch.nulls;

import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.phoenix.expression.ComparisonExpression;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.expression.function.ArrayAllComparisonExpression;
import org.apache.phoenix.expression.function.ArrayAnyComparisonExpression;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.schema.tuple.Tuple;

/**
 * Corrects comparisons of a value with ANY or ALL elements of an array or a subquery result.
 * Phoenix's {@code ArrayAnyComparisonExpression} and {@code ArrayAllComparisonExpression} confuse
 * null and false (not reported).
 *
 * <ul>
 *   <li>If a row lacks the value, or the value has not been read yet, the result is null. Phoenix
 *       compares the elements anyway: {@code V > ANY (...)} along an index fails if V is null.
 *   <li>If one comparison of ALL is false, the result is false. Phoenix reports an unknown result:
 *       {@code NOT (V <= ALL (...))} finds no rows.
 * </ul>
 *
 * <p>Example: {@code SELECT K FROM T WHERE S <> ANY (ARRAY['x'])} along an index that includes S
 * fails if S is null in a row.
 */
public aspect ArrayComparisonAspect {

  boolean around(
      ArrayAnyComparisonExpression expression, Tuple row, ImmutableBytesWritable result) :
      execution(boolean ArrayAnyComparisonExpression.evaluate(Tuple, ImmutableBytesWritable))
      && this(expression)
      && args(row, result) {
    if (!Patches.isOn(Patch.ARRAY_COMPARISON)) {
      return proceed(expression, row, result);
    }
    Expression comparison = expression.getChildren().get(1);
    if (!(comparison instanceof ComparisonExpression)) {
      // Phoenix replaced the comparison with a constant, because the compared value is always null.
      return comparison.evaluate(row, result);
    }
    Expression value = comparison.getChildren().get(0);
    if (!value.evaluate(row, result)) {
      return false;
    }
    return result.getLength() == 0 || proceed(expression, row, result);
  }

  /**
   * Returns true, because the result of {@code evaluate} is known if one comparison of ALL is
   * false.
   */
  boolean around() : execution(boolean ArrayAllComparisonExpression.result()) {
    return Patches.isOn(Patch.ARRAY_COMPARISON) || proceed();
  }
}
