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

import java.util.List;
import org.apache.phoenix.expression.CaseExpression;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.expression.IsNullExpression;

/** Finds conditions that can be true for a row without the cells of their columns. */
public final class NegatedNulls {

  /** Results and conditions of a CASE with one WHEN, and without ELSE. */
  private static final int ONE_WHEN = 2;

  private NegatedNulls() {}

  /**
   * Returns whether a condition around others can be true without their cells: an IS NOT NULL
   * inside can be false, or a CASE can come to its second WHEN.
   *
   * @param expression any expression except AND, OR and IS NULL of a column
   */
  public static boolean canMatchWithoutCells(Expression expression) {
    List<Expression> children = expression.getChildren();
    if (expression instanceof CaseExpression && children.size() > ONE_WHEN) {
      return true;
    }
    for (Expression child : children) {
      if (testsForAValue(child)) {
        return true;
      }
    }
    return false;
  }

  /** Returns whether {@code expression}, or an expression inside it, is an IS NOT NULL. */
  private static boolean testsForAValue(Expression expression) {
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
