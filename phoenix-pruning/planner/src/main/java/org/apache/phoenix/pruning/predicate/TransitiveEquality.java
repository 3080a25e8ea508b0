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
import java.util.List;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.phoenix.expression.AndExpression;
import org.apache.phoenix.expression.CoerceExpression;
import org.apache.phoenix.expression.ComparisonExpression;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.expression.InListExpression;
import org.apache.phoenix.expression.LiteralExpression;
import org.apache.phoenix.expression.OrExpression;
import org.apache.phoenix.schema.SortOrder;
import org.apache.phoenix.schema.types.PChar;

/**
 * What a condition on a column says of another column that is equal to it: of {@code A.K = B.K AND
 * B.K > 25}, that {@code A.K > 25}.
 */
public final class TransitiveEquality {

  private final Expression column;
  private final Expression equal;

  /**
   * The equality of two columns, of the same type, to which each may be cast.
   *
   * @param column the one that conditions are known of
   * @param equal the one that they are wanted of
   */
  public TransitiveEquality(Expression column, Expression equal) {
    this.column = withoutCast(column);
    this.equal = equal;
  }

  /** Casts that change no value; with others, one column can be equal to several values. */
  private static Expression withoutCast(Expression expression) {
    if (!(expression instanceof CoerceExpression)) {
      return expression;
    }
    Expression child = expression.getChildren().get(0);
    return KeyTerms.keepsValue(child.getDataType(), expression.getDataType())
        ? withoutCast(child)
        : expression;
  }

  /** Conditions on the other column that are true where {@code where} is. */
  public List<Expression> conditions(Expression where) throws SQLException {
    List<Expression> conditions = new ArrayList<>();
    addConditions(where, conditions);
    return conditions;
  }

  private void addConditions(Expression where, List<Expression> conditions) throws SQLException {
    if (where instanceof AndExpression) {
      for (Expression child : where.getChildren()) {
        addConditions(child, conditions);
      }
    } else if (where instanceof ComparisonExpression) {
      Expression left = where.getChildren().get(0);
      Expression right = where.getChildren().get(1);
      if (withoutCast(left).equals(column) && isComparedAsValues(left)) {
        addIfKnown(comparison(((ComparisonExpression) where).getFilterOp(), right), conditions);
      }
    } else if (where instanceof InListExpression) {
      if (withoutCast(where.getChildren().get(0)).equals(column)) {
        addIfKnown(anyOf(((InListExpression) where).getKeyExpressions()), conditions);
      }
    }
  }

  /** Not so a descending CHAR: see {@link ColumnTerm#beginningsOf}. */
  private static boolean isComparedAsValues(Expression left) {
    return left.getSortOrder() == SortOrder.ASC || left.getDataType() != PChar.INSTANCE;
  }

  private static void addIfKnown(Expression condition, List<Expression> conditions) {
    if (condition != null) {
      conditions.add(condition);
    }
  }

  /** Null if it is no constant that it is compared with. */
  private Expression comparison(CompareOperator operator, Expression with) throws SQLException {
    Constant constant = Constant.isConstant(with) ? Constant.of(with) : null;
    if (constant == null || constant.isNull()) {
      return null;
    }
    LiteralExpression literal =
        LiteralExpression.newConstant(constant.value(), constant.type(), equal.getSortOrder());
    // Blanks of a CHAR are a value of their own, of which Phoenix makes a literal that is null.
    return literal.getValue() == null
        ? null
        : new ComparisonExpression(Arrays.asList(equal, literal), operator);
  }

  private Expression anyOf(List<Expression> values) throws SQLException {
    List<Expression> alternatives = new ArrayList<>();
    for (Expression value : values) {
      Expression alternative = comparison(CompareOperator.EQUAL, value);
      if (alternative == null) {
        return null;
      }
      alternatives.add(alternative);
    }
    return new OrExpression(alternatives);
  }
}
