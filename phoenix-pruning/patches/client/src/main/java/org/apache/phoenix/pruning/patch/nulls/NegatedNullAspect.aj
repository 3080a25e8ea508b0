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

import org.apache.phoenix.expression.NotExpression;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;

/**
 * Finds rows without a column by conditions that negate IS NOT NULL. Phoenix's {@code
 * NotExpression} does not say that such a condition can be true without a cell of the column. So
 * the client does not read these rows, and the server's filters drop them (not reported).
 *
 * <p>Example: {@code SELECT K FROM T WHERE NOT (V IS NOT NULL)} finds no rows.
 */
public privileged aspect NegatedNullAspect {

  /** Answer of requiresFinalEvaluation, or null before the first call. */
  private Boolean NotExpression.canMatchWithoutCells;

  public boolean NotExpression.requiresFinalEvaluation() {
    if (canMatchWithoutCells == null) {
      canMatchWithoutCells =
          super.requiresFinalEvaluation()
              || (Patches.isOn(Patch.NEGATED_NULL) && NegatedNulls.testsForAValue(this));
    }
    return canMatchWithoutCells;
  }
}
