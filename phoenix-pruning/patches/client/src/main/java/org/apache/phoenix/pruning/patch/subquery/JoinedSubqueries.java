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
import java.sql.SQLFeatureNotSupportedException;
import java.util.Collections;
import java.util.List;
import org.apache.phoenix.compile.JoinCompiler;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.compile.StatementContext;
import org.apache.phoenix.compile.WhereCompiler;
import org.apache.phoenix.execute.DelegateQueryPlan;
import org.apache.phoenix.execute.HashJoinPlan;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.expression.LiteralExpression;
import org.apache.phoenix.iterate.FilterResultIterator;
import org.apache.phoenix.iterate.ResultIterator;
import org.apache.phoenix.parse.DerivedTableNode;
import org.apache.phoenix.parse.ParseNode;
import org.apache.phoenix.parse.ParseNodeFactory;
import org.apache.phoenix.parse.SelectStatement;
import org.apache.phoenix.parse.TableNode;
import org.jspecify.annotations.Nullable;

/**
 * Filters the rows of a join or of a derived table by a condition with subqueries, after the
 * subqueries have run.
 */
public final class JoinedSubqueries {

  /** Join on the client, which returns its rows to a client plan with the condition. */
  public static final List<JoinCompiler.Strategy> MERGE_JOIN =
      Collections.singletonList(JoinCompiler.Strategy.SORT_MERGE);

  private static final ParseNodeFactory NODES = new ParseNodeFactory();

  private JoinedSubqueries() {}

  /** Returns whether a condition on joined rows has a subquery that the join does not replace. */
  public static boolean haveCondition(JoinCompiler.JoinTable table) {
    return areIn(table.getPostFiltersCombined());
  }

  /** Returns whether a condition, which may be null, has a subquery. */
  public static boolean areIn(@Nullable ParseNode condition) {
    return condition != null && condition.hasSubquery();
  }

  /** Returns the error for a DELETE with such a condition. */
  public static SQLException unsupportedDelete() {
    return new SQLFeatureNotSupportedException(
        "A DELETE must not compare joined rows with a subquery. Phoenix also joins tables for IN,"
            + " EXISTS and comparisons with a subquery under OR. Use several DELETE statements.");
  }

  /** Returns whether the WHERE of a derived table without an alias has a subquery. */
  public static boolean needAlias(SelectStatement select) {
    TableNode from = select.getFrom();
    return from instanceof DerivedTableNode && from.getAlias() == null && areIn(select.getWhere());
  }

  /** Gives the derived table of {@code select} an alias. */
  public static SelectStatement withAlias(SelectStatement select) {
    return NODES.select(
        select,
        NODES.derivedTable(
            ParseNodeFactory.createTempAlias(), ((DerivedTableNode) select.getFrom()).getSelect()));
  }

  /** Returns the plan that runs the subqueries. It is below the plan of the client. */
  public static HashJoinPlan planOf(QueryPlan clientPlan) {
    return (HashJoinPlan) ((DelegateQueryPlan) clientPlan).getDelegate();
  }

  /** Returns the rows that match the WHERE of {@code select}. */
  public static ResultIterator filter(
      ResultIterator rows, StatementContext context, SelectStatement select) throws SQLException {
    Expression condition = WhereCompiler.compile(context, select);
    return LiteralExpression.isTrue(condition) ? rows : new FilterResultIterator(rows, condition);
  }
}
