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
package org.apache.phoenix.pruning.patch.subquery;

import java.sql.SQLException;
import java.util.List;
import org.apache.phoenix.compile.StatementContext;
import org.apache.phoenix.compile.WhereOptimizer;
import org.apache.phoenix.parse.FilterableStatement;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.pruning.patch.range.JoinColumnsAspect;
import org.apache.phoenix.pruning.patch.range.RangePatchesAspect;

/**
 * Compares all columns of a semi-join. Phoenix's {@code WhereOptimizer} replaces a semi-join with a
 * condition on the leading key columns, even if the semi-join also compares other columns (not
 * reported).
 *
 * <p>Example: {@code SELECT K FROM T WHERE EXISTS (SELECT 1 FROM D WHERE D.ID = T.K AND D.A = T.A)}
 * with the key {@code K} does not compare A.
 */
public aspect SemiJoinAspect {

  declare precedence : RangePatchesAspect, SemiJoinAspect, JoinColumnsAspect;

  boolean around(List keyColumns, StatementContext context, List columns) throws SQLException :
      execution(static boolean WhereOptimizer.getKeyExpressionCombination(
          List, StatementContext, FilterableStatement, List))
      && args(keyColumns, context, *, columns) {
    boolean isReplaced = proceed(keyColumns, context, columns);
    return isReplaced
        && (keyColumns.size() == columns.size()
            || !Patches.isOn(Patch.SEMI_JOIN, context.getConnection()));
  }
}
