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

import java.sql.SQLException;
import java.util.List;
import org.apache.phoenix.expression.CaseExpression;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.expression.LiteralExpression;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.schema.tuple.Tuple;

/**
 * Makes a constant CASE without ELSE null if no condition is true. Phoenix's {@code CaseExpression}
 * takes the result after the last one (not reported).
 *
 * <p>Example: {@code SELECT CASE WHEN 1 = 2 THEN 3 END FROM T} fails with an {@code
 * ArrayIndexOutOfBoundsException}.
 */
public privileged aspect ConstantCaseAspect {

  int around(CaseExpression expression) :
      call(int CaseExpression.evaluateIndexOf(Tuple, ..))
      && withincode(Expression CaseExpression.create(List))
      && target(expression) {
    int index = proceed(expression);
    boolean isNone = index == expression.getChildren().size();
    return isNone && Patches.isOn(Patch.CONSTANT_CASE) ? -1 : index;
  }

  /** Keeps the type of a CASE that is null. */
  Expression around(List children) throws SQLException :
      execution(static Expression CaseExpression.create(List)) && args(children) {
    Expression result = proceed(children);
    if (!(result instanceof LiteralExpression)
        || result.getDataType() != null
        || !Patches.isOn(Patch.CONSTANT_CASE)) {
      return result;
    }
    List<Expression> results = CaseExpression.coerceIfNecessary(children);
    return LiteralExpression.newConstant(
        null, results.get(0).getDataType(), result.getDeterminism());
  }
}
