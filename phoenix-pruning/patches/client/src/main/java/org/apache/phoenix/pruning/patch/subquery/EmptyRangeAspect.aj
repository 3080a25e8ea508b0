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
import org.apache.phoenix.compile.SubqueryRewriter;
import org.apache.phoenix.parse.ArrayAllAnyComparisonNode;
import org.apache.phoenix.parse.ArrayAllComparisonNode;
import org.apache.phoenix.parse.ArrayAnyComparisonNode;
import org.apache.phoenix.parse.JoinTableNode;
import org.apache.phoenix.parse.JoinTableNode.JoinType;
import org.apache.phoenix.parse.ParseNode;
import org.apache.phoenix.parse.ParseNodeFactory;
import org.apache.phoenix.parse.SelectStatement;
import org.apache.phoenix.parse.TableNode;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;

/**
 * Lets ALL be true, and ANY false, for an outer row whose subquery has no rows, for the patch
 * {@code empty-subquery}. Phoenix's {@code SubqueryRewriter} loses the row in an inner join, or
 * compares with null after a left join (not reported).
 *
 * <p>Example: {@code SELECT ID FROM T WHERE A > ALL (SELECT D.A FROM D WHERE D.ID = T.ID)} loses
 * the rows whose ID is not in D.
 */
public privileged aspect EmptyRangeAspect {

  /** Comparison that is being rewritten, or null. */
  private EmptyRange SubqueryRewriter.emptyRange;

  pointcut inRange(SubqueryRewriter rewriter) :
      withincode(List SubqueryRewriter.leaveArrayComparisonNode(ParseNode, List))
      && this(rewriter);

  ParseNode around(SubqueryRewriter rewriter, ArrayAllAnyComparisonNode node, List children)
      throws SQLException :
      (execution(ParseNode SubqueryRewriter.visitLeave(ArrayAllComparisonNode, List))
          || execution(ParseNode SubqueryRewriter.visitLeave(ArrayAnyComparisonNode, List)))
      && this(rewriter)
      && args(node, children) {
    boolean isAll = node instanceof ArrayAllComparisonNode;
    if (!EmptyRange.isIn(children)
        || (!isAll && rewriter.topNode == node)
        || !Patches.isOn(Patch.EMPTY_SUBQUERY, rewriter.connection)) {
      return proceed(rewriter, node, children);
    }
    EmptyRange range = new EmptyRange(isAll);
    rewriter.emptyRange = range;
    try {
      return range.complete(proceed(rewriter, node, children));
    } finally {
      rewriter.emptyRange = null;
    }
  }

  /** Adds a column to a subquery without GROUP BY. */
  SelectStatement around(SubqueryRewriter rewriter, SelectStatement subquery, List columns) :
      call(SelectStatement ParseNodeFactory.select(
          SelectStatement, boolean, List, ParseNode, List, boolean))
      && inRange(rewriter)
      && args(subquery, *, columns, ..) {
    return proceed(
        rewriter,
        subquery,
        rewriter.emptyRange != null && !subquery.isAggregate()
            ? rewriter.emptyRange.marked(columns)
            : columns);
  }

  /** Adds a column to the outer query that Phoenix makes for a subquery with GROUP BY. */
  SelectStatement around(SubqueryRewriter rewriter, List columns) :
      call(SelectStatement ParseNodeFactory.select(TableNode, ..))
      && inRange(rewriter)
      && args(*, *, *, columns, ..) {
    return proceed(
        rewriter,
        rewriter.emptyRange == null ? columns : rewriter.emptyRange.marked(columns));
  }

  JoinTableNode around(SubqueryRewriter rewriter, JoinType type, TableNode subquery) :
      call(JoinTableNode ParseNodeFactory.join(
          JoinType, TableNode, TableNode, ParseNode, boolean))
      && inRange(rewriter)
      && args(type, *, subquery, ..) {
    return proceed(
        rewriter,
        rewriter.emptyRange != null && rewriter.emptyRange.isOf(subquery) ? JoinType.Left : type,
        subquery);
  }
}
