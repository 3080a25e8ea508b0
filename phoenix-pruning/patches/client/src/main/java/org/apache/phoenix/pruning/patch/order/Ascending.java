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

import java.util.Collections;
import org.apache.phoenix.expression.CoerceExpression;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.schema.SortOrder;
import org.apache.phoenix.schema.types.PDataType;

/** Expressions whose bytes are ascending. */
public final class Ascending {

  private Ascending() {}

  /** Returns an expression with the same value, whose bytes are ascending. */
  public static Expression of(Expression expression) {
    return of(expression, expression.getDataType());
  }

  /**
   * Returns an expression with the same value, whose bytes are ascending bytes of {@code type}. A
   * null without a type stays as it is.
   */
  public static Expression of(Expression expression, PDataType<?> type) {
    PDataType<?> own = expression.getDataType();
    return own == null || (own == type && expression.getSortOrder() == SortOrder.ASC)
        ? expression
        : new CoerceExpression(
            Collections.singletonList(expression),
            type,
            SortOrder.ASC,
            expression.getMaxLength(),
            true);
  }
}
