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
package org.apache.phoenix.pruning.patch.order;

import java.util.Arrays;
import java.util.List;
import org.apache.phoenix.expression.CoerceExpression;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.expression.RowValueConstructorExpression;
import org.apache.phoenix.expression.function.CbrtFunction;
import org.apache.phoenix.expression.function.ExpFunction;
import org.apache.phoenix.expression.function.InvertFunction;
import org.apache.phoenix.expression.function.RoundDateExpression;
import org.apache.phoenix.expression.function.RoundDecimalExpression;
import org.apache.phoenix.expression.function.ScalarFunction;
import org.apache.phoenix.expression.function.SignFunction;
import org.apache.phoenix.expression.function.SubstrFunction;
import org.apache.phoenix.expression.visitor.StatelessTraverseNoExpressionVisitor;
import org.apache.phoenix.schema.types.PBoolean;
import org.apache.phoenix.schema.types.PDataType;

/**
 * Computes the {@link Monotonicity} of row values, casts and functions. Visits only the argument
 * whose order a function keeps. Returns null for every other kind of expression.
 */
final class MonotonicityVisitor extends StatelessTraverseNoExpressionVisitor<Monotonicity> {

  static final MonotonicityVisitor INSTANCE = new MonotonicityVisitor();

  /**
   * Functions that preserve order and map many values to one. Phoenix treats further functions as
   * order-preserving, although they do not preserve the order of all values. Examples are {@code
   * COS}, {@code SQRT}, {@code REGEXP_SUBSTR} and {@code GET_BYTE}.
   */
  private static final List<Class<? extends ScalarFunction>> MONOTONE_FUNCTIONS =
      Arrays.asList(
          RoundDateExpression.class,
          RoundDecimalExpression.class,
          SubstrFunction.class,
          SignFunction.class,
          CbrtFunction.class,
          ExpFunction.class);

  private MonotonicityVisitor() {}

  /**
   * Returns {@code NONE} unless all columns of the row value are in order, and all but the last
   * column are strictly monotone.
   */
  @Override
  public Monotonicity visitLeave(RowValueConstructorExpression row, List<Monotonicity> ignored) {
    List<Expression> columns = row.getChildren();
    for (Expression column : columns.subList(0, columns.size() - 1)) {
      if (Monotonicity.of(column) != Monotonicity.STRICT) {
        return Monotonicity.NONE;
      }
    }
    return Monotonicity.of(columns.get(columns.size() - 1));
  }

  @Override
  public Monotonicity visitLeave(CoerceExpression cast, List<Monotonicity> ignored) {
    Expression argument = cast.getChildren().get(0);
    return ofCast(argument.getDataType(), cast.getDataType()).of(Monotonicity.of(argument));
  }

  private static Monotonicity ofCast(PDataType<?> from, PDataType<?> to) {
    if (to == PBoolean.INSTANCE && from != PBoolean.INSTANCE) {
      return Monotonicity.NONE;
    }
    boolean isFloating = to.getJavaClass() == Float.class || to.getJavaClass() == Double.class;
    boolean isExact = from == to || (from.isCoercibleTo(to) && !isFloating);
    return isExact ? Monotonicity.STRICT : Monotonicity.MONOTONE;
  }

  @Override
  public Monotonicity visitLeave(ScalarFunction function, List<Monotonicity> ignored) {
    Monotonicity monotonicity = ofFunction(function);
    Expression argument = KeyOrder.argument(function);
    return argument == null ? monotonicity : monotonicity.of(Monotonicity.of(argument));
  }

  private static Monotonicity ofFunction(ScalarFunction function) {
    if (function instanceof InvertFunction) {
      return Monotonicity.STRICT;
    }
    return MONOTONE_FUNCTIONS.stream().anyMatch(type -> type.isInstance(function))
        ? Monotonicity.MONOTONE
        : Monotonicity.NONE;
  }
}
