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

import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.expression.function.UDFExpression;

/** Relation between the order of a column's values and that of an expression over the column. */
enum Monotonicity {
  /** Rows sorted by the column need not be sorted by the expression. */
  NONE,
  /**
   * Rows sorted by the column are sorted, in either order, by the expression. Different values of
   * the column can give the same value.
   */
  MONOTONE,
  /** As {@link #MONOTONE}, but different values of the column give different values. */
  STRICT;

  /**
   * Returns the monotonicity of {@code expression} in its key column. Phoenix must treat the
   * expression as one that preserves the order of the column. An expression that is not a function,
   * a cast or a row value is then strict.
   */
  static Monotonicity of(Expression expression) {
    if (expression instanceof UDFExpression) {
      // A UDFExpression passes the visitor to the user's function.
      Expression argument = KeyOrder.argument(expression);
      return argument == null ? MONOTONE : MONOTONE.of(of(argument));
    }
    Monotonicity monotonicity = expression.accept(MonotonicityVisitor.INSTANCE);
    return monotonicity == null ? STRICT : monotonicity;
  }

  /**
   * Returns the monotonicity of a nested function: this monotonicity is that of the outer function,
   * and {@code argument} is that of its argument.
   */
  Monotonicity of(Monotonicity argument) {
    return compareTo(argument) < 0 ? this : argument;
  }
}
