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
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.phoenix.compile.ExpressionCompiler;
import org.apache.phoenix.compile.StatementContext;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.expression.LiteralExpression;
import org.apache.phoenix.parse.AliasedNode;
import org.apache.phoenix.parse.ArrayAllAnyComparisonNode;
import org.apache.phoenix.parse.ArrayAllComparisonNode;
import org.apache.phoenix.parse.ComparisonParseNode;
import org.apache.phoenix.parse.LiteralParseNode;
import org.apache.phoenix.parse.ParseNode;
import org.apache.phoenix.parse.ParseNodeFactory;
import org.apache.phoenix.parse.RowValueConstructorParseNode;
import org.apache.phoenix.parse.SelectStatement;
import org.apache.phoenix.parse.SubqueryParseNode;
import org.apache.phoenix.parse.WildcardParseNode;
import org.apache.phoenix.schema.types.PBoolean;
import org.apache.phoenix.schema.types.PhoenixArray;
import org.jspecify.annotations.Nullable;

/**
 * Comparison of a row value with a subquery that has several columns and does not refer to the
 * outer query. Phoenix compiles it twice: before the subquery has run, and afterwards.
 */
public final class RowSubquery {

  private static final ParseNodeFactory NODES = new ParseNodeFactory();

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

  /**
   * Returns whether the node is such a comparison, with ANY, ALL or none of both. For {@code SELECT
   * *}, only the result says if there are several columns.
   */
  public static boolean isIn(ParseNode node, StatementContext context) {
    ParseNode subquery = subqueryOf(node);
    if (!(subquery instanceof SubqueryParseNode)
        || !(comparisonOf(node).getLHS() instanceof RowValueConstructorParseNode)) {
      return false;
    }
    SelectStatement select = ((SubqueryParseNode) subquery).getSelectNode();
    Object result = context.getSubqueryResult(select);
    return hasSeveralColumns(select)
        && (result == null || result instanceof Result || isEmpty(result));
  }

  private static boolean isEmpty(Object result) {
    return result instanceof PhoenixArray && ((PhoenixArray) result).getDimensions() == 0;
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
    return condition(rows).accept(compiler);
  }

  /** Returns the condition with constants, which Phoenix compiles like any other. */
  private ParseNode condition(List<List<Expression>> rows) {
    CompareOperator operator = comparison.getFilterOp();
    List<ParseNode> rowValues = new ArrayList<>();
    for (List<Expression> row : new LinkedHashSet<>(rows)) {
      rowValues.add(rowValue(row));
    }
    boolean isNotIn = quantifier == Quantifier.ALL && operator == CompareOperator.NOT_EQUAL;
    if (isNotIn || (quantifier == Quantifier.ANY && operator == CompareOperator.EQUAL)) {
      rowValues.add(0, comparison.getLHS());
      return NODES.inList(rowValues, isNotIn);
    }
    List<ParseNode> comparisons = new ArrayList<>();
    for (ParseNode rowValue : rowValues) {
      comparisons.add(NODES.comparison(operator, comparison.getLHS(), rowValue));
    }
    if (comparisons.size() == 1) {
      return comparisons.get(0);
    }
    return quantifier == Quantifier.ALL ? NODES.and(comparisons) : NODES.or(comparisons);
  }

  private static ParseNode rowValue(List<Expression> row) {
    List<ParseNode> constants = new ArrayList<>();
    for (Expression element : row) {
      LiteralExpression constant = (LiteralExpression) element;
      constants.add(new LiteralParseNode(constant.getValue(), constant.getDataType()));
    }
    return NODES.rowValueConstructor(constants);
  }

  /** Rows of a subquery, with Phoenix's result for conditions without a row value. */
  public static final class Result {

    private final List<List<Expression>> rows;
    private final Object ofPhoenix;

    private Result(List<List<Expression>> rows, Object ofPhoenix) {
      this.rows = rows;
      this.ofPhoenix = ofPhoenix;
    }

    /**
     * Adds the rows to Phoenix's result. Returns this result without a change if there are none.
     *
     * @param rows the rows, with a constant for each column
     */
    public static Object of(@Nullable List<List<Expression>> rows, Object ofPhoenix) {
      return rows == null || rows.isEmpty() ? ofPhoenix : new Result(rows, ofPhoenix);
    }

    /** Returns Phoenix's result, or null for null. */
    public static @Nullable Object ofPhoenix(@Nullable Object result) {
      return result instanceof Result ? ((Result) result).ofPhoenix : result;
    }
  }
}
