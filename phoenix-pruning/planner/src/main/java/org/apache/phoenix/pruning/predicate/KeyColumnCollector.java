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

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.phoenix.expression.ArithmeticExpression;
import org.apache.phoenix.expression.CaseExpression;
import org.apache.phoenix.expression.CoerceExpression;
import org.apache.phoenix.expression.ComparisonExpression;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.expression.InListExpression;
import org.apache.phoenix.expression.IsNullExpression;
import org.apache.phoenix.expression.LikeExpression;
import org.apache.phoenix.expression.LiteralExpression;
import org.apache.phoenix.expression.RowKeyColumnExpression;
import org.apache.phoenix.expression.StringConcatExpression;
import org.apache.phoenix.expression.function.AbsFunction;
import org.apache.phoenix.expression.function.CeilDecimalExpression;
import org.apache.phoenix.expression.function.CoalesceFunction;
import org.apache.phoenix.expression.function.FloorDecimalExpression;
import org.apache.phoenix.expression.function.InstrFunction;
import org.apache.phoenix.expression.function.InvertFunction;
import org.apache.phoenix.expression.function.LTrimFunction;
import org.apache.phoenix.expression.function.LengthFunction;
import org.apache.phoenix.expression.function.RTrimFunction;
import org.apache.phoenix.expression.function.ReverseFunction;
import org.apache.phoenix.expression.function.RoundDecimalExpression;
import org.apache.phoenix.expression.function.SignFunction;
import org.apache.phoenix.expression.function.SubstrFunction;
import org.apache.phoenix.expression.function.TrimFunction;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.schema.types.PDataType;
import org.apache.phoenix.schema.types.PNumericType;
import org.apache.phoenix.schema.types.PVarchar;

/**
 * Collects the key columns that an expression reads. The result of a visit is false if the
 * expression is not supported or reads another column.
 *
 * <p>Supports only expressions that are known to give the same result on every server. It does not
 * support functions that depend on the JVM's locale or time zone, such as UPPER and TO_CHAR, or
 * user-defined functions.
 */
final class KeyColumnCollector extends NormalFormVisitor<Boolean> {

  /** Classes whose result depends only on their children. */
  private static final Set<Class<?>> SUPPORTED =
      new HashSet<>(
          Arrays.asList(
              LiteralExpression.class,
              InListExpression.class,
              IsNullExpression.class,
              CaseExpression.class,
              CoalesceFunction.class,
              SubstrFunction.class,
              LengthFunction.class,
              ReverseFunction.class,
              TrimFunction.class,
              LTrimFunction.class,
              RTrimFunction.class,
              InstrFunction.class,
              AbsFunction.class,
              SignFunction.class,
              InvertFunction.class,
              RoundDecimalExpression.class,
              FloorDecimalExpression.class,
              CeilDecimalExpression.class));

  private final DataKey key;
  private final KeyColumnResolver resolver;
  private final PTable scanned;
  private final List<RowKeyColumnExpression> columns = new ArrayList<>();

  /**
   * Creates a collector for one expression.
   *
   * @param scanned the table or index whose columns the expression reads
   */
  KeyColumnCollector(DataKey key, KeyColumnResolver resolver, PTable scanned) {
    this.key = key;
    this.resolver = resolver;
    this.scanned = scanned;
  }

  /** Collects the columns of an expression. Returns whether the expression is supported. */
  boolean supports(Expression expression) {
    return visit(expression);
  }

  /** Returns the columns that were collected, as often as they are read. */
  List<RowKeyColumnExpression> columns() {
    return columns;
  }

  private boolean supportsChildren(Expression expression) {
    for (Expression child : expression.getChildren()) {
      if (!visit(child)) {
        return false;
      }
    }
    return true;
  }

  @Override
  protected Boolean and(Expression junction, boolean negated) {
    return supportsChildren(junction);
  }

  @Override
  protected Boolean or(Expression junction, boolean negated) {
    return supportsChildren(junction);
  }

  @Override
  protected Boolean keyColumn(RowKeyColumnExpression column, boolean negated) {
    columns.add(column);
    return hasWholeValue(column);
  }

  @Override
  protected Boolean comparison(ComparisonExpression comparison, boolean negated) {
    return !RegionMayMatchEvaluator.isOrderOfMixed(comparison) && supportsChildren(comparison);
  }

  @Override
  protected Boolean like(LikeExpression like, boolean negated) {
    return supportsChildren(like);
  }

  @Override
  protected Boolean cast(CoerceExpression cast, boolean negated) {
    return isNumber(cast) && isNumber(cast.getChildren().get(0)) && supportsChildren(cast);
  }

  @Override
  protected Boolean arithmetic(ArithmeticExpression operation, boolean negated) {
    return isNumber(operation) && supportsChildren(operation);
  }

  @Override
  protected Boolean other(Expression expression, boolean negated) {
    boolean isSupported =
        SUPPORTED.contains(expression.getClass()) || isConcatenationOfVarchar(expression);
    return isSupported && supportsChildren(expression);
  }

  /**
   * Returns whether the bounds give the whole value of {@code column}, in the type of the scanned
   * table. They do not for the last column of variable width, whose value may continue after a
   * separator byte.
   */
  private boolean hasWholeValue(RowKeyColumnExpression column) {
    int index = resolver.resolve(column);
    if (index < 0) {
      return false;
    }
    PDataType<?> type = key.column(index).getDataType();
    boolean isWhole = type.isFixedWidth() || index < key.size() - 1;
    return isWhole && type == scanned.getPKColumns().get(column.getPosition()).getDataType();
  }

  private static boolean isConcatenationOfVarchar(Expression expression) {
    return expression instanceof StringConcatExpression
        && expression.getChildren().stream()
            .allMatch(child -> child.getDataType() == PVarchar.INSTANCE);
  }

  private static boolean isNumber(Expression expression) {
    return expression.getDataType() instanceof PNumericType;
  }
}
