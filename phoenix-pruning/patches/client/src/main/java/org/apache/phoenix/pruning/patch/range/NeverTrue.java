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
package org.apache.phoenix.pruning.patch.range;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.phoenix.expression.AndExpression;
import org.apache.phoenix.expression.ComparisonExpression;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.expression.OrExpression;
import org.jspecify.annotations.Nullable;

/** Removes conditions that patches write as a comparison of an operand with itself. */
public final class NeverTrue {

  private NeverTrue() {}

  /**
   * Returns a WHERE without the alternatives that are never true, or null if it is never true
   * itself. A comparison of an operand with itself, which is false for a value and null for a null,
   * is such an alternative. Within a WHERE that has only AND and OR around it, null is the same as
   * false.
   */
  public static @Nullable Expression remove(Expression where) {
    if (isLessThanItself(where)) {
      return null;
    }
    boolean isAnd = where instanceof AndExpression;
    if (!isAnd && !(where instanceof OrExpression)) {
      return where;
    }
    List<Expression> kept = new ArrayList<>();
    boolean isChanged = false;
    for (Expression child : where.getChildren()) {
      Expression remaining = remove(child);
      if (remaining == null && isAnd) {
        return null;
      }
      isChanged |= remaining != child;
      if (remaining != null) {
        kept.add(remaining);
      }
    }
    if (!isChanged) {
      return where;
    }
    if (kept.size() < 2) {
      return kept.isEmpty() ? null : kept.get(0);
    }
    return isAnd ? new AndExpression(kept) : new OrExpression(kept);
  }

  private static boolean isLessThanItself(Expression condition) {
    return condition instanceof ComparisonExpression
        && ((ComparisonExpression) condition).getFilterOp() == CompareOperator.LESS
        && condition.getChildren().get(0) == condition.getChildren().get(1);
  }
}
