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

import java.util.Set;
import org.apache.phoenix.compile.StatementContext;
import org.apache.phoenix.compile.WhereOptimizer;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.expression.LiteralExpression;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.thirdparty.com.google.common.base.Optional;

/**
 * Removes lower bounds of nulls from a WHERE, for the patch {@code row-value-ranges}. Phoenix's
 * {@code WhereOptimizer} replaces {@code (A, B) > (NULL, NULL)} by the range of all keys, but in a
 * filter the condition is null (not reported). The other aspects of the patch leave more conditions
 * in the filter.
 *
 * <p>Example: {@code SELECT A, B FROM T WHERE V > 0 AND (A, B) > (?, ?) LIMIT 100} with null
 * parameters reads the first page of a table, as Phoenix's {@code PhoenixTTLTool} does.
 */
public aspect NullRowValueAspect {

  Expression around(StatementContext context, Expression where) :
      execution(static Expression WhereOptimizer.pushKeyExpressionsToScan(
          StatementContext, Set, Expression, Set, Optional))
      && args(context, *, where, *, *) {
    Expression remaining = where == null ? null : NullRowValues.remove(where);
    if (remaining == where
        || !Patches.isOn(Patch.ROW_VALUE_RANGES, context.getConnection())) {
      return proceed(context, where);
    }
    return proceed(
        context,
        remaining == null
            ? LiteralExpression.newConstant(true, where.getDeterminism())
            : remaining);
  }
}
