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

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.phoenix.parse.AliasedNode;
import org.apache.phoenix.parse.ColumnParseNode;
import org.apache.phoenix.parse.LiteralParseNode;
import org.apache.phoenix.parse.OrderByNode;
import org.apache.phoenix.parse.ParseNode;
import org.apache.phoenix.parse.ParseNodeFactory;
import org.apache.phoenix.parse.SelectStatement;

/** Replaces positions in the ORDER BY of a derived table by the expressions of its columns. */
public final class DerivedOrder {

  private static final ParseNodeFactory NODES = new ParseNodeFactory();

  private DerivedOrder() {}

  /** Returns whether {@code outer} sorts or groups the rows again, so that their order is lost. */
  private static boolean isReplacedBy(SelectStatement outer) {
    return outer.isAggregate()
        || outer.isDistinct()
        || !outer.getGroupBy().isEmpty()
        || !outer.getOrderBy().isEmpty();
  }

  /**
   * Returns whether the order of {@code derived} stays right if Phoenix moves the positions to
   * {@code outer}.
   */
  public static boolean isMovable(SelectStatement derived, SelectStatement outer) {
    return !hasPositions(derived) || isReplacedBy(outer) || selectsSamePositions(derived, outer);
  }

  /** Returns whether each position in the ORDER BY is that of the same column in {@code outer}. */
  private static boolean selectsSamePositions(SelectStatement derived, SelectStatement outer) {
    List<AliasedNode> columns = outer.getSelect();
    if (columns.size() == 1 && DerivedColumns.isWildcard(columns.get(0).getNode())) {
      return true;
    }
    for (OrderByNode node : derived.getOrderBy()) {
      Integer position = node.getValueIfIntegerLiteral();
      if (position != null
          && (position < 1
              || position > Math.min(columns.size(), derived.getSelect().size())
              || !DerivedColumns.isReference(
                  columns.get(position - 1).getNode(), derived.getSelect().get(position - 1)))) {
        return false;
      }
    }
    return true;
  }

  /**
   * Returns whether an ORDER BY has the position of a column. Returns false for a wildcard or a
   * sequence, because Phoenix supports them only if it moves the columns to the outer statement.
   */
  public static boolean hasPositions(SelectStatement derived) {
    if (derived.isUnion() || derived.hasWildcard() || derived.hasSequence()) {
      return false;
    }
    for (OrderByNode node : derived.getOrderBy()) {
      if (node.isIntegerLiteral()) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns {@code derived} with expressions instead of the positions. Constants are left out.
   *
   * @return the same object if the expressions could have another meaning. This is so if a column
   *     has the same name as another selected column of {@code derived} or {@code outer}
   */
  public static SelectStatement withoutPositions(SelectStatement derived, SelectStatement outer) {
    List<OrderByNode> order = new ArrayList<>();
    Set<String> columns = new HashSet<>();
    for (OrderByNode node : derived.getOrderBy()) {
      Integer position = node.getValueIfIntegerLiteral();
      if (position == null) {
        order.add(node);
        continue;
      }
      if (position < 1 || position > derived.getSelect().size()) {
        return derived;
      }
      ParseNode selected = derived.getSelect().get(position - 1).getNode();
      if (!(selected instanceof LiteralParseNode)) {
        addColumns(selected, columns);
        order.add(NODES.orderBy(selected, node.isNullsLast(), node.isAscending()));
      }
    }
    return hasOtherMeaning(columns, derived) || hasOtherMeaning(columns, outer)
        ? derived
        : NODES.select(derived, order);
  }

  private static void addColumns(ParseNode node, Set<String> columns) {
    if (node instanceof ColumnParseNode) {
      columns.add(((ColumnParseNode) node).getName());
    }
    for (ParseNode child : node.getChildren()) {
      addColumns(child, columns);
    }
  }

  /** Returns whether {@code select} gives the name of one of the columns to something else. */
  private static boolean hasOtherMeaning(Set<String> columns, SelectStatement select) {
    for (AliasedNode selected : select.getSelect()) {
      ParseNode node = selected.getNode();
      boolean isOfTheName =
          node instanceof ColumnParseNode
              && ((ColumnParseNode) node).getName().equals(selected.getAlias());
      if (columns.contains(selected.getAlias()) && !isOfTheName) {
        return true;
      }
    }
    return false;
  }
}
