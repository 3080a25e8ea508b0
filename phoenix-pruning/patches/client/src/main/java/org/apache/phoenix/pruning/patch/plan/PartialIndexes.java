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
import java.util.List;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.phoenix.compile.FromCompiler;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.compile.StatementContext;
import org.apache.phoenix.compile.WhereCompiler.DNFExpressionRewriter;
import org.apache.phoenix.compile.WhereCompiler.WhereExpressionCompiler;
import org.apache.phoenix.expression.AndExpression;
import org.apache.phoenix.expression.ColumnExpression;
import org.apache.phoenix.expression.ComparisonExpression;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.expression.IsNullExpression;
import org.apache.phoenix.expression.LiteralExpression;
import org.apache.phoenix.expression.OrExpression;
import org.apache.phoenix.expression.RowValueConstructorExpression;
import org.apache.phoenix.parse.AndParseNode;
import org.apache.phoenix.parse.ParseNode;
import org.apache.phoenix.parse.ParseNodeFactory;
import org.apache.phoenix.parse.SelectStatement;
import org.apache.phoenix.schema.PTable;
import org.jspecify.annotations.Nullable;

/** Decides whether a partial index has all rows of a query. */
public final class PartialIndexes {

  private static final ParseNodeFactory NODES = new ParseNodeFactory();

  private PartialIndexes() {}

  /**
   * Returns true if {@code index} is not partial, or is proven to have all rows of {@code select}.
   */
  public static boolean isUsable(SelectStatement select, QueryPlan dataPlan, PTable index)
      throws SQLException {
    if (index.getIndexWhere() == null) {
      return true;
    }
    ParseNode where = select.getWhere() == null ? null : withoutSamples(select.getWhere());
    if (where == null) {
      return false;
    }
    StatementContext context = new StatementContext(dataPlan.getContext());
    context.setResolver(FromCompiler.getResolver(dataPlan.getTableRef()));
    Expression query = where.accept(new WhereExpressionCompiler(context));
    return !hasUnequalRowValues(query)
        && contains(index.getIndexWhereExpression(context.getConnection()), query);
  }

  /** Returns the terms of an AND that have their own constants, or null if there are none. */
  private static @Nullable ParseNode withoutSamples(ParseNode where) {
    if (!(where instanceof AndParseNode)) {
      return SampleValue.isIn(where) ? null : where;
    }
    List<ParseNode> terms = new ArrayList<>();
    for (ParseNode term : where.getChildren()) {
      ParseNode known = withoutSamples(term);
      if (known != null) {
        terms.add(known);
      }
    }
    if (terms.size() > 1) {
      return NODES.and(terms);
    }
    return terms.isEmpty() ? null : terms.get(0);
  }

  /**
   * Returns true for a condition such as {@code (A, B) <> (1, 2)}. Phoenix rewrites it to {@code A
   * <> 1 AND B <> 2}.
   */
  private static boolean hasUnequalRowValues(Expression condition) {
    return condition instanceof ComparisonExpression
            && ((ComparisonExpression) condition).getFilterOp() == CompareOperator.NOT_EQUAL
            && condition.getChildren().get(0) instanceof RowValueConstructorExpression
        || condition.getChildren().stream().anyMatch(PartialIndexes::hasUnequalRowValues);
  }

  /** Returns true if {@code index} is proven to be true for each row for which {@code query} is. */
  private static boolean contains(Expression index, Expression query) {
    Expression rewritten;
    try {
      rewritten = query.accept(new DNFExpressionRewriter());
    } catch (IllegalArgumentException e) {
      // The rewriter refuses NOT around an OR that has other parts than comparisons.
      return false;
    }
    return follows(index, rewritten);
  }

  /** Returns true if {@code conclusion} is proven to follow from {@code premise}. */
  static boolean follows(Expression conclusion, Expression premise) {
    if (premise instanceof OrExpression) {
      return premise.getChildren().stream().allMatch(each -> follows(conclusion, each));
    }
    if (conclusion instanceof AndExpression) {
      return conclusion.getChildren().stream().allMatch(each -> follows(each, premise));
    }
    if (conclusion instanceof OrExpression
        && conclusion.getChildren().stream().anyMatch(each -> follows(each, premise))) {
      return true;
    }
    if (premise instanceof AndExpression) {
      return premise.getChildren().stream().anyMatch(each -> follows(conclusion, each));
    }
    return termFollows(conclusion, premise);
  }

  private static boolean termFollows(Expression conclusion, Expression premise) {
    if (conclusion instanceof ComparisonExpression && premise instanceof ComparisonExpression) {
      return conclusion.equals(premise)
          || isOfColumn(conclusion) && isOfColumn(premise) && conclusion.contains(premise);
    }
    return conclusion instanceof IsNullExpression
        ? conclusion.contains(premise)
        : conclusion.equals(premise);
  }

  /**
   * Returns true for a comparison of a column with a constant. For other comparisons, Phoenix looks
   * only at the first column or constant of each side.
   */
  private static boolean isOfColumn(Expression comparison) {
    Expression right = comparison.getChildren().get(1);
    return comparison.getChildren().get(0) instanceof ColumnExpression
        && right instanceof LiteralExpression
        && ((LiteralExpression) right).getValue() != null;
  }
}
