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
package org.apache.phoenix.pruning.patch.plan;

import java.sql.SQLException;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.compile.RowProjector;
import org.apache.phoenix.compile.StatementContext;
import org.apache.phoenix.execute.CursorFetchPlan;
import org.apache.phoenix.iterate.CursorResultIterator;
import org.apache.phoenix.iterate.LookAheadResultIterator;
import org.apache.phoenix.iterate.PeekingResultIterator;
import org.apache.phoenix.iterate.ResultIterator;
import org.apache.phoenix.jdbc.PhoenixResultSet;
import org.apache.phoenix.jdbc.PhoenixStatement;
import org.apache.phoenix.optimize.QueryOptimizer;
import org.apache.phoenix.parse.DeclareCursorStatement;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;

/**
 * Makes each FETCH return the next rows of its cursor. Phoenix's {@code QueryOptimizer} compiles
 * the statement of a cursor over several tables again, so each FETCH returns all rows. {@code
 * CursorFetchPlan} reads ahead, so a cursor over groups returns the aggregates of the next group
 * (not reported).
 *
 * <p>Some parameters have the type Object. Otherwise, the weaver would also change the class of the
 * parameter.
 *
 * <p>Example: {@code FETCH NEXT ROW FROM C} after {@code DECLARE C CURSOR FOR SELECT T.K, D.X FROM
 * T JOIN D ON T.K = D.K} returns all rows.
 */
public aspect CursorFetchAspect {

  /** Keeps the plan of the cursor, because DECLARE CURSOR has optimized it. */
  QueryPlan around(PhoenixStatement statement, QueryPlan plan) :
      execution(QueryPlan QueryOptimizer.optimize(PhoenixStatement, QueryPlan))
      && args(statement, plan) {
    return plan instanceof CursorFetchPlan
            && Patches.isOn(Patch.CURSOR_FETCH, statement.getConnection())
        ? plan
        : proceed(statement, plan);
  }

  /** Reads no group before the aggregates of the previous group are returned. */
  PeekingResultIterator around(CursorFetchPlan plan, Object rows) :
      call(static PeekingResultIterator LookAheadResultIterator.wrap(ResultIterator))
      && within(CursorFetchPlan)
      && this(plan)
      && args(rows) {
    return Patches.isOn(Patch.CURSOR_FETCH, plan.getContext().getConnection())
        ? new CursorRows((ResultIterator) rows)
        : proceed(plan, rows);
  }

  /** Gives the rows to the statement that fetches them, not to the statement of DECLARE CURSOR. */
  PhoenixResultSet around(PhoenixStatement statement, Object rows, StatementContext context)
      throws SQLException :
      call(PhoenixResultSet.new(ResultIterator, RowProjector, StatementContext))
      && withincode(PhoenixResultSet PhoenixStatement.newResultSet(..))
      && this(statement)
      && args(rows, *, context) {
    return proceed(
        statement,
        rows,
        rows instanceof CursorResultIterator
                && Patches.isOn(Patch.CURSOR_FETCH, statement.getConnection())
            ? new FetchContext(context, statement)
            : context);
  }

  /** Compiles the SELECT of a cursor, and not its text, which lacks a UNION ALL. */
  Object around(PhoenixStatement statement, Object declaration) :
      call(* PhoenixStatement.parseStatement(String))
      && withincode(* DeclareCursorStatement+.compilePlan(..))
      && this(declaration)
      && target(statement) {
    return Patches.isOn(Patch.CURSOR_FETCH, statement.getConnection())
        ? ((DeclareCursorStatement) declaration).getSelect()
        : proceed(statement, declaration);
  }
}
