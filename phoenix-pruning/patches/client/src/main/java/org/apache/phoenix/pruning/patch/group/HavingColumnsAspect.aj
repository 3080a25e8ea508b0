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
package org.apache.phoenix.pruning.patch.group;

import java.sql.SQLException;
import org.apache.phoenix.compile.AggregationManager;
import org.apache.phoenix.compile.GroupByCompiler.GroupBy;
import org.apache.phoenix.compile.HavingCompiler;
import org.apache.phoenix.compile.QueryCompiler;
import org.apache.phoenix.compile.StatementContext;
import org.apache.phoenix.execute.AggregatePlan;
import org.apache.phoenix.execute.ClientAggregatePlan;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.parse.SelectStatement;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;

/**
 * Compiles HAVING again after Phoenix has reordered the columns of GROUP BY. Phoenix's {@code
 * QueryCompiler} compiles HAVING before it reorders them, so the condition reads other columns of
 * the group's key (not reported).
 *
 * <p>Example: {@code SELECT V, S FROM T GROUP BY V, S HAVING MAX(W) > V}. The key of a group is (S,
 * V), and HAVING reads its first column as V.
 */
public privileged aspect HavingColumnsAspect {

  /** The statement whose HAVING is compiled again; null if there is none. */
  private SelectStatement StatementContext.groupedSelect;

  /** HAVING that reads the columns of the group's key; null if Phoenix's is used. */
  private Expression StatementContext.groupCondition;

  after(StatementContext context, SelectStatement select) returning(Expression having) :
      call(Expression HavingCompiler.compile(StatementContext, SelectStatement, GroupBy))
      && within(QueryCompiler)
      && args(context, select, *) {
    boolean isOn = having != null && Patches.isOn(Patch.HAVING_COLUMNS, context.getConnection());
    context.groupedSelect = isOn ? select : null;
    context.groupCondition = null;
  }

  before(StatementContext context, GroupBy groupBy) throws SQLException :
      call(void AggregationManager.compile(StatementContext, GroupBy))
      && within(QueryCompiler)
      && args(context, groupBy) {
    if (context.groupedSelect != null) {
      context.groupCondition = HavingCompiler.compile(context, context.groupedSelect, groupBy);
    }
  }

  Object around(StatementContext context, Expression having) :
      (call(AggregatePlan.new(..)) || call(ClientAggregatePlan.new(..)))
      && within(QueryCompiler)
      && args(context, *, *, *, *, *, *, *, *, having, *) {
    return proceed(context, context.groupCondition == null ? having : context.groupCondition);
  }
}
