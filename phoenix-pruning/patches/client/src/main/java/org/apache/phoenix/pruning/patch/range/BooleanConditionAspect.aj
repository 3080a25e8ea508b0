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
import java.util.Set;
import org.apache.phoenix.compile.StatementContext;
import org.apache.phoenix.compile.WhereOptimizer;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.thirdparty.com.google.common.base.Optional;

/**
 * Keeps conditions that are only a BOOLEAN column. Phoenix's {@code WhereOptimizer} removes the
 * conditions that the key range of a scan expresses. It also removes columns, because its visitor
 * returns null for each of them (not reported).
 *
 * <p>Example: {@code SELECT K FROM T WHERE P AND K < 5} returns rows in which P is false, and
 * {@code DELETE} deletes them.
 */
public aspect BooleanConditionAspect {

  Expression around(StatementContext context, Expression where) throws SQLException :
      execution(static Expression WhereOptimizer.pushKeyExpressionsToScan(
          StatementContext, Set, Expression, Set, Optional))
      && args(context, *, where, *, *) {
    if (where == null || !Patches.isOn(Patch.BOOLEAN_CONDITION, context.getConnection())) {
      return proceed(context, where);
    }
    Expression compared =
        BooleanConditions.compared(
            where, context.getCurrentTable().getTable().rowKeyOrderOptimizable());
    Expression rest = proceed(context, compared);
    return rest == compared ? where : rest;
  }
}
