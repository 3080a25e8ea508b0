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
import org.apache.phoenix.compile.GroupByCompiler.GroupBy;
import org.apache.phoenix.compile.HavingCompiler;
import org.apache.phoenix.compile.StatementContext;
import org.apache.phoenix.compile.SubselectRewriter;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.parse.DerivedTableNode;
import org.apache.phoenix.parse.SelectStatement;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;

/**
 * Evaluates a subquery in HAVING. Phoenix's {@code HavingCompiler} compiles HAVING without the
 * result of the subquery, and the query returns all groups (not reported). The groups become a
 * derived table, and its WHERE has the subquery. Phoenix must then not move this condition back to
 * HAVING.
 *
 * <p>Example: {@code SELECT A FROM T GROUP BY A HAVING COUNT(*) > (SELECT MAX(K) FROM D)} returns
 * all groups.
 */
public privileged aspect HavingSubqueryAspect {

  // The condition becomes that of a derived table, which may then need an alias.
  declare precedence : HavingSubqueryAspect, JoinedSubqueryAspect;

  pointcut flattens(SelectStatement select, PhoenixConnection connection) :
      execution(static SelectStatement SubselectRewriter.flatten(
          SelectStatement, PhoenixConnection))
      && args(select, connection);

  /**
   * Matches only statements that need {@code cflow}, so that most statements of one table do not
   * pay for it.
   */
  pointcut flattensDerivedTable(SelectStatement select, PhoenixConnection connection) :
      flattens(select, connection)
      && if(select.getFrom() instanceof DerivedTableNode || HavingSubqueries.areIn(select));

  SelectStatement around(SelectStatement select, PhoenixConnection connection)
      throws SQLException :
      flattens(select, connection) {
    SelectStatement flat =
        proceed(
            HavingSubqueries.areIn(select) && Patches.isOn(Patch.HAVING_SUBQUERY, connection)
                ? HavingSubqueries.moved(select)
                : select,
            connection);
    // The HAVING of a derived table may now be that of the query.
    return HavingSubqueries.areIn(flat) && Patches.isOn(Patch.HAVING_SUBQUERY, connection)
        ? SubselectRewriter.flatten(HavingSubqueries.moved(flat), connection)
        : flat;
  }

  SelectStatement around(
      SelectStatement select, SelectStatement groups, PhoenixConnection connection)
      throws SQLException :
      call(SelectStatement SubselectRewriter.flatten(SelectStatement, SelectStatement))
      && args(select, groups)
      && cflow(flattensDerivedTable(SelectStatement, connection)) {
    return HavingSubqueries.areAbove(groups, select)
            && Patches.isOn(Patch.HAVING_SUBQUERY, connection)
        ? select
        : proceed(select, groups, connection);
  }

  before(StatementContext context, SelectStatement select) throws SQLException :
      execution(static SelectStatement HavingCompiler.rewrite(
          StatementContext, SelectStatement, GroupBy))
      && args(context, select, *) {
    if (HavingSubqueries.areIn(select)
        && Patches.isOn(Patch.HAVING_SUBQUERY, context.getConnection())) {
      throw HavingSubqueries.unsupported();
    }
  }
}
