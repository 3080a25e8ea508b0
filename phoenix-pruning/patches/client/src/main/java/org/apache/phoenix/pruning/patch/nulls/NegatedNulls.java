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
package org.apache.phoenix.pruning.patch.nulls;

import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.expression.IsNullExpression;

/** Finds IS NOT NULL in conditions. */
public final class NegatedNulls {

  private NegatedNulls() {}

  /** Returns whether {@code expression}, or an expression inside it, is an IS NOT NULL. */
  public static boolean testsForAValue(Expression expression) {
    if (expression instanceof IsNullExpression && ((IsNullExpression) expression).isNegate()) {
      return true;
    }
    for (Expression child : expression.getChildren()) {
      if (testsForAValue(child)) {
        return true;
      }
    }
    return false;
  }
}
