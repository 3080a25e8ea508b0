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
import java.util.Set;
import org.apache.phoenix.compile.ColumnResolver;
import org.apache.phoenix.compile.JoinCompiler;
import org.apache.phoenix.compile.JoinCompiler.JoinTable;
import org.apache.phoenix.compile.QueryCompiler;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.compile.StatementContext;
import org.apache.phoenix.compile.SubselectRewriter;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.jdbc.PhoenixStatement;
import org.apache.phoenix.parse.SelectStatement;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;

/**
 * Tests the condition on a UNION ALL of a join, or on a derived table with an OFFSET, after its
 * rows are read. Phoenix's {@code SubselectRewriter} adds the condition to the statement of the
 * UNION ALL, which has no WHERE, or tests it before the OFFSET (not reported).
 *
 * <p>Example: {@code SELECT U.X FROM T JOIN (SELECT ID X FROM D UNION ALL SELECT ID X FROM T) U ON
 * U.X = T.ID WHERE U.X > 2} ignores the condition.
 *
 * <p>Also lets no server scan a UNION ALL in a hash join: {@code FROM (SELECT ID X FROM D UNION ALL
 * SELECT ID X FROM T) U JOIN T ON U.X = T.ID} fails with a TableNotFoundException.
 */
public aspect UnionConditionAspect {

  private pointcut compilation(PhoenixStatement statement) :
      execution(static JoinTable JoinCompiler.compile(
          PhoenixStatement, SelectStatement, ColumnResolver))
      && args(statement, ..);

  boolean around(SelectStatement derived, PhoenixStatement statement) :
      call(static boolean SubselectRewriter.isFilterCanPushDownToSelect(SelectStatement))
      && withincode(JoinCompiler.Table.new(..))
      && args(derived)
      && cflow(compilation(statement)) {
    return proceed(derived, statement)
        && !((derived.isUnion() || derived.getOffset() != null)
            && Patches.isOn(Patch.UNION_CONDITION, statement.getConnection()));
  }

  /** Keeps all columns of a UNION ALL, because its parts keep theirs. */
  SelectStatement around(SelectStatement derived, PhoenixConnection connection) :
      execution(static SelectStatement SubselectRewriter.pruneSelectAliasedNodes(
          SelectStatement, Set, PhoenixConnection))
      && args(derived, *, connection) {
    return derived.isUnion() && Patches.isOn(Patch.UNION_CONDITION, connection)
        ? derived
        : proceed(derived, connection);
  }

  private pointcut planning(StatementContext context) :
      execution(QueryPlan QueryCompiler.compileJoinQuery(StatementContext, ..))
      && args(context, ..);

  /**
   * Returns false for a UNION ALL. No server has all its rows, so the join needs another strategy.
   */
  boolean around(JoinCompiler.Table table, StatementContext context) throws SQLException :
      execution(boolean JoinCompiler.Table.isCouldPushToServerAsHashJoinProbeSide())
      && this(table)
      && cflow(planning(context)) {
    return !(table.isSubselect()
            && table.getSubselectStatement().isUnion()
            && Patches.isOn(Patch.UNION_CONDITION, context.getConnection()))
        && proceed(table, context);
  }
}
