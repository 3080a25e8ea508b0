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
import org.apache.phoenix.expression.BaseCompoundExpression;
import org.apache.phoenix.expression.BaseExpression;
import org.apache.phoenix.expression.BaseSingleExpression;
import org.apache.phoenix.expression.CaseExpression;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;

/**
 * Resets AND and OR within a CASE before the next row. Phoenix's {@code CaseExpression.reset} does
 * not reset the children, so they keep the nulls of the previous row.
 *
 * <p>Example: {@code CASE WHEN K2 = 'a' AND K1 > 0 THEN 1 ELSE 0 END = 1} loses rows. After a row
 * in which a part of the AND is null, the condition is null for all further rows.
 */
public aspect CaseResetAspect {

  /**
   * Records for each class whether its expressions keep state of a row until {@code reset} is
   * called.
   */
  private static final ClassValue<Boolean> KEEPS_STATE =
      new ClassValue<Boolean>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
          try {
            Class<?> declaring = type.getMethod("reset").getDeclaringClass();
            return declaring != BaseExpression.class
                && declaring != BaseSingleExpression.class
                && declaring != BaseCompoundExpression.class;
          } catch (NoSuchMethodException e) {
            throw new IllegalStateException(type + " has no public method reset()", e);
          }
        }
      };

  /**
   * Caches whether any child keeps state; null until the first reset. Most CASEs have no such
   * child.
   */
  private Boolean CaseExpression.resetsChildren;

  after(CaseExpression expression) returning :
      execution(void CaseExpression.reset()) && this(expression) {
    if (expression.resetsChildren == null) {
      expression.resetsChildren =
          Patches.isOn(Patch.CASE_RESET) && keepState(expression.getChildren());
    }
    if (expression.resetsChildren) {
      // An index loop, because an iterator would be allocated for each row.
      List<Expression> children = expression.getChildren();
      for (int i = 0; i < children.size(); i++) {
        children.get(i).reset();
      }
    }
  }

  private static boolean keepState(List<Expression> expressions) {
    for (Expression expression : expressions) {
      if (KEEPS_STATE.get(expression.getClass()) || keepState(expression.getChildren())) {
        return true;
      }
    }
    return false;
  }
}
