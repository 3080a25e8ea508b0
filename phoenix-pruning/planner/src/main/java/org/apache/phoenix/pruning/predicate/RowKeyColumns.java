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

import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.expression.RowKeyColumnExpression;

/** Finds the row key columns that an expression reads at any depth. */
public final class RowKeyColumns {

  private RowKeyColumns() {}

  /** Calls {@code action} for each row key column, as often as the expression reads it. */
  public static void forEach(Expression expression, Consumer<RowKeyColumnExpression> action) {
    anyMatch(
        expression,
        column -> {
          action.accept(column);
          return false;
        });
  }

  /** Returns whether the expression reads a row key column that meets {@code condition}. */
  public static boolean anyMatch(
      Expression expression, Predicate<RowKeyColumnExpression> condition) {
    if (expression instanceof RowKeyColumnExpression) {
      return condition.test((RowKeyColumnExpression) expression);
    }
    for (Expression child : expression.getChildren()) {
      if (anyMatch(child, condition)) {
        return true;
      }
    }
    return false;
  }
}
