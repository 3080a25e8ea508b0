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
package org.apache.phoenix.pruning.patch.type;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.phoenix.expression.AndExpression;
import org.apache.phoenix.expression.ComparisonExpression;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.expression.LiteralExpression;
import org.apache.phoenix.expression.NotExpression;
import org.apache.phoenix.expression.RowValueConstructorExpression;
import org.apache.phoenix.schema.types.PBoolean;
import org.apache.phoenix.schema.types.PLong;
import org.jspecify.annotations.Nullable;

/**
 * Comparison that replaces a comparison with a constant that the type of the left operand cannot
 * represent. Both have the same result. If the result is the same for all values, the left operand
 * is compared with itself, so that the result is null for a null.
 */
public final class InexactComparison {

  private final CompareOperator op;
  private final Expression left;
  private final Expression right;

  private InexactComparison(CompareOperator op, Expression left, Expression right) {
    this.op = op;
    this.left = left;
    this.right = right;
  }

  private static InexactComparison always(boolean result, Expression operand) {
    return new InexactComparison(
        result ? CompareOperator.GREATER_OR_EQUAL : CompareOperator.LESS, operand, operand);
  }

  /**
   * Returns the comparison that replaces {@code left op right}, or null if all constants are exact.
   * Also returns null if row values of different lengths are compared for equality.
   */
  public static @Nullable InexactComparison of(
      CompareOperator op, Expression left, Expression right) throws SQLException {
    List<Expression> values = InexactConstants.elements(left);
    List<Expression> constants = InexactConstants.elements(right);
    int inexact = InexactConstants.firstInexact(values, constants);
    if (inexact < 0) {
      return null;
    }
    boolean isRow =
        left instanceof RowValueConstructorExpression
            || right instanceof RowValueConstructorExpression;
    if (op == CompareOperator.EQUAL || op == CompareOperator.NOT_EQUAL) {
      if (!isRow) {
        return always(op == CompareOperator.NOT_EQUAL, left);
      }
      return values.size() == constants.size() ? new InexactComparison(op, left, right) : null;
    }
    boolean isLess = op == CompareOperator.LESS || op == CompareOperator.LESS_OR_EQUAL;
    Expression constant = constants.get(inexact);
    switch (InexactConstants.place(values.get(inexact), constant)) {
      case BETWEEN:
        long floor = InexactConstants.floor(constant);
        if (!isRow) {
          boolean isCeiling = op == CompareOperator.LESS || op == CompareOperator.GREATER_OR_EQUAL;
          return new InexactComparison(op, left, literal(isCeiling ? floor + 1 : floor, right));
        }
        List<Expression> bound = new ArrayList<>(constants.subList(0, inexact));
        bound.add(literal(isLess ? floor : floor + 1, right));
        return new InexactComparison(
            isLess ? CompareOperator.LESS_OR_EQUAL : CompareOperator.GREATER_OR_EQUAL,
            row(values.subList(0, inexact + 1), left),
            row(bound, right));
      case BELOW:
        return outside(values, constants, inexact, left, right, isLess, !isLess);
      case ABOVE:
        return outside(values, constants, inexact, left, right, isLess, isLess);
      case VALUE:
        break;
    }
    throw new IllegalStateException(constant + " is exact");
  }

  /**
   * Compares the elements before the inexact one. If they are equal, the inexact one decides.
   *
   * @param ifEqual result of the comparison if the elements before are equal
   */
  private static InexactComparison outside(
      List<Expression> values,
      List<Expression> constants,
      int inexact,
      Expression left,
      Expression right,
      boolean isLess,
      boolean ifEqual) {
    if (inexact == 0) {
      return always(ifEqual, values.get(0));
    }
    CompareOperator op;
    if (isLess) {
      op = ifEqual ? CompareOperator.LESS_OR_EQUAL : CompareOperator.LESS;
    } else {
      op = ifEqual ? CompareOperator.GREATER_OR_EQUAL : CompareOperator.GREATER;
    }
    return new InexactComparison(
        op, row(values.subList(0, inexact), left), row(constants.subList(0, inexact), right));
  }

  /**
   * Returns the comparison that replaces IN, or NOT IN, if none of the constants is exact. Returns
   * null if a constant is exact.
   */
  public static @Nullable InexactComparison ofList(boolean isNegated, List<Expression> operands) {
    Expression first = operands.get(0);
    for (Expression constant : operands.subList(1, operands.size())) {
      if (!InexactConstants.isInexact(first, constant)) {
        return null;
      }
    }
    return first instanceof RowValueConstructorExpression
        ? new InexactComparison(
            isNegated ? CompareOperator.NOT_EQUAL : CompareOperator.EQUAL, first, operands.get(1))
        : always(isNegated, first);
  }

  private static Expression literal(long value, Expression constant) throws SQLException {
    return LiteralExpression.newConstant(value, PLong.INSTANCE, constant.getDeterminism());
  }

  private static Expression row(List<Expression> elements, Expression original) {
    return elements.size() == 1
        ? elements.get(0)
        : new RowValueConstructorExpression(new ArrayList<>(elements), original.isStateless());
  }

  /** Compiles the comparison, to a constant if the result is the same for all rows. */
  public Expression compile(ImmutableBytesWritable ptr, boolean isRowKeyOrderOptimizable)
      throws SQLException {
    if (left == right) {
      return left.isNullable()
          ? new ComparisonExpression(Arrays.asList(left, right), op)
          : LiteralExpression.newConstant(
              op == CompareOperator.GREATER_OR_EQUAL, PBoolean.INSTANCE, left.getDeterminism());
    }
    if (op != CompareOperator.EQUAL && op != CompareOperator.NOT_EQUAL) {
      return ComparisonExpression.create(
          op, Arrays.asList(left, right), ptr, isRowKeyOrderOptimizable);
    }
    Expression equal = compileEqualRows(ptr, isRowKeyOrderOptimizable);
    return op == CompareOperator.EQUAL ? equal : NotExpression.create(equal, ptr);
  }

  /** Compares the elements of two row values one by one, as Phoenix does. */
  private Expression compileEqualRows(ImmutableBytesWritable ptr, boolean isRowKeyOrderOptimizable)
      throws SQLException {
    List<Expression> values = InexactConstants.elements(left);
    List<Expression> constants = InexactConstants.elements(right);
    List<Expression> equal = new ArrayList<>();
    for (int i = 0; i < values.size(); i++) {
      InexactComparison replacement = of(CompareOperator.EQUAL, values.get(i), constants.get(i));
      equal.add(
          replacement == null
              // Within a row value, Phoenix compares with null as IS NULL does.
              ? ComparisonExpression.create(
                  CompareOperator.EQUAL,
                  Arrays.asList(rowOf(values.get(i)), rowOf(constants.get(i))),
                  ptr,
                  isRowKeyOrderOptimizable)
              : replacement.compile(ptr, isRowKeyOrderOptimizable));
    }
    return AndExpression.create(equal);
  }

  private static Expression rowOf(Expression element) {
    return new RowValueConstructorExpression(
        Collections.singletonList(element), element.isStateless());
  }
}
