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
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.phoenix.parse.AliasedNode;
import org.apache.phoenix.parse.AndParseNode;
import org.apache.phoenix.parse.HintNode;
import org.apache.phoenix.parse.LiteralParseNode;
import org.apache.phoenix.parse.OrderByNode;
import org.apache.phoenix.parse.ParseNode;
import org.apache.phoenix.parse.ParseNodeFactory;
import org.apache.phoenix.parse.SelectStatement;

/** Moves conditions with subqueries from HAVING to the WHERE of an outer query. */
public final class HavingSubqueries {

  private static final ParseNodeFactory NODES = new ParseNodeFactory();

  private HavingSubqueries() {}

  /** Returns whether the HAVING of {@code select} has a subquery. */
  public static boolean areIn(SelectStatement select) {
    return JoinedSubqueries.areIn(select.getHaving());
  }

  /** Returns whether the WHERE of {@code select} has a subquery, and its derived table groups. */
  public static boolean areAbove(SelectStatement derivedTable, SelectStatement select) {
    return !derivedTable.getGroupBy().isEmpty() && JoinedSubqueries.areIn(select.getWhere());
  }

  /** Returns the error for a HAVING that could not be moved. */
  public static SQLException unsupported() {
    return new SQLFeatureNotSupportedException(
        "A subquery in HAVING is not supported here. Select the groups in a derived table, and use"
            + " the subquery in the WHERE of the outer query.");
  }

  /**
   * Returns a query of a derived table with the groups. Its WHERE has the conditions with
   * subqueries. ORDER BY, DISTINCT, LIMIT and OFFSET apply to the groups that match, so they are
   * also moved.
   *
   * @throws SQLFeatureNotSupportedException if {@code select} has a wildcard
   */
  public static SelectStatement moved(SelectStatement select) throws SQLException {
    if (select.hasWildcard() || select.isUnion()) {
      throw unsupported();
    }
    GroupColumns groups = new GroupColumns(select);
    List<AliasedNode> columns = groups.outerColumns();
    List<ParseNode> kept = new ArrayList<>();
    List<ParseNode> moved = new ArrayList<>();
    for (ParseNode condition : conjuncts(select.getHaving())) {
      if (condition.hasSubquery()) {
        moved.add(groups.outer(condition));
      } else {
        kept.add(condition);
      }
    }
    List<OrderByNode> order = new ArrayList<>();
    for (OrderByNode node : select.getOrderBy()) {
      // A literal is the position of a column.
      ParseNode by = node.getNode();
      by = by instanceof LiteralParseNode ? by : groups.outer(by);
      order.add(NODES.orderBy(by, node.isNullsLast(), node.isAscending()));
    }
    SelectStatement derivedTable =
        NODES.select(
            select.getFrom(),
            select.getHint(),
            false,
            groups.innerColumns(),
            select.getWhere(),
            select.getGroupBy(),
            kept.isEmpty() ? null : conjunction(kept),
            null,
            null,
            null,
            select.getBindCount(),
            true,
            select.hasSequence(),
            Collections.<SelectStatement>emptyList(),
            select.getUdfParseNodes());
    return NODES.select(
        NODES.derivedTable(groups.alias(), derivedTable),
        HintNode.EMPTY_HINT_NODE,
        select.isDistinct(),
        columns,
        conjunction(moved),
        null,
        null,
        order,
        select.getLimit(),
        select.getOffset(),
        select.getBindCount(),
        false,
        false,
        Collections.<SelectStatement>emptyList(),
        select.getUdfParseNodes());
  }

  private static List<ParseNode> conjuncts(ParseNode condition) {
    return condition instanceof AndParseNode
        ? condition.getChildren()
        : Collections.singletonList(condition);
  }

  private static ParseNode conjunction(List<ParseNode> conditions) {
    return conditions.size() == 1 ? conditions.get(0) : NODES.and(conditions);
  }
}
