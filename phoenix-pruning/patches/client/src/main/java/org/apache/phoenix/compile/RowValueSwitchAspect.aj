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
package org.apache.phoenix.compile;

import java.util.List;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.phoenix.compile.WhereOptimizer.KeyExpressionVisitor.KeySlots;
import org.apache.phoenix.compile.WhereOptimizer.KeyExpressionVisitor;
import org.apache.phoenix.expression.ComparisonExpression;
import org.apache.phoenix.expression.InListExpression;
import org.apache.phoenix.expression.RowValueConstructorExpression;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;

/**
 * Combines the key ranges of row values with other key ranges without losing rows. A row value can
 * also imply a range of later columns, which Phoenix calls a trailing range. Phoenix's {@code
 * WhereOptimizer.KeyExpressionVisitor} has three defects (PHOENIX-7760 describes a part):
 *
 * <ul>
 *   <li>It compares bounds of different numbers of columns byte by byte.
 *   <li>It forgets some trailing ranges.
 *   <li>It drops conditions that the resulting ranges do not fully express.
 * </ul>
 *
 * <p>Example: {@code A = 1 OR (A, B, C) > (3, 5, 2)} loses the rows of A = 1.
 *
 * <p>This aspect decides whether the patch is on, and makes the ranges of a single row value. The
 * others combine ranges. They share one switch: a range that one of them has widened is right only
 * if the others keep its condition. They are in this package because the types that are combined
 * are visible only here.
 */
public privileged aspect RowValueSwitchAspect {

  private Boolean KeyExpressionVisitor.isPatched;

  /** True if the current comparison is an equality or an IN. */
  private boolean KeyExpressionVisitor.isEquality;

  pointcut visiting(KeyExpressionVisitor visitor) :
      this(visitor) && if (isOn(visitor));

  private static boolean isOn(KeyExpressionVisitor visitor) {
    if (visitor.isPatched == null) {
      visitor.isPatched =
          Patches.isOn(Patch.ROW_VALUE_RANGES, visitor.context.getConnection());
    }
    return visitor.isPatched;
  }

  before(KeyExpressionVisitor visitor, ComparisonExpression comparison) :
      execution(* KeyExpressionVisitor.visitEnter(ComparisonExpression))
      && this(visitor)
      && args(comparison) {
    visitor.isEquality = comparison.getFilterOp() == CompareOperator.EQUAL;
  }

  before(KeyExpressionVisitor visitor) :
      execution(* KeyExpressionVisitor.visitEnter(InListExpression))
      && this(visitor) {
    visitor.isEquality = true;
  }

  KeySlots around(
      KeyExpressionVisitor visitor, RowValueConstructorExpression value, List<KeySlots> columns) :
      execution(KeySlots KeyExpressionVisitor.newRowValueConstructorKeyParts(..))
      && visiting(visitor)
      && args(value, columns) {
    if (visitor.isEquality || columns.isEmpty() || columns.get(0).getSlots().isEmpty()) {
      return proceed(visitor, value, columns);
    }
    int position = columns.get(0).getSlots().get(0).getPKPosition();
    int maxColumns = Math.min(columns.size(), visitor.table.getPKColumns().size() - position);
    int inKeyOrder = visitor.columns().countInKeyOrder(position, maxColumns);
    return proceed(visitor, value, columns.subList(0, inKeyOrder));
  }
}
