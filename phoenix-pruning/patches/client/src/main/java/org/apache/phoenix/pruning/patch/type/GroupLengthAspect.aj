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

import java.sql.SQLException;
import org.apache.phoenix.compile.GroupByCompiler.GroupBy;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.compile.StatementContext;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;

/**
 * Groups by a CHAR or BINARY expression without a length, such as a CASE. Phoenix's {@code
 * RowKeyValueAccessor} and {@code RowKeyColumnExpression} read the key of a group, and expect the
 * length (not reported).
 *
 * <p>{@code SELECT CAST(S AS CHAR(5)), COUNT(*) FROM T GROUP BY CAST(S AS CHAR(5))} fails with a
 * {@code NullPointerException}.
 */
public aspect GroupLengthAspect {

  GroupBy around(GroupBy groupBy, StatementContext context) throws SQLException :
      call(GroupBy GroupBy.compile(StatementContext, QueryPlan, Expression))
      && target(groupBy)
      && args(context, ..) {
    return GroupKeys.haveUnknownLength(groupBy.getExpressions())
            && Patches.isOn(Patch.GROUP_LENGTH, context.getConnection())
        ? GroupKeys.of(groupBy.getExpressions())
        : proceed(groupBy, context);
  }
}
