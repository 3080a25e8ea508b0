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
import java.util.List;
import org.apache.phoenix.parse.AndParseNode;
import org.apache.phoenix.parse.ArrayElemRefNode;
import org.apache.phoenix.parse.BindParseNode;
import org.apache.phoenix.parse.CastParseNode;
import org.apache.phoenix.parse.ColumnParseNode;
import org.apache.phoenix.parse.FunctionParseNode;
import org.apache.phoenix.parse.JoinTableNode;
import org.apache.phoenix.parse.LiteralParseNode;
import org.apache.phoenix.parse.ParseNode;
import org.apache.phoenix.parse.ParseNodeFactory;
import org.apache.phoenix.parse.SelectStatement;
import org.apache.phoenix.parse.TableNode;
import org.jspecify.annotations.Nullable;

/** Compares conditions that are only a value, such as a BOOLEAN column, with TRUE. */
public final class BareConditions {

  private static final ParseNodeFactory FACTORY = new ParseNodeFactory();

  private BareConditions() {}

  /**
   * Returns {@code select}, with {@code P = TRUE} in place of each condition {@code P} of WHERE, ON
   * and HAVING. Conditions of subqueries and derived tables stay as they are.
   *
   * @return the same object if there is no such condition
   */
  public static SelectStatement compared(SelectStatement select) {
    ParseNode where = compared(select.getWhere());
    ParseNode having = compared(select.getHaving());
    TableNode from = select.getFrom() == null ? null : compared(select.getFrom());
    SelectStatement compared = select;
    if (where != select.getWhere() || having != select.getHaving()) {
      compared = FACTORY.select(compared, where, having);
    }
    return from == select.getFrom() ? compared : FACTORY.select(compared, from);
  }

  private static TableNode compared(TableNode table) {
    if (!(table instanceof JoinTableNode)) {
      return table;
    }
    JoinTableNode join = (JoinTableNode) table;
    TableNode left = compared(join.getLHS());
    TableNode right = compared(join.getRHS());
    ParseNode on = compared(join.getOnNode());
    return left == join.getLHS() && right == join.getRHS() && on == join.getOnNode()
        ? join
        : FACTORY.join(join.getType(), left, right, on, join.isSingleValueOnly());
  }

  private static @Nullable ParseNode compared(@Nullable ParseNode condition) {
    if (!hasValue(condition)) {
      return condition;
    }
    if (condition instanceof AndParseNode) {
      List<ParseNode> conditions = new ArrayList<>();
      for (ParseNode child : condition.getChildren()) {
        conditions.add(compared(child));
      }
      return FACTORY.and(conditions);
    }
    return FACTORY.equal(condition, FACTORY.literal(Boolean.TRUE));
  }

  /** Returns whether a condition is only a value, or is an AND of such a condition. */
  private static boolean hasValue(@Nullable ParseNode condition) {
    if (!(condition instanceof AndParseNode)) {
      return isValue(condition);
    }
    List<ParseNode> children = condition.getChildren();
    for (int i = 0; i < children.size(); i++) {
      if (hasValue(children.get(i))) {
        return true;
      }
    }
    return false;
  }

  /** Returns whether Phoenix skips this node when it looks for conditions. */
  private static boolean isValue(@Nullable ParseNode node) {
    return node instanceof ColumnParseNode
        || node instanceof FunctionParseNode
        || node instanceof CastParseNode
        || node instanceof ArrayElemRefNode
        || node instanceof BindParseNode
        || node instanceof LiteralParseNode;
  }
}
