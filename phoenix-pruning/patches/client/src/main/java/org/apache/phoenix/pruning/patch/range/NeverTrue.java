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

import org.apache.hadoop.hbase.CompareOperator;
import org.apache.phoenix.expression.AndExpression;
import org.apache.phoenix.expression.ComparisonExpression;
import org.apache.phoenix.expression.Expression;

/** Finds conditions that patches write as a comparison of an operand with itself. */
public final class NeverTrue {

  private NeverTrue() {}

  /**
   * Returns true if a condition, or one of the conditions of an AND, is an operand less than
   * itself. It is false for a value, and null for a null.
   */
  public static boolean isNeverTrue(Expression condition) {
    if (condition instanceof AndExpression) {
      return condition.getChildren().stream().anyMatch(NeverTrue::isNeverTrue);
    }
    return condition instanceof ComparisonExpression
        && ((ComparisonExpression) condition).getFilterOp() == CompareOperator.LESS
        && condition.getChildren().get(0) == condition.getChildren().get(1);
  }
}
