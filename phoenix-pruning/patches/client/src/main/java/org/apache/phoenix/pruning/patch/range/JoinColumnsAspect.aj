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
import java.util.List;
import org.apache.phoenix.compile.StatementContext;
import org.apache.phoenix.compile.WhereOptimizer;
import org.apache.phoenix.parse.FilterableStatement;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;

/**
 * Finds the key columns of a join after a column that is not in the key. Phoenix's {@code
 * WhereOptimizer.getKeyExpressionCombination} mistakes the position of a column in the join for its
 * position among the key columns (not reported).
 *
 * <p>Example: {@code SELECT T.K FROM T JOIN D ON T.N = D.Y AND T.A = D.X AND T.K = D.ID} along an
 * index on {@code A} fails with an {@code IndexOutOfBoundsException}.
 */
public aspect JoinColumnsAspect {

  boolean around(List keyColumns, StatementContext context, List columns) throws SQLException :
      execution(static boolean WhereOptimizer.getKeyExpressionCombination(
          List, StatementContext, FilterableStatement, List))
      && args(keyColumns, context, *, columns) {
    return proceed(
        keyColumns,
        context,
        columns.size() > 2 && Patches.isOn(Patch.JOIN_COLUMNS, context.getConnection())
            ? JoinColumns.keyColumnsFirst(columns, context)
            : columns);
  }
}
