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
package org.apache.phoenix.pruning.weave;

import java.util.List;
import org.apache.phoenix.expression.BaseCompoundExpression;
import org.apache.phoenix.expression.BaseExpression;
import org.apache.phoenix.expression.BaseSingleExpression;
import org.apache.phoenix.expression.CaseExpression;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.pruning.patch.Patches;

/** Lets AND and OR in a CASE forget the nulls of the row before. */
public aspect CaseResetAspect {

  /** Tells whether expressions of a class keep state of a row until {@code reset} is called. */
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

  /** Null until the first reset. Most CASEs have no children with state, so none is reset. */
  private Boolean CaseExpression.resetsChildren;

  after(CaseExpression expression) returning :
      execution(void CaseExpression.reset()) && this(expression) {
    if (expression.resetsChildren == null) {
      expression.resetsChildren =
          Patches.isOn(Patch.CASE_RESET) && keepState(expression.getChildren());
    }
    if (expression.resetsChildren) {
      // Runs for each row: an iterator would be allocated for each one.
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
