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

import org.apache.phoenix.expression.CaseExpression;
import org.apache.phoenix.expression.ComparisonExpression;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.expression.InListExpression;
import org.apache.phoenix.expression.IsNullExpression;
import org.apache.phoenix.expression.NotExpression;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;

/**
 * Finds rows without a column by conditions in which IS NOT NULL can be false. Phoenix's {@code
 * NotExpression}, {@code ComparisonExpression}, {@code CaseExpression} and others do not say that
 * such a condition can be true without a cell of the column. So the client does not read these
 * rows, and the server's filters drop them (not reported).
 *
 * <p>Example: {@code SELECT K FROM T WHERE NOT (V IS NOT NULL)} finds no rows.
 */
public privileged aspect NegatedNullAspect {

  /** Conditions that can be true although a column has no cell. */
  public interface Condition extends Expression {}

  declare parents :
      (NotExpression || ComparisonExpression || InListExpression || CaseExpression
          || IsNullExpression) implements Condition;

  /** Answer of canMatchWithoutCells, or null before the first call. */
  private Boolean Condition.matchesWithoutCells;

  private boolean Condition.canMatchWithoutCells() {
    if (matchesWithoutCells == null) {
      matchesWithoutCells =
          Patches.isOn(Patch.NEGATED_NULL) && NegatedNulls.canMatchWithoutCells(this);
    }
    return matchesWithoutCells;
  }

  public boolean NotExpression.requiresFinalEvaluation() {
    return super.requiresFinalEvaluation() || ((Condition) this).canMatchWithoutCells();
  }

  public boolean ComparisonExpression.requiresFinalEvaluation() {
    return super.requiresFinalEvaluation() || ((Condition) this).canMatchWithoutCells();
  }

  public boolean InListExpression.requiresFinalEvaluation() {
    return super.requiresFinalEvaluation() || ((Condition) this).canMatchWithoutCells();
  }

  boolean around(Condition condition) :
      (execution(boolean CaseExpression.requiresFinalEvaluation())
          || execution(boolean IsNullExpression.requiresFinalEvaluation()))
      && this(condition) {
    return proceed(condition) || condition.canMatchWithoutCells();
  }
}
