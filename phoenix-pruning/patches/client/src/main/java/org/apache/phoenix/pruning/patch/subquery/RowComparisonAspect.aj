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

import java.util.List;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.phoenix.compile.SubqueryRewriter;
import org.apache.phoenix.parse.ComparisonParseNode;
import org.apache.phoenix.parse.ParseNode;
import org.apache.phoenix.parse.ParseNodeFactory;
import org.apache.phoenix.parse.RowValueConstructorParseNode;
import org.apache.phoenix.parse.SelectStatement;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;

/**
 * Compares a row value with the columns of a subquery that refers to the outer query, for the patch
 * {@code row-subquery}. Phoenix's {@code SubqueryRewriter} joins the subquery, combines its columns
 * into one, and compares it with the first element (not reported).
 *
 * <p>Example: {@code SELECT K FROM T WHERE (A, K) = (SELECT X, Y FROM D WHERE D.Y = T.K)} finds no
 * rows.
 */
public privileged aspect RowComparisonAspect {

  // A comparison is first turned around, and its aggregates are separated. Then it is no row value.
  declare precedence : EmptyScalarAspect, SubqueryLimitAspect, RowComparisonAspect;

  /** Set if the operand on the left side is a row value. */
  private boolean SubqueryRewriter.comparesRowValue;

  /** Columns of the subquery that is being rewritten, if there are several, or null. */
  private RowColumns SubqueryRewriter.rowColumns;

  pointcut inComparison(SubqueryRewriter rewriter) :
      withincode(ParseNode SubqueryRewriter.visitLeave(ComparisonParseNode, List))
      && this(rewriter);

  before(SubqueryRewriter rewriter, List operands) :
      execution(ParseNode SubqueryRewriter.visitLeave(ComparisonParseNode, List))
      && this(rewriter)
      && args(*, operands) {
    rewriter.comparesRowValue = operands.get(0) instanceof RowValueConstructorParseNode;
  }

  SelectStatement around(SubqueryRewriter rewriter, List columns) :
      call(SelectStatement ParseNodeFactory.select(SelectStatement, boolean, List, ParseNode, ..))
      && inComparison(rewriter)
      && args(*, *, columns, ..) {
    rewriter.rowColumns =
        rewriter.comparesRowValue
                && RowColumns.areIn(columns)
                && Patches.isOn(Patch.ROW_SUBQUERY, rewriter.connection)
            ? RowColumns.of(columns)
            : null;
    return proceed(
        rewriter, rewriter.rowColumns == null ? columns : rewriter.rowColumns.selected());
  }

  ComparisonParseNode around(SubqueryRewriter rewriter, ParseNode column) :
      call(ComparisonParseNode ParseNodeFactory.comparison(CompareOperator, ParseNode, ParseNode))
      && inComparison(rewriter)
      && args(*, *, column) {
    RowColumns columns = rewriter.rowColumns;
    rewriter.rowColumns = null;
    return proceed(rewriter, columns == null ? column : columns.rowValue(column));
  }
}
