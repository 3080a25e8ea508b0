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
import java.util.Set;
import org.apache.phoenix.compile.DeleteCompiler;
import org.apache.phoenix.compile.JoinCompiler;
import org.apache.phoenix.compile.MutationPlan;
import org.apache.phoenix.compile.QueryCompiler;
import org.apache.phoenix.compile.SubselectRewriter;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.parse.DeleteStatement;
import org.apache.phoenix.parse.DerivedTableNode;
import org.apache.phoenix.parse.SelectStatement;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.util.ParseNodeUtil;

/**
 * Plans a condition with a subquery on joined rows, or on the rows of a derived table, so that
 * {@link SubqueryFilterAspect} can evaluate it. Phoenix's {@code QueryCompiler} compiles such a
 * condition of a hash join before the subquery has a result. {@code QueryOptimizer} fails for a
 * derived table without an alias (not reported).
 *
 * <p>Example: {@code SELECT T.ID FROM T LEFT JOIN D ON T.ID = D.ID WHERE D.A = (SELECT MAX(A) FROM
 * D)} returns no rows.
 */
public privileged aspect JoinedSubqueryAspect {

  pointcut flattens(PhoenixConnection connection) :
      execution(static SelectStatement SubselectRewriter.flatten(
          SelectStatement, PhoenixConnection))
      && args(*, connection);

  /**
   * Matches only statements that need {@code cflow}, so that most statements of one table do not
   * pay for it.
   */
  pointcut flattensDerivedTable(SelectStatement select, PhoenixConnection connection) :
      execution(static SelectStatement SubselectRewriter.flatten(
          SelectStatement, PhoenixConnection))
      && args(select, connection)
      && if(select.getFrom() instanceof DerivedTableNode || HavingSubqueries.areIn(select));

  pointcut deletes() :
      cflow(execution(MutationPlan DeleteCompiler.compile(DeleteStatement)));

  /** Selects a merge join, in which the client evaluates a condition on joined rows. */
  List around(QueryCompiler compiler, JoinCompiler.JoinTable table) throws SQLException :
      call(List JoinCompiler.JoinTable.getApplicableJoinStrategies())
      && within(QueryCompiler)
      && this(compiler)
      && target(table)
      && !deletes() {
    return JoinedSubqueries.haveCondition(table)
            && Patches.isOn(Patch.JOINED_SUBQUERY, compiler.statement.getConnection())
        ? JoinedSubqueries.MERGE_JOIN
        : proceed(compiler, table);
  }

  /**
   * Refuses a DELETE with such a condition, because a DELETE needs the keys of the rows of one
   * table.
   */
  before(QueryCompiler compiler, JoinCompiler.JoinTable table) throws SQLException :
      call(List JoinCompiler.JoinTable.getApplicableJoinStrategies())
      && within(QueryCompiler)
      && this(compiler)
      && target(table)
      && deletes() {
    if (JoinedSubqueries.haveCondition(table)
        && Patches.isOn(Patch.JOINED_SUBQUERY, compiler.statement.getConnection())) {
      throw JoinedSubqueries.unsupportedDelete();
    }
  }

  /**
   * Adds an alias to a derived table with such a condition. Without an alias, Phoenix's optimizer
   * fails.
   */
  SelectStatement around(PhoenixConnection connection) throws SQLException :
      flattens(connection) {
    SelectStatement select = proceed(connection);
    return JoinedSubqueries.needAlias(select) && Patches.isOn(Patch.JOINED_SUBQUERY, connection)
        ? JoinedSubqueries.withAlias(select)
        : select;
  }

  /** Keeps all columns of a derived table, because a subquery can refer to them. */
  Set around(SelectStatement select, PhoenixConnection connection) throws SQLException :
      call(Set ParseNodeUtil.collectReferencedColumnNamesForSingleTable(SelectStatement))
      && within(SubselectRewriter)
      && args(select)
      && cflow(flattensDerivedTable(SelectStatement, connection)) {
    return JoinedSubqueries.areIn(select.getWhere())
            && Patches.isOn(Patch.JOINED_SUBQUERY, connection)
        ? null
        : proceed(select, connection);
  }
}
