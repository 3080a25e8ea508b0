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

import java.util.List;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.phoenix.expression.ComparisonExpression;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;

/**
 * Keeps the null of a comparison with a text that is longer than the left side can be. Phoenix's
 * {@code ComparisonExpression} replaces {@code =} with false and {@code <>} with true, although
 * both are null for a null (not reported).
 *
 * <p>Example: {@code SELECT K FROM T WHERE V <> 'abc'} also finds nulls if V is a VARCHAR(2).
 */
public aspect LongConstantAspect {

  Expression around(CompareOperator operator, List operands) :
      execution(static Expression ComparisonExpression.create(CompareOperator, List, ..))
      && args(operator, operands, ..) {
    Expression comparison = proceed(operator, operands);
    return LongConstants.isReplaced(comparison, operator, operands)
            && Patches.isOn(Patch.LONG_CONSTANT)
        ? LongConstants.comparison((Expression) operands.get(0), operator)
        : comparison;
  }
}
