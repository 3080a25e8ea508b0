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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.parse.AliasedNode;
import org.apache.phoenix.parse.ColumnParseNode;
import org.apache.phoenix.parse.OrderByNode;
import org.apache.phoenix.parse.ParseNode;
import org.apache.phoenix.parse.ParseNodeFactory;
import org.apache.phoenix.parse.ParseNodeRewriter;
import org.apache.phoenix.parse.SelectStatement;

/** Translates the ORDER BY of a UNION ALL to the columns of one of its parts. */
public final class UnionOrder {

  private static final ParseNodeFactory NODES = new ParseNodeFactory();

  private final List<AliasedNode> selected;

  /** Maps the name of a column of the UNION ALL to its position. The first position is 0. */
  private final Map<String, Integer> positions = new HashMap<>();

  private UnionOrder(SelectStatement part, SelectStatement union) {
    selected = part.getSelect();
    for (int i = 0; i < union.getSelect().size(); i++) {
      String name = union.getSelect().get(i).getAlias();
      // A name of two columns is ambiguous, which Phoenix reports for the UNION ALL.
      positions.merge(name, i, (one, other) -> -1);
    }
  }

  /**
   * Returns {@code part}, which has the ORDER BY of {@code union}, with an ORDER BY of its own
   * columns.
   *
   * @return the same object if each name stands for the right column. This is also returned if all
   *     parts have wildcards, because the names of columns are then unknown.
   */
  public static SelectStatement ofPart(
      SelectStatement part, SelectStatement union, PhoenixConnection connection)
      throws SQLException {
    return union.hasWildcard() ? part : new UnionOrder(part, union).translated(part, connection);
  }

  private SelectStatement translated(SelectStatement part, PhoenixConnection connection)
      throws SQLException {
    List<OrderByNode> order = new ArrayList<>();
    boolean hasExpressions = false;
    for (OrderByNode node : part.getOrderBy()) {
      ParseNode by = node.getNode();
      if (by instanceof ColumnParseNode) {
        int position = positionOf((ColumnParseNode) by);
        by =
            position < 0 || isOfTheName(position, (ColumnParseNode) by)
                ? by
                : NODES.literal(position + 1);
      } else if (!part.hasWildcard() && part.getSelect().size() >= positions.size()) {
        by = by.accept(new Translation());
        hasExpressions |= by != node.getNode();
      }
      order.add(
          by == node.getNode() ? node : NODES.orderBy(by, node.isNullsLast(), node.isAscending()));
    }
    if (order.equals(part.getOrderBy())) {
      return part;
    }
    return NODES.select(hasExpressions ? withoutAliases(part, connection) : part, order);
  }

  /** Returns the position of the column with a name, or a negative number. */
  private int positionOf(ColumnParseNode column) {
    return column.getTableName() == null ? positions.getOrDefault(column.getName(), -1) : -1;
  }

  /** Returns whether the name can only stand for the column of the part at this position. */
  private boolean isOfTheName(int position, ColumnParseNode column) {
    for (int i = 0; i < selected.size(); i++) {
      ParseNode node = selected.get(i).getNode();
      String alias = selected.get(i).getAlias();
      boolean isColumn = column.equals(node) && (alias == null || alias.equals(column.getName()));
      if (i == position ? !isColumn : column.getName().equals(alias)) {
        return false;
      }
    }
    return position < selected.size();
  }

  /**
   * Removes the aliases of a part. In an ORDER BY of expressions, they could stand for columns of
   * the table.
   */
  private static SelectStatement withoutAliases(SelectStatement part, PhoenixConnection connection)
      throws SQLException {
    SelectStatement unordered = NODES.select(part, new ArrayList<OrderByNode>());
    SelectStatement resolved = ParseNodeRewriter.resolveInternalAlias(unordered, connection);
    List<AliasedNode> columns = new ArrayList<>();
    for (AliasedNode column : resolved.getSelect()) {
      columns.add(NODES.aliasedNode(null, column.getNode()));
    }
    return NODES.select(resolved, resolved.isDistinct(), columns);
  }

  /** Replaces columns of the UNION ALL in an expression by the expressions of the part. */
  private final class Translation extends ParseNodeRewriter {

    @Override
    public ParseNode visit(ColumnParseNode node) {
      int position = positionOf(node);
      return position < 0 || isOfTheName(position, node) ? node : selected.get(position).getNode();
    }
  }
}
