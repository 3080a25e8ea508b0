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

import java.util.List;
import org.apache.phoenix.compile.ExpressionCompiler;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.schema.types.PDataType;
import org.apache.phoenix.schema.types.PDate;
import org.apache.phoenix.schema.types.PDecimal;

/**
 * Casts a DECIMAL to a DATE or TIME without rounding. A sort-merge join needs this cast along an
 * index that stores a DATE or TIME as DECIMAL. Phoenix's {@code ExpressionCompiler} rounds, and
 * expects a rounding unit that a cast does not have (not reported).
 *
 * <p>Example: {@code SELECT A.K, B.ID FROM T A JOIN U B ON A.D = B.D} with the hint {@code
 * USE_SORT_MERGE_JOIN}, along an index on D, fails with an {@code IndexOutOfBoundsException}.
 */
public aspect DecimalTimesAspect {

  Expression around(PDataType from, PDataType to, List<Expression> expressions) :
      execution(static Expression ExpressionCompiler.convertToRoundExpressionIfNeeded(
          PDataType, PDataType, List))
      && args(from, to, expressions) {
    if (Patches.isOn(Patch.DECIMAL_TIMES)
        && from == PDecimal.INSTANCE
        && to.isCoercibleTo(PDate.INSTANCE)
        && expressions.size() == 1) {
      return expressions.get(0);
    }
    return proceed(from, to, expressions);
  }
}
