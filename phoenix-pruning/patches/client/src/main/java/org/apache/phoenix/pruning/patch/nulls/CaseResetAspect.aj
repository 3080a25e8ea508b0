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
import org.apache.phoenix.iterate.OrderedResultIterator;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.pruning.patch.RowState;

/**
 * Resets AND and OR within a CASE, and in ORDER BY, before the next row. Phoenix's {@code
 * CaseExpression.reset} does not reset the children, and {@code OrderedResultIterator} resets
 * nothing. So they keep the nulls of the previous row (not reported).
 *
 * <p>Example: {@code CASE WHEN K2 = 'a' AND K1 > 0 THEN 1 ELSE 0 END = 1} loses rows. After a row
 * in which a part of the AND is null, the condition is null for all further rows.
 */
public aspect CaseResetAspect {

  /**
   * Caches whether any child keeps state; null until the first reset. Most CASEs have no such
   * child.
   */
  private Boolean CaseExpression.resetsChildren;

  after(CaseExpression expression) returning :
      execution(void CaseExpression.reset()) && this(expression) {
    if (expression.resetsChildren == null) {
      expression.resetsChildren =
          Patches.isOn(Patch.CASE_RESET) && RowState.isKeptByAny(expression.getChildren());
    }
    if (expression.resetsChildren) {
      // An index loop, because an iterator would be allocated for each row.
      List<Expression> children = expression.getChildren();
      for (int i = 0; i < children.size(); i++) {
        children.get(i).reset();
      }
    }
  }

  after() returning(List sortKeys) :
      call(* *..Lists.newArrayList(..)) && withincode(* OrderedResultIterator.getResultIterator()) {
    if (Patches.isOn(Patch.CASE_RESET)) {
      RowState.resetForEachRow(sortKeys);
    }
  }
}
