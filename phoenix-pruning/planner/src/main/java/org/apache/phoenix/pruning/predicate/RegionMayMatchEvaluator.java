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

import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.HConstants;
import org.apache.phoenix.expression.ArithmeticExpression;
import org.apache.phoenix.expression.CaseExpression;
import org.apache.phoenix.expression.CoerceExpression;
import org.apache.phoenix.expression.ComparisonExpression;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.expression.InListExpression;
import org.apache.phoenix.expression.IsNullExpression;
import org.apache.phoenix.expression.RowKeyColumnExpression;
import org.apache.phoenix.expression.function.CoalesceFunction;
import org.apache.phoenix.expression.function.ScalarFunction;
import org.apache.phoenix.pruning.key.KeyBounds;
import org.apache.phoenix.schema.SortOrder;
import org.apache.phoenix.schema.types.PDataType;
import org.jspecify.annotations.Nullable;

/**
 * Computes the possible values of an expression over all row keys of a region, using interval
 * arithmetic extended with SQL NULL. {@link KeyBounds} gives the bounds of the key columns, and
 * {@link NonKeyBounds} those of other columns in rows that satisfy the whole WHERE. An expression
 * that this class does not support may have any value.
 */
final class RegionMayMatchEvaluator extends NormalFormVisitor<ValueInterval> {

  private final DataKey key;
  private final KeyTerms terms;
  private final SingleKeyEvaluator singleKey;
  private final NonKeyBounds nonKey;
  private final KeyBounds bounds;

  /** Receives the parts that are not supported; may be null. */
  private final @Nullable UnsupportedPredicateListener listener;

  private final EvaluationBudget budget;

  private boolean readsKey;

  /**
   * Creates an evaluation for one region. When {@code budget} is spent, every expression may have
   * any value.
   */
  RegionMayMatchEvaluator(
      DataKey key,
      KeyTerms terms,
      SingleKeyEvaluator singleKey,
      NonKeyBounds nonKey,
      KeyBounds bounds,
      EvaluationBudget budget) {
    this(key, terms, singleKey, nonKey, bounds, budget, null);
  }

  private RegionMayMatchEvaluator(
      DataKey key,
      KeyTerms terms,
      SingleKeyEvaluator singleKey,
      NonKeyBounds nonKey,
      KeyBounds bounds,
      EvaluationBudget budget,
      @Nullable UnsupportedPredicateListener listener) {
    this.key = key;
    this.terms = terms;
    this.singleKey = singleKey;
    this.nonKey = nonKey;
    this.bounds = bounds;
    this.budget = budget;
    this.listener = listener;
  }

  /**
   * Returns whether the possible values of an expression depend on the bounds of a region.
   *
   * @param listener receives the parts that use key columns but may have any value in every region
   */
  static boolean readsKey(
      DataKey key,
      KeyTerms terms,
      SingleKeyEvaluator singleKey,
      NonKeyBounds nonKey,
      Expression expression,
      UnsupportedPredicateListener listener) {
    KeyBounds everywhere =
        KeyBounds.of(key.layout(), HConstants.EMPTY_BYTE_ARRAY, HConstants.EMPTY_BYTE_ARRAY);
    RegionMayMatchEvaluator evaluation =
        new RegionMayMatchEvaluator(
            key, terms, singleKey, nonKey, everywhere, EvaluationBudget.unlimited(), listener);
    evaluation.of(expression);
    return evaluation.readsKey;
  }

  /** Returns the possible values of {@code expression} in the region. */
  ValueInterval of(Expression expression) {
    return visit(expression);
  }

  @Override
  protected ValueInterval visit(Expression expression, boolean negated) {
    return budget.spend(1) ? super.visit(expression, negated) : ValueInterval.ANYTHING;
  }

  @Override
  protected ValueInterval and(Expression junction, boolean negated) {
    return junction(junction.getChildren(), negated, false);
  }

  @Override
  protected ValueInterval or(Expression junction, boolean negated) {
    return junction(junction.getChildren(), negated, true);
  }

  /**
   * Evaluates AND if {@code decisive} is false, or OR if it is true.
   *
   * @param negated whether each child is negated
   * @param decisive value of a child that decides the result
   */
  private ValueInterval junction(List<Expression> children, boolean negated, boolean decisive) {
    boolean canBeDecided = false;
    boolean canBeOther = true;
    boolean isNullable = false;
    for (Expression expression : children) {
      ValueInterval child = visit(expression, negated);
      if (!child.canBe(!decisive) && !child.isNullable()) {
        return decisive ? ValueInterval.TRUE : ValueInterval.FALSE;
      }
      canBeDecided |= child.canBe(decisive);
      canBeOther &= child.canBe(!decisive);
      isNullable |= child.isNullable();
    }
    return (decisive
            ? ValueInterval.truth(canBeDecided, canBeOther)
            : ValueInterval.truth(canBeOther, canBeDecided))
        .orNull(isNullable);
  }

  /**
   * Evaluates a leaf by the bounds of its columns. Evaluates it for a single key if the bounds do
   * not decide it. Only this method negates the result. The methods for the kinds of leaves ignore
   * {@code negated}.
   */
  @Override
  protected ValueInterval leaf(Expression leaf, boolean negated) {
    ValueInterval possible = nonKey.of(leaf);
    if (possible == null) {
      possible = Constant.isConstant(leaf) ? constant(leaf) : super.leaf(leaf, false);
    }
    if (!possible.isDecided() && singleKey.supports(leaf)) {
      readsKey = true;
      ValueInterval known = singleKey.of(leaf, bounds, budget);
      possible = known == null ? possible : known;
    }
    return negated ? possible.not() : possible;
  }

  private static ValueInterval constant(Expression expression) {
    Constant constant = Constant.of(expression);
    if (constant == null) {
      return ValueInterval.ANYTHING;
    }
    if (constant.isNull()) {
      return ValueInterval.NULL;
    }
    Comparable<?> value = ComparableValues.of(constant);
    return value == null ? ValueInterval.between(null, null) : ValueInterval.value(value);
  }

  @Override
  protected ValueInterval keyColumn(RowKeyColumnExpression column, boolean negated) {
    return columnOrUnsupported(column);
  }

  /** Evaluates a function that inverts the bytes of a column. Supports no other function. */
  @Override
  protected ValueInterval function(ScalarFunction function, boolean negated) {
    return columnOrUnsupported(function);
  }

  private ValueInterval columnOrUnsupported(Expression expression) {
    int column = terms.columnOf(expression);
    return column >= 0 ? column(expression, column) : unsupported(expression);
  }

  @Override
  protected ValueInterval cast(CoerceExpression cast, boolean negated) {
    int column = terms.columnOf(cast);
    if (column >= 0) {
      return column(cast, column);
    }
    Expression operand = cast.getChildren().get(0);
    return ColumnTypes.keepsValue(operand.getDataType(), cast.getDataType())
        ? visit(operand)
        : unsupported(cast);
  }

  private ValueInterval column(Expression expression, int column) {
    readsKey = true;
    PDataType<?> type = key.column(column).getDataType();
    if (ComparableValues.supports(type)) {
      return ComparableValues.between(bounds.column(column), type);
    }
    unsupported(expression);
    return ValueInterval.between(null, null).orNull(bounds.column(column).isNullable());
  }

  @Override
  protected ValueInterval comparison(ComparisonExpression comparison, boolean negated) {
    Expression left = comparison.getChildren().get(0);
    Expression right = comparison.getChildren().get(1);
    boolean isDescending =
        left.getSortOrder() == SortOrder.DESC || right.getSortOrder() == SortOrder.DESC;
    ValueInterval ofLeft = visit(left);
    ValueInterval ofRight = visit(right);
    if (isDescending && (ofLeft.isNullable() || ofRight.isNullable())) {
      // Phoenix compares null with a descending value as if null were an empty string.
      return ValueInterval.ANYTHING;
    }
    return isOrderOfMixed(comparison)
        ? unsupported(comparison)
        : ofLeft.compare(comparison.getFilterOp(), ofRight);
  }

  /**
   * Returns whether {@code comparison} is an order comparison, such as {@code <}, of a descending
   * and an ascending value. A stock server compares their bytes as signed bytes.
   */
  static boolean isOrderOfMixed(ComparisonExpression comparison) {
    CompareOperator operator = comparison.getFilterOp();
    return operator != CompareOperator.EQUAL
        && operator != CompareOperator.NOT_EQUAL
        && comparison.getChildren().get(0).getSortOrder()
            != comparison.getChildren().get(1).getSortOrder();
  }

  /**
   * Evaluates IN. Phoenix compares encoded bytes. These represent the values only if both sides
   * have the same type of fixed width.
   */
  @Override
  protected ValueInterval in(InListExpression list, boolean negated) {
    Expression left = list.getChildren().get(0);
    PDataType<?> type = left.getDataType();
    ValueInterval value = visit(left);
    if (!type.isFixedWidth() || left.getSortOrder() == SortOrder.DESC) {
      return unsupported(list);
    }
    ValueInterval found = ValueInterval.FALSE;
    for (Expression element : list.getKeyExpressions()) {
      ValueInterval wanted = visit(element);
      if (!wanted.hasValues()) {
        // Phoenix ignores nulls in the list.
        continue;
      }
      if (element.getDataType() != type || !wanted.isOneValue()) {
        return unsupported(list);
      }
      ValueInterval same = value.compare(CompareOperator.EQUAL, wanted);
      if (!same.canBe(false)) {
        return same;
      }
      found = found.or(same);
    }
    return found;
  }

  @Override
  protected ValueInterval isNull(IsNullExpression isNull, boolean negated) {
    ValueInterval operand = visit(isNull.getChildren().get(0));
    return isNull.isNegate()
        ? ValueInterval.truth(operand.hasValues(), operand.isNullable())
        : ValueInterval.truth(operand.isNullable(), operand.hasValues());
  }

  @Override
  protected ValueInterval caseWhen(CaseExpression caseWhen, boolean negated) {
    List<Expression> children = caseWhen.getChildren();
    ValueInterval possible = ValueInterval.NONE;
    for (int i = 0; i < children.size(); i += 2) {
      boolean isElse = i + 1 == children.size();
      ValueInterval condition = isElse ? ValueInterval.TRUE : visit(children.get(i + 1));
      if (condition.canBe(true)) {
        possible = possible.or(inOrderOf(caseWhen, children.get(i)));
      }
      if (!condition.canBe(false) && !condition.isNullable()) {
        return possible;
      }
    }
    return possible.orNull(true);
  }

  @Override
  protected ValueInterval coalesce(CoalesceFunction coalesce, boolean negated) {
    List<Expression> children = coalesce.getChildren();
    if (children.size() != 2) {
      return unsupported(coalesce);
    }
    ValueInterval first = inOrderOf(coalesce, children.get(0));
    if (!first.isNullable()) {
      return first;
    }
    ValueInterval second = inOrderOf(coalesce, children.get(1));
    return first.hasValues() ? first.withoutNull().or(second) : second;
  }

  /**
   * Evaluates a result of CASE or COALESCE. Phoenix does not convert the bytes of a result that is
   * descending or has another type, so such results are not supported.
   */
  private ValueInterval inOrderOf(Expression expression, Expression value) {
    ValueInterval possible = visit(value);
    boolean isSame =
        expression.getSortOrder() == SortOrder.ASC
            && value.getSortOrder() == SortOrder.ASC
            && value.getDataType() == expression.getDataType();
    return isSame || !possible.hasValues() ? possible : unsupported(value);
  }

  @Override
  protected ValueInterval arithmetic(ArithmeticExpression operation, boolean negated) {
    if (!IntervalArithmetic.supports(operation)) {
      return unsupported(operation);
    }
    List<Expression> children = operation.getChildren();
    List<ValueInterval> operands = children.stream().map(this::visit).collect(Collectors.toList());
    if (operands.stream().anyMatch(operand -> !operand.hasValues())) {
      return ValueInterval.NULL;
    }
    for (int i = 0; i < operands.size(); i++) {
      if (!IntervalArithmetic.isNumber(operands.get(i))) {
        // An operand with key columns was already reported when it lost its bounds.
        boolean isReported = !operands.get(i).isBounded() && terms.mentionsKey(children.get(i));
        return isReported ? ValueInterval.ANYTHING : unsupported(operation);
      }
    }
    ValueInterval results = IntervalArithmetic.results(operation, operands);
    return results == null ? unsupported(operation) : results;
  }

  /** Reports an expression that is not supported. It may have any value. */
  @Override
  protected ValueInterval other(Expression expression, boolean negated) {
    return unsupported(expression);
  }

  private ValueInterval unsupported(Expression expression) {
    if (listener != null && terms.mentionsKey(expression)) {
      listener.unsupported(expression);
    }
    return ValueInterval.ANYTHING;
  }
}
