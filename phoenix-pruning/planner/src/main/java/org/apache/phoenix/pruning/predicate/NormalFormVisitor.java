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

import org.apache.phoenix.expression.AndExpression;
import org.apache.phoenix.expression.ArithmeticExpression;
import org.apache.phoenix.expression.CaseExpression;
import org.apache.phoenix.expression.CoerceExpression;
import org.apache.phoenix.expression.ComparisonExpression;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.expression.InListExpression;
import org.apache.phoenix.expression.IsNullExpression;
import org.apache.phoenix.expression.LikeExpression;
import org.apache.phoenix.expression.LiteralExpression;
import org.apache.phoenix.expression.NotExpression;
import org.apache.phoenix.expression.OrExpression;
import org.apache.phoenix.expression.RowKeyColumnExpression;
import org.apache.phoenix.expression.function.ArrayAnyComparisonExpression;
import org.apache.phoenix.expression.function.CoalesceFunction;
import org.apache.phoenix.expression.function.ScalarFunction;

/**
 * Visits a Phoenix expression by its kind, in negation normal form. NOT is pushed down to the
 * leaves, so a subclass never sees it. For example, {@code NOT (A AND B)} is visited as {@link #or}
 * of {@code NOT A} and {@code NOT B}.
 *
 * <p>Each method receives an expression and whether it is negated. It returns the result for the
 * negated expression if {@code negated} is true. Negation follows SQL: the negation of NULL is
 * NULL.
 *
 * <p>A method visits those children that it needs, so AND and OR can stop early. A kind whose
 * method is not overridden is visited by {@link #other}. The visitor creates no objects.
 *
 * @param <R> type of the result
 */
public abstract class NormalFormVisitor<R> {

  /** Visits an expression that is not negated. */
  protected final R visit(Expression expression) {
    return visit(expression, false);
  }

  /** Visits an expression of any kind: AND, OR, NOT or a leaf. */
  protected R visit(Expression expression, boolean negated) {
    Expression operand = expression;
    boolean isNegated = negated;
    while (operand instanceof NotExpression) {
      operand = operand.getChildren().get(0);
      isNegated = !isNegated;
    }
    if (operand instanceof AndExpression) {
      return isNegated ? or(operand, true) : and(operand, false);
    }
    if (operand instanceof OrExpression) {
      return isNegated ? and(operand, true) : or(operand, false);
    }
    return leaf(operand, isNegated);
  }

  /**
   * Visits a conjunction of the children of {@code junction}. Each child is negated if {@code
   * negated} is true. The junction itself is then an OR.
   */
  protected R and(Expression junction, boolean negated) {
    return other(junction, negated);
  }

  /**
   * Visits a disjunction of the children of {@code junction}. Each child is negated if {@code
   * negated} is true. The junction itself is then an AND.
   */
  protected R or(Expression junction, boolean negated) {
    return other(junction, negated);
  }

  /** Visits an expression other than AND, OR and NOT by the method for its kind. */
  protected R leaf(Expression leaf, boolean negated) {
    if (leaf instanceof LiteralExpression) {
      return literal((LiteralExpression) leaf, negated);
    }
    if (leaf instanceof RowKeyColumnExpression) {
      return keyColumn((RowKeyColumnExpression) leaf, negated);
    }
    if (leaf instanceof ComparisonExpression) {
      return comparison((ComparisonExpression) leaf, negated);
    }
    if (leaf instanceof InListExpression) {
      return in((InListExpression) leaf, negated);
    }
    if (leaf instanceof IsNullExpression) {
      return isNull((IsNullExpression) leaf, negated);
    }
    if (leaf instanceof LikeExpression) {
      return like((LikeExpression) leaf, negated);
    }
    if (leaf instanceof ArrayAnyComparisonExpression) {
      return arrayComparison((ArrayAnyComparisonExpression) leaf, negated);
    }
    if (leaf instanceof CaseExpression) {
      return caseWhen((CaseExpression) leaf, negated);
    }
    if (leaf instanceof CoerceExpression) {
      return cast((CoerceExpression) leaf, negated);
    }
    if (leaf instanceof ArithmeticExpression) {
      return arithmetic((ArithmeticExpression) leaf, negated);
    }
    if (leaf instanceof CoalesceFunction) {
      return coalesce((CoalesceFunction) leaf, negated);
    }
    if (leaf instanceof ScalarFunction) {
      return function((ScalarFunction) leaf, negated);
    }
    return other(leaf, negated);
  }

  /** Visits a literal, which may be null. */
  protected R literal(LiteralExpression literal, boolean negated) {
    return other(literal, negated);
  }

  /** Visits a column of the row key. */
  protected R keyColumn(RowKeyColumnExpression column, boolean negated) {
    return other(column, negated);
  }

  /** Visits a comparison of two values, or of two row values. */
  protected R comparison(ComparisonExpression comparison, boolean negated) {
    return other(comparison, negated);
  }

  /** Visits IN with a list of constants. */
  protected R in(InListExpression list, boolean negated) {
    return other(list, negated);
  }

  /** Visits IS NULL or IS NOT NULL. */
  protected R isNull(IsNullExpression isNull, boolean negated) {
    return other(isNull, negated);
  }

  /** Visits LIKE or ILIKE. */
  protected R like(LikeExpression like, boolean negated) {
    return other(like, negated);
  }

  /** Visits a comparison with ANY or ALL elements of an array. */
  protected R arrayComparison(ArrayAnyComparisonExpression comparison, boolean negated) {
    return other(comparison, negated);
  }

  /**
   * Visits CASE. Its children are pairs of a value and its condition, followed by the value of
   * ELSE.
   */
  protected R caseWhen(CaseExpression caseWhen, boolean negated) {
    return other(caseWhen, negated);
  }

  /** Visits a cast to another type. */
  protected R cast(CoerceExpression cast, boolean negated) {
    return other(cast, negated);
  }

  /** Visits an arithmetic operation with two or more operands. */
  protected R arithmetic(ArithmeticExpression operation, boolean negated) {
    return other(operation, negated);
  }

  /** Visits COALESCE. */
  protected R coalesce(CoalesceFunction coalesce, boolean negated) {
    return other(coalesce, negated);
  }

  /** Visits a scalar function other than COALESCE. */
  protected R function(ScalarFunction function, boolean negated) {
    return other(function, negated);
  }

  /** Visits an expression of a kind that this visitor does not distinguish. */
  protected abstract R other(Expression expression, boolean negated);
}
