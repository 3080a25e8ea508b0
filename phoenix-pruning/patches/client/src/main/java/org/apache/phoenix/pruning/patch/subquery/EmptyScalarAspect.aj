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
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.phoenix.compile.SubqueryRewriter;
import org.apache.phoenix.parse.ComparisonParseNode;
import org.apache.phoenix.parse.JoinTableNode;
import org.apache.phoenix.parse.JoinTableNode.JoinType;
import org.apache.phoenix.parse.ParseNode;
import org.apache.phoenix.parse.ParseNodeFactory;
import org.apache.phoenix.parse.SelectStatement;
import org.apache.phoenix.parse.SubqueryParseNode;
import org.apache.phoenix.parse.TableNode;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;

/**
 * Compares an outer row with the aggregate of no rows if its subquery has none, such as COUNT(*) =
 * 0. Phoenix's {@code SubqueryRewriter} makes an inner join with the groups of the subquery, and
 * this outer row has no group (not reported).
 *
 * <p>Example: {@code SELECT ID FROM T WHERE N < (SELECT COUNT(*) FROM D WHERE D.ID = T.ID)} loses a
 * row whose N is -1, and whose ID is not in D.
 */
public privileged aspect EmptyScalarAspect {

  /** Comparison that is being rewritten, if its subquery needs a left join, or null. */
  private EmptyScalar SubqueryRewriter.emptyScalar;

  pointcut inComparison(SubqueryRewriter rewriter) :
      withincode(ParseNode SubqueryRewriter.visitLeave(ComparisonParseNode, List))
      && this(rewriter);

  /**
   * Moves a constant back to the left side. Phoenix moves constants to the right, where {@code
   * SubqueryRewriter} expects the subquery.
   */
  ParseNode around(SubqueryRewriter rewriter, ComparisonParseNode node, List children)
      throws SQLException :
      execution(ParseNode SubqueryRewriter.visitLeave(ComparisonParseNode, List))
      && this(rewriter)
      && args(node, children) {
    if (!(children.get(0) instanceof SubqueryParseNode)
        || children.get(1) instanceof SubqueryParseNode
        || !Patches.isOn(Patch.EMPTY_SUBQUERY, rewriter.connection)) {
      return proceed(rewriter, node, children);
    }
    ComparisonParseNode swapped = EmptyScalar.swapped(node, children);
    if (rewriter.topNode == node) {
      rewriter.topNode = swapped;
    }
    return proceed(rewriter, swapped, swapped.getChildren());
  }

  SelectStatement around(
      SubqueryRewriter rewriter, SelectStatement subquery, List columns) :
      call(SelectStatement ParseNodeFactory.select(
          SelectStatement, boolean, List, ParseNode, List, boolean))
      && inComparison(rewriter)
      && args(subquery, *, columns, ..) {
    rewriter.emptyScalar =
        EmptyScalar.mayBeOf(subquery) && Patches.isOn(Patch.EMPTY_SUBQUERY, rewriter.connection)
            ? EmptyScalar.of(columns)
            : null;
    return proceed(
        rewriter,
        subquery,
        rewriter.emptyScalar == null ? columns : rewriter.emptyScalar.columns());
  }

  ComparisonParseNode around(SubqueryRewriter rewriter, ParseNode column) :
      call(ComparisonParseNode ParseNodeFactory.comparison(CompareOperator, ParseNode, ParseNode))
      && inComparison(rewriter)
      && args(*, *, column) {
    return proceed(
        rewriter,
        rewriter.emptyScalar == null ? column : rewriter.emptyScalar.valueFor(column));
  }

  JoinTableNode around(SubqueryRewriter rewriter, JoinType type) :
      call(JoinTableNode ParseNodeFactory.join(
          JoinType, TableNode, TableNode, ParseNode, boolean))
      && inComparison(rewriter)
      && args(type, ..) {
    JoinType join = rewriter.emptyScalar == null ? type : JoinType.Left;
    rewriter.emptyScalar = null;
    return proceed(rewriter, join);
  }
}
