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
 * Removes alternatives that are never true from a WHERE, as Phoenix does if it has replaced them
 * with false. A WHERE that is never true becomes false, and the query then reads nothing.
 *
 * <p>This aspect corrects no defect itself. {@link LongPatternAspect}, {@link LongConstantAspect}
 * and {@code InexactConstantAspect} of the patches {@code long-pattern}, {@code long-constant} and
 * {@code inexact-constant} compile such conditions (not reported). With them, {@code SELECT K FROM
 * T WHERE V = 2.5} of an INTEGER has the condition {@code V < V}, and would otherwise read all
 * rows.
 */
public aspect NeverTrueAspect {

  Expression around(StatementContext context, Expression where) :
      execution(static Expression WhereOptimizer.pushKeyExpressionsToScan(
          StatementContext, Set, Expression, Set, Optional))
      && args(context, *, where, *, *) {
    Expression remaining = where == null ? null : NeverTrue.remove(where);
    if (remaining == where
        || !(Patches.isOn(Patch.LONG_PATTERN, context.getConnection())
            || Patches.isOn(Patch.LONG_CONSTANT)
            || Patches.isOn(Patch.INEXACT_CONSTANT, context.getConnection()))) {
      return proceed(context, where);
    }
    return proceed(
        context,
        remaining == null
            ? LiteralExpression.newConstant(false, where.getDeterminism())
            : remaining);
  }
}
