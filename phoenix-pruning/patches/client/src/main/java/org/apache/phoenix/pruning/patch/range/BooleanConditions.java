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

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.phoenix.expression.AndExpression;
import org.apache.phoenix.expression.CoerceExpression;
import org.apache.phoenix.expression.ColumnExpression;
import org.apache.phoenix.expression.ComparisonExpression;
import org.apache.phoenix.expression.Determinism;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.expression.LiteralExpression;
import org.apache.phoenix.schema.types.PBoolean;

/** Writes conditions that are only a BOOLEAN column as comparisons. */
public final class BooleanConditions {

  private BooleanConditions() {}

  /**
   * Returns {@code where}, with {@code column = TRUE} in place of each condition of its AND that is
   * only a column. An index keeps a BOOLEAN as DECIMAL, so the condition can also be the CAST of a
   * column.
   *
   * @param rowKeyOrderOptimizable a property of the table that Phoenix's comparisons need
   * @return the same object if there is no such condition
   * @throws SQLException if Phoenix does not make the comparison
   */
  public static Expression compared(Expression where, boolean rowKeyOrderOptimizable)
      throws SQLException {
    if (!hasColumn(where)) {
      return where;
    }
    if (where instanceof AndExpression) {
      List<Expression> conditions = new ArrayList<>();
      for (Expression condition : where.getChildren()) {
        conditions.add(compared(condition, rowKeyOrderOptimizable));
      }
      return AndExpression.create(conditions);
    }
    Expression isTrue = LiteralExpression.newConstant(true, PBoolean.INSTANCE, Determinism.ALWAYS);
    return ComparisonExpression.create(
        CompareOperator.EQUAL,
        Arrays.asList(where, isTrue),
        new ImmutableBytesWritable(),
        rowKeyOrderOptimizable);
  }

  /** Returns whether a condition is only a column, or is an AND of such a condition. */
  private static boolean hasColumn(Expression condition) {
    if (condition instanceof AndExpression) {
      List<Expression> children = condition.getChildren();
      for (int i = 0; i < children.size(); i++) {
        if (hasColumn(children.get(i))) {
          return true;
        }
      }
      return false;
    }
    Expression column =
        condition instanceof CoerceExpression ? condition.getChildren().get(0) : condition;
    return condition.getDataType() == PBoolean.INSTANCE && column instanceof ColumnExpression;
  }
}
