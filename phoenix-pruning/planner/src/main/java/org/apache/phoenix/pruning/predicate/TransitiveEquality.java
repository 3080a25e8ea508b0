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
package org.apache.phoenix.pruning.predicate;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.phoenix.expression.CoerceExpression;
import org.apache.phoenix.expression.ComparisonExpression;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.expression.InListExpression;
import org.apache.phoenix.expression.LiteralExpression;
import org.apache.phoenix.expression.OrExpression;
import org.apache.phoenix.schema.SortOrder;
import org.apache.phoenix.schema.types.PChar;
import org.jspecify.annotations.Nullable;

/**
 * Derives conditions on a column from conditions on another column that is equal to it. For
 * example, {@code A.K = B.K AND B.K > 25} implies {@code A.K > 25}.
 */
public final class TransitiveEquality {

  private final Expression column;
  private final Expression equal;

  /**
   * Creates the equality of two columns of the same type. Either column may be cast to that type.
   *
   * @param column column whose conditions are known
   * @param equal column for which conditions are derived
   */
  public TransitiveEquality(Expression column, Expression equal) {
    this.column = withoutCast(column);
    this.equal = equal;
  }

  /**
   * Removes casts that change no value. With other casts, one column can be equal to several
   * values.
   */
  private static Expression withoutCast(Expression expression) {
    if (!(expression instanceof CoerceExpression)) {
      return expression;
    }
    Expression child = expression.getChildren().get(0);
    return ColumnTypes.keepsValue(child.getDataType(), expression.getDataType())
        ? withoutCast(child)
        : expression;
  }

  /**
   * Returns conditions on the other column that are true if {@code where} is true.
   *
   * @param where the WHERE of a scan, or null if there is none
   */
  public List<Expression> conditions(@Nullable Expression where) throws SQLException {
    Collector collector = new Collector();
    collector.collect(where);
    List<Expression> conditions = new ArrayList<>();
    for (Alternatives alternatives : collector.found) {
      Expression condition = condition(alternatives);
      if (condition != null) {
        conditions.add(condition);
      }
    }
    return conditions;
  }

  /** Comparisons of {@link #column}, at least one of which must be true. */
  private static final class Alternatives {

    private final CompareOperator operator;
    private final List<Expression> values;

    Alternatives(CompareOperator operator, List<Expression> values) {
      this.operator = operator;
      this.values = values;
    }
  }

  /** Collects the conditions on {@link #column} that must all be true. Ignores negated ones. */
  private final class Collector extends NormalFormVisitor<Void> {

    private final List<Alternatives> found = new ArrayList<>();

    void collect(@Nullable Expression where) {
      if (where != null) {
        visit(where);
      }
    }

    @Override
    protected Void and(Expression junction, boolean negated) {
      junction.getChildren().forEach(child -> visit(child, negated));
      return null;
    }

    @Override
    protected Void comparison(ComparisonExpression comparison, boolean negated) {
      Expression left = comparison.getChildren().get(0);
      if (!negated && isColumn(left) && isComparedAsValues(left)) {
        Expression right = comparison.getChildren().get(1);
        found.add(new Alternatives(comparison.getFilterOp(), Collections.singletonList(right)));
      }
      return null;
    }

    @Override
    protected Void in(InListExpression list, boolean negated) {
      if (!negated && isColumn(list.getChildren().get(0))) {
        found.add(new Alternatives(CompareOperator.EQUAL, list.getKeyExpressions()));
      }
      return null;
    }

    @Override
    protected Void other(Expression expression, boolean negated) {
      return null;
    }

    /**
     * Returns whether {@code expression} is {@link #column}. In a join of three tables, a column of
     * the joined row can equal another column of this scan.
     */
    private boolean isColumn(Expression expression) {
      Expression read = withoutCast(expression);
      return read.equals(column) && NonKeyColumns.isOfSameRow(read, column);
    }
  }

  /**
   * Returns whether Phoenix compares {@code left} by its values. It does not for a descending CHAR:
   * see {@link ColumnTerm#beginningsOf}.
   */
  private static boolean isComparedAsValues(Expression left) {
    return left.getSortOrder() == SortOrder.ASC || left.getDataType() != PChar.INSTANCE;
  }

  /**
   * Returns the comparison of the other column, or null if {@code with} is not a constant value.
   */
  private @Nullable Expression comparison(CompareOperator operator, Expression with)
      throws SQLException {
    Constant constant = Constant.isConstant(with) ? Constant.of(with) : null;
    if (constant == null || constant.isNull()) {
      return null;
    }
    LiteralExpression literal =
        LiteralExpression.newConstant(constant.value(), constant.type(), equal.getSortOrder());
    // A CHAR of spaces only is a value, but Phoenix turns it into a null literal.
    return literal.getValue() == null
        ? null
        : new ComparisonExpression(Arrays.asList(equal, literal), operator);
  }

  /** Returns the condition on the other column, or null if a value is not a constant. */
  private @Nullable Expression condition(Alternatives alternatives) throws SQLException {
    List<Expression> comparisons = new ArrayList<>();
    for (Expression value : alternatives.values) {
      Expression comparison = comparison(alternatives.operator, value);
      if (comparison == null) {
        return null;
      }
      comparisons.add(comparison);
    }
    return comparisons.size() == 1 ? comparisons.get(0) : new OrExpression(comparisons);
  }
}
