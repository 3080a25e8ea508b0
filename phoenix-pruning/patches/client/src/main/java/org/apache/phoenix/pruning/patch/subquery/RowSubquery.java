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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.phoenix.compile.ExpressionCompiler;
import org.apache.phoenix.compile.StatementContext;
import org.apache.phoenix.expression.AndExpression;
import org.apache.phoenix.expression.ComparisonExpression;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.expression.InListExpression;
import org.apache.phoenix.expression.LiteralExpression;
import org.apache.phoenix.expression.NotExpression;
import org.apache.phoenix.expression.OrExpression;
import org.apache.phoenix.expression.RowValueConstructorExpression;
import org.apache.phoenix.parse.AliasedNode;
import org.apache.phoenix.parse.ArrayAllAnyComparisonNode;
import org.apache.phoenix.parse.ArrayAllComparisonNode;
import org.apache.phoenix.parse.ComparisonParseNode;
import org.apache.phoenix.parse.ParseNode;
import org.apache.phoenix.parse.RowValueConstructorParseNode;
import org.apache.phoenix.parse.SelectStatement;
import org.apache.phoenix.parse.SubqueryParseNode;
import org.apache.phoenix.parse.WildcardParseNode;
import org.apache.phoenix.schema.types.PBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Comparison of a row value with a subquery that has several columns and does not refer to the
 * outer query. Phoenix compiles it twice: before the subquery has run, and afterwards.
 */
public final class RowSubquery {

  private final ComparisonParseNode comparison;
  private final SelectStatement select;
  private final Quantifier quantifier;

  private enum Quantifier {
    /** The subquery has at most one row. */
    NONE,
    ANY,
    ALL
  }

  private RowSubquery(
      ComparisonParseNode comparison, SelectStatement select, Quantifier quantifier) {
    this.comparison = comparison;
    this.select = select;
    this.quantifier = quantifier;
  }

  /** Returns whether the node is such a comparison, with ANY, ALL or none of both. */
  public static boolean isIn(ParseNode node) {
    return subqueryOf(node) instanceof SubqueryParseNode
        && comparisonOf(node).getLHS() instanceof RowValueConstructorParseNode
        && hasSeveralColumns(((SubqueryParseNode) subqueryOf(node)).getSelectNode());
  }

  /** Returns the comparison, if {@link #isIn} is true. */
  public static RowSubquery in(ParseNode node) {
    Quantifier quantifier =
        !(node instanceof ArrayAllAnyComparisonNode)
            ? Quantifier.NONE
            : node instanceof ArrayAllComparisonNode ? Quantifier.ALL : Quantifier.ANY;
    return new RowSubquery(
        comparisonOf(node), ((SubqueryParseNode) subqueryOf(node)).getSelectNode(), quantifier);
  }

  private static ParseNode subqueryOf(ParseNode node) {
    return node.getChildren().get(node instanceof ArrayAllAnyComparisonNode ? 0 : 1);
  }

  private static ComparisonParseNode comparisonOf(ParseNode node) {
    return (ComparisonParseNode)
        (node instanceof ArrayAllAnyComparisonNode ? node.getChildren().get(1) : node);
  }

  private static boolean hasSeveralColumns(SelectStatement select) {
    List<AliasedNode> columns = select.getSelect();
    return columns.size() > 1 || columns.get(0).getNode() instanceof WildcardParseNode;
  }

  /**
   * Returns the comparison with the rows of the subquery. It is null, as for no row, if the
   * subquery has not run.
   */
  public Expression compile(ExpressionCompiler compiler, StatementContext context)
      throws SQLException {
    Object result = context.getSubqueryResult(select);
    if (result == null) {
      return LiteralExpression.newConstant(null, PBoolean.INSTANCE);
    }
    List<List<Expression>> rows =
        result instanceof Result ? ((Result) result).rows : Collections.emptyList();
    if (rows.isEmpty()) {
      return LiteralExpression.newConstant(quantifier == Quantifier.ALL, PBoolean.INSTANCE);
    }
    CompareOperator operator = comparison.getFilterOp();
    boolean isIn = quantifier == Quantifier.ANY && operator == CompareOperator.EQUAL;
    boolean isNotIn = quantifier == Quantifier.ALL && operator == CompareOperator.NOT_EQUAL;
    return isIn || isNotIn
        ? in(rows, isNotIn, compiler, context)
        : compare(rows, operator, compiler, context);
  }

  private Expression in(
      List<List<Expression>> rows,
      boolean isNegated,
      ExpressionCompiler compiler,
      StatementContext context)
      throws SQLException {
    List<Expression> operands = new ArrayList<>();
    operands.add(comparison.getLHS().accept(compiler));
    for (List<Expression> row : new LinkedHashSet<>(rows)) {
      operands.add(rowValue(row));
    }
    Expression in =
        InListExpression.create(operands, false, context.getTempPtr(), isOrderOptimizable(context));
    return isNegated ? NotExpression.create(in, context.getTempPtr()) : in;
  }

  private Expression compare(
      List<List<Expression>> rows,
      CompareOperator operator,
      ExpressionCompiler compiler,
      StatementContext context)
      throws SQLException {
    List<Expression> comparisons = new ArrayList<>();
    for (List<Expression> row : new LinkedHashSet<>(rows)) {
      comparisons.add(
          ComparisonExpression.create(
              operator,
              Arrays.asList(comparison.getLHS().accept(compiler), rowValue(row)),
              context.getTempPtr(),
              isOrderOptimizable(context)));
    }
    if (comparisons.size() == 1) {
      return comparisons.get(0);
    }
    return quantifier == Quantifier.ALL
        ? AndExpression.create(comparisons)
        : new OrExpression(comparisons);
  }

  private static Expression rowValue(List<Expression> row) {
    return new RowValueConstructorExpression(row, true);
  }

  private static boolean isOrderOptimizable(StatementContext context) throws SQLException {
    return context.getCurrentTable().getTable().rowKeyOrderOptimizable();
  }

  /** Rows of a subquery, with Phoenix's result for conditions without a row value. */
  public static final class Result {

    private final List<List<Expression>> rows;
    private final Object ofPhoenix;

    /**
     * Creates a result.
     *
     * @param rows the rows, with a constant for each column
     */
    public Result(List<List<Expression>> rows, Object ofPhoenix) {
      this.rows = rows;
      this.ofPhoenix = ofPhoenix;
    }

    /** Returns Phoenix's result, or null for null. */
    public static @Nullable Object ofPhoenix(@Nullable Object result) {
      return result instanceof Result ? ((Result) result).ofPhoenix : result;
    }
  }
}
