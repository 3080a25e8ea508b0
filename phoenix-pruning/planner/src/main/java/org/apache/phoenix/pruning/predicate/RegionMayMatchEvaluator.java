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

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Arrays;
import java.util.Collections;
import java.util.Date;
import java.util.List;
import java.util.function.BinaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.HConstants;
import org.apache.phoenix.expression.AddExpression;
import org.apache.phoenix.expression.AndExpression;
import org.apache.phoenix.expression.CaseExpression;
import org.apache.phoenix.expression.CoerceExpression;
import org.apache.phoenix.expression.ComparisonExpression;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.expression.InListExpression;
import org.apache.phoenix.expression.IsNullExpression;
import org.apache.phoenix.expression.LongDivideExpression;
import org.apache.phoenix.expression.MultiplyExpression;
import org.apache.phoenix.expression.NotExpression;
import org.apache.phoenix.expression.OrExpression;
import org.apache.phoenix.expression.SubtractExpression;
import org.apache.phoenix.expression.function.CoalesceFunction;
import org.apache.phoenix.pruning.key.KeyBounds;
import org.apache.phoenix.schema.SortOrder;
import org.apache.phoenix.schema.types.PBoolean;
import org.apache.phoenix.schema.types.PDataType;
import org.apache.phoenix.schema.types.PDate;
import org.apache.phoenix.schema.types.PDecimal;
import org.apache.phoenix.schema.types.PLong;
import org.apache.phoenix.schema.types.PTime;
import org.apache.phoenix.schema.types.PUnsignedDate;
import org.apache.phoenix.schema.types.PUnsignedTime;
import org.apache.phoenix.util.NumberUtil;

/**
 * Computes the possible values of an expression over all row keys of a region, using interval
 * arithmetic (Moore 1966) extended with SQL NULL. {@link KeyBounds} gives the bounds of the key
 * columns. An expression that this class does not support may have any value.
 */
final class RegionMayMatchEvaluator {

  private static final BigDecimal LEAST_LONG = BigDecimal.valueOf(Long.MIN_VALUE);
  private static final BigDecimal GREATEST_LONG = BigDecimal.valueOf(Long.MAX_VALUE);

  private final DataKey key;
  private final KeyTerms terms;
  private final SingleKeyEvaluator oneKey;
  private final KeyBounds bounds;

  /** Receives the parts that are not supported; may be null. */
  private final UnsupportedPredicateListener doubts;

  private final EvaluationBudget budget;

  private boolean readsKey;

  /**
   * Creates an evaluation for one region. When {@code budget} is spent, every expression may have
   * any value.
   */
  RegionMayMatchEvaluator(
      DataKey key,
      KeyTerms terms,
      SingleKeyEvaluator oneKey,
      KeyBounds bounds,
      EvaluationBudget budget) {
    this(key, terms, oneKey, bounds, budget, null);
  }

  private RegionMayMatchEvaluator(
      DataKey key,
      KeyTerms terms,
      SingleKeyEvaluator oneKey,
      KeyBounds bounds,
      EvaluationBudget budget,
      UnsupportedPredicateListener doubts) {
    this.key = key;
    this.terms = terms;
    this.oneKey = oneKey;
    this.bounds = bounds;
    this.budget = budget;
    this.doubts = doubts;
  }

  /**
   * Returns whether the possible values of an expression depend on the bounds of a region.
   *
   * @param doubts receives the parts that use key columns but may have any value in every region
   */
  static boolean readsKey(
      DataKey key,
      KeyTerms terms,
      SingleKeyEvaluator oneKey,
      Expression expression,
      UnsupportedPredicateListener doubts) {
    KeyBounds everywhere =
        KeyBounds.of(key.layout(), HConstants.EMPTY_BYTE_ARRAY, HConstants.EMPTY_BYTE_ARRAY);
    RegionMayMatchEvaluator evaluation =
        new RegionMayMatchEvaluator(
            key, terms, oneKey, everywhere, EvaluationBudget.unlimited(), doubts);
    evaluation.of(expression);
    return evaluation.readsKey;
  }

  ValueInterval of(Expression expression) {
    if (!budget.spend(1)) {
      return ValueInterval.ANYTHING;
    }
    ValueInterval possible = byBounds(expression);
    if (!possible.isDecided() && oneKey.canTell(expression)) {
      readsKey = true;
      ValueInterval known = oneKey.of(expression, bounds, budget);
      return known == null ? possible : known;
    }
    return possible;
  }

  private ValueInterval byBounds(Expression expression) {
    if (Constant.isConstant(expression)) {
      return constant(expression);
    }
    int column = terms.columnOf(expression);
    if (column >= 0) {
      return column(expression, key.column(column).getDataType(), bounds.column(column));
    }
    if (expression instanceof AndExpression) {
      return junction(expression.getChildren(), false);
    }
    if (expression instanceof OrExpression) {
      return junction(expression.getChildren(), true);
    }
    if (expression instanceof NotExpression) {
      ValueInterval child = of(expression.getChildren().get(0));
      return ValueInterval.truth(child.canBe(false), child.canBe(true)).orNull(child.isNullable());
    }
    if (expression instanceof ComparisonExpression) {
      return comparison((ComparisonExpression) expression);
    }
    if (expression instanceof InListExpression) {
      return inList((InListExpression) expression);
    }
    if (expression instanceof IsNullExpression) {
      ValueInterval child = of(expression.getChildren().get(0));
      return ((IsNullExpression) expression).isNegate()
          ? ValueInterval.truth(child.hasValues(), child.isNullable())
          : ValueInterval.truth(child.isNullable(), child.hasValues());
    }
    if (expression instanceof CaseExpression) {
      return firstOf(expression);
    }
    if (expression instanceof CoalesceFunction) {
      return coalesce(expression);
    }
    if (expression instanceof CoerceExpression) {
      return coerced(expression);
    }
    if (isUnderstood(expression)) {
      return arithmetic(expression);
    }
    return notUnderstood(expression);
  }

  private ValueInterval notUnderstood(Expression expression) {
    if (doubts != null && terms.mentionsKey(expression)) {
      doubts.notUnderstood(expression);
    }
    return ValueInterval.ANYTHING;
  }

  private static ValueInterval constant(Expression expression) {
    Constant constant = Constant.of(expression);
    if (constant == null) {
      return ValueInterval.ANYTHING;
    }
    if (constant.isNull()) {
      return ValueInterval.NULL;
    }
    Comparable<?> value = comparable(constant);
    return value == null ? ValueInterval.between(null, null) : ValueInterval.value(value);
  }

  /**
   * Returns a Java value that sorts as the constant does in Phoenix, or null if its type has none.
   */
  private static Comparable<?> comparable(Constant constant) {
    Object value = constant.value();
    if (constant.type() == PBoolean.INSTANCE) {
      return (Boolean) value;
    }
    if (KeyTerms.isExactNumber(constant.type())) {
      return constant.number();
    }
    return isMilliseconds(constant.type()) ? new Date(((Date) value).getTime()) : null;
  }

  private static boolean isMilliseconds(PDataType<?> type) {
    return type == PDate.INSTANCE
        || type == PTime.INSTANCE
        || type == PUnsignedDate.INSTANCE
        || type == PUnsignedTime.INSTANCE;
  }

  private ValueInterval column(Expression expression, PDataType<?> type, KeyBounds.Bounds bounds) {
    readsKey = true;
    if (!type.isFixedWidth() || !(KeyTerms.isExactNumber(type) || isMilliseconds(type))) {
      notUnderstood(expression);
      return ValueInterval.between(null, null).orNull(bounds.isNullable());
    }
    return ValueInterval.between(bound(bounds.lower(), 0, type), bound(bounds.upper(), 0xFF, type))
        .orNull(bounds.isNullable());
  }

  /**
   * Returns the value of {@code type} that is closest to a bound. Region boundaries need not be
   * encoded values of the type.
   *
   * @param encoded the bound, or null if it is absent
   * @param absent byte that fills an absent bound
   */
  private static Comparable<?> bound(byte[] encoded, int absent, PDataType<?> type) {
    byte[] bytes = encoded == null ? new byte[type.getByteSize()] : encoded.clone();
    if (encoded == null) {
      Arrays.fill(bytes, (byte) absent);
    }
    if (KeyTerms.isSigned(type)) {
      bytes[0] ^= (byte) 0x80;
    } else if (bytes[0] < 0) {
      Arrays.fill(bytes, (byte) 0xFF);
      bytes[0] = Byte.MAX_VALUE;
    }
    BigInteger value = new BigInteger(bytes);
    return isMilliseconds(type) ? new Date(value.longValue()) : new BigDecimal(value);
  }

  /**
   * Evaluates AND if {@code decisive} is false, or OR if it is true.
   *
   * @param decisive value of a child that decides the result
   */
  private ValueInterval junction(List<Expression> children, boolean decisive) {
    boolean canBeDecided = false;
    boolean canBeOther = true;
    boolean isNullable = false;
    for (Expression expression : children) {
      ValueInterval child = of(expression);
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

  private ValueInterval comparison(ComparisonExpression comparison) {
    Expression left = comparison.getChildren().get(0);
    Expression right = comparison.getChildren().get(1);
    boolean isDescending =
        left.getSortOrder() == SortOrder.DESC || right.getSortOrder() == SortOrder.DESC;
    ValueInterval ofLeft = of(left);
    ValueInterval ofRight = of(right);
    if (isDescending && (ofLeft.isNullable() || ofRight.isNullable())) {
      // Phoenix compares null with a descending value as if null were an empty string.
      return ValueInterval.ANYTHING;
    }
    return isOrderOfMixed(comparison)
        ? notUnderstood(comparison)
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
  private ValueInterval inList(InListExpression list) {
    Expression left = list.getChildren().get(0);
    PDataType<?> type = left.getDataType();
    ValueInterval value = of(left);
    if (!type.isFixedWidth() || left.getSortOrder() == SortOrder.DESC) {
      return notUnderstood(list);
    }
    ValueInterval found = ValueInterval.FALSE;
    for (Expression element : list.getKeyExpressions()) {
      ValueInterval wanted = of(element);
      if (!wanted.hasValues()) {
        // Phoenix ignores nulls in the list.
        continue;
      }
      if (element.getDataType() != type || !wanted.isOneValue()) {
        return notUnderstood(list);
      }
      ValueInterval same = value.compare(CompareOperator.EQUAL, wanted);
      if (!same.canBe(false)) {
        return same;
      }
      found = found.or(same);
    }
    return found;
  }

  /**
   * Evaluates CASE. Its children are pairs of a value and its condition, followed by the value of
   * ELSE.
   */
  private ValueInterval firstOf(Expression expression) {
    List<Expression> children = expression.getChildren();
    ValueInterval first = null;
    for (int i = 0; i < children.size(); i += 2) {
      boolean isElse = i + 1 == children.size();
      ValueInterval condition = isElse ? ValueInterval.TRUE : of(children.get(i + 1));
      if (condition.canBe(true)) {
        ValueInterval value = inOrderOf(expression, children.get(i));
        first = first == null ? value : first.or(value);
      }
      if (!condition.canBe(false) && !condition.isNullable()) {
        return first;
      }
    }
    return first == null ? ValueInterval.NULL : first.orNull(true);
  }

  private ValueInterval coalesce(Expression expression) {
    List<Expression> children = expression.getChildren();
    if (children.size() != 2) {
      return notUnderstood(expression);
    }
    ValueInterval first = inOrderOf(expression, children.get(0));
    if (!first.isNullable()) {
      return first;
    }
    ValueInterval second = inOrderOf(expression, children.get(1));
    return first.hasValues() ? first.withoutNull().or(second) : second;
  }

  /**
   * Evaluates a result of CASE or COALESCE. Phoenix does not convert the bytes of a result that is
   * descending or has another type, so such results are not supported.
   */
  private ValueInterval inOrderOf(Expression expression, Expression value) {
    ValueInterval possible = of(value);
    boolean isSame =
        expression.getSortOrder() == SortOrder.ASC
            && value.getSortOrder() == SortOrder.ASC
            && value.getDataType() == expression.getDataType();
    return isSame || !possible.hasValues() ? possible : notUnderstood(value);
  }

  private ValueInterval coerced(Expression expression) {
    Expression child = expression.getChildren().get(0);
    return KeyTerms.keepsValue(child.getDataType(), expression.getDataType())
        ? of(child)
        : notUnderstood(expression);
  }

  private static boolean isUnderstood(Expression operation) {
    return operation instanceof AddExpression
        || operation instanceof SubtractExpression
        || operation instanceof MultiplyExpression
        || (operation instanceof LongDivideExpression && operation.getChildren().size() == 2);
  }

  private ValueInterval arithmetic(Expression expression) {
    List<Expression> children = expression.getChildren();
    List<ValueInterval> operands = children.stream().map(this::of).collect(Collectors.toList());
    if (operands.stream().anyMatch(operand -> !operand.hasValues())) {
      return ValueInterval.NULL;
    }
    for (int i = 0; i < operands.size(); i++) {
      if (!isNumber(operands.get(i))) {
        // An operand with key columns was already reported when it lost its bounds.
        boolean isSaid = !operands.get(i).isBounded() && terms.mentionsKey(children.get(i));
        return isSaid ? ValueInterval.ANYTHING : notUnderstood(expression);
      }
    }
    ValueInterval result = operands.get(0);
    for (ValueInterval operand : operands.subList(1, operands.size())) {
      result = arithmetic(expression, result, operand);
    }
    return isNumber(result)
        ? asTyped(expression, result).orNull(operands.stream().anyMatch(ValueInterval::isNullable))
        : ValueInterval.ANYTHING;
  }

  private static boolean isNumber(ValueInterval possible) {
    return possible.isBounded() && possible.lower() instanceof BigDecimal;
  }

  private static ValueInterval arithmetic(
      Expression operation, ValueInterval left, ValueInterval right) {
    if (operation instanceof AddExpression) {
      return ofBounds(BigDecimal::add, left, right);
    }
    if (operation instanceof SubtractExpression) {
      return ofBounds(BigDecimal::subtract, left, right);
    }
    if (operation instanceof MultiplyExpression) {
      return ofBounds(BigDecimal::multiply, left, right);
    }
    return right.isOneValue() && ((BigDecimal) right.lower()).signum() != 0
        ? ofBounds((one, other) -> one.divide(other, 0, RoundingMode.DOWN), left, right)
        : ValueInterval.ANYTHING;
  }

  /** Returns the possible results of an operation that is monotonic in each operand. */
  private static ValueInterval ofBounds(
      BinaryOperator<BigDecimal> operation, ValueInterval left, ValueInterval right) {
    List<BigDecimal> results =
        Stream.of(left.lower(), left.upper())
            .flatMap(
                one ->
                    Stream.of(right.lower(), right.upper())
                        .map(other -> operation.apply((BigDecimal) one, (BigDecimal) other)))
            .collect(Collectors.toList());
    return ValueInterval.between(Collections.min(results), Collections.max(results));
  }

  /** Returns the result as its type stores it. A BIGINT that overflows may have any value. */
  private ValueInterval asTyped(Expression expression, ValueInterval exact) {
    BigDecimal lower = (BigDecimal) exact.lower();
    BigDecimal upper = (BigDecimal) exact.upper();
    if (expression.getDataType() == PLong.INSTANCE) {
      return lower.compareTo(LEAST_LONG) < 0 || upper.compareTo(GREATEST_LONG) > 0
          ? ValueInterval.ANYTHING
          : exact;
    }
    if (expression.getDataType() != PDecimal.INSTANCE) {
      return notUnderstood(expression);
    }
    List<BigDecimal> kept =
        Stream.of(lower, upper).map(value -> kept(expression, value)).collect(Collectors.toList());
    return kept.contains(null)
        ? ValueInterval.ANYTHING
        : ValueInterval.between(kept.get(0), kept.get(1));
  }

  /**
   * Returns {@code value} as the type of {@code expression} stores it, or null if it does not fit.
   */
  private static BigDecimal kept(Expression expression, BigDecimal value) {
    BigDecimal kept =
        expression.getMaxLength() == null && expression.getScale() == null
            ? value
            : NumberUtil.setDecimalWidthAndScale(
                value, expression.getMaxLength(), expression.getScale());
    return kept == null ? null : kept.round(PDataType.DEFAULT_MATH_CONTEXT);
  }
}
