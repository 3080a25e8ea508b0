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
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.phoenix.expression.AndExpression;
import org.apache.phoenix.expression.CoerceExpression;
import org.apache.phoenix.expression.ComparisonExpression;
import org.apache.phoenix.expression.Determinism;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.expression.OrExpression;
import org.apache.phoenix.expression.RowKeyColumnExpression;
import org.apache.phoenix.expression.RowValueConstructorExpression;
import org.jspecify.annotations.Nullable;

/** Removes lower bounds that are a row value of nulls. No row value sorts before them. */
public final class NullRowValues {

  private NullRowValues() {}

  /**
   * Returns a WHERE without its comparisons of key columns with such a bound, or null if it is
   * always true.
   */
  public static @Nullable Expression remove(Expression where) {
    if (!isOrHasFromNulls(where)) {
      return where;
    }
    if (isFromNulls(where)) {
      return null;
    }
    boolean isAnd = where instanceof AndExpression;
    List<Expression> kept = new ArrayList<>();
    for (Expression child : where.getChildren()) {
      Expression remaining = remove(child);
      if (remaining == null && !isAnd) {
        return null;
      }
      if (remaining != null) {
        kept.add(remaining);
      }
    }
    if (kept.size() < 2) {
      return kept.isEmpty() ? null : kept.get(0);
    }
    return isAnd ? new AndExpression(kept) : new OrExpression(kept);
  }

  /** Allocates nothing, because it is called for each statement. */
  private static boolean isOrHasFromNulls(Expression where) {
    if (where instanceof AndExpression || where instanceof OrExpression) {
      List<Expression> children = where.getChildren();
      for (int i = 0; i < children.size(); i++) {
        if (isOrHasFromNulls(children.get(i))) {
          return true;
        }
      }
      return false;
    }
    return isFromNulls(where);
  }

  private static boolean isFromNulls(Expression condition) {
    if (!(condition instanceof ComparisonExpression)) {
      return false;
    }
    CompareOperator operator = ((ComparisonExpression) condition).getFilterOp();
    return (operator == CompareOperator.GREATER || operator == CompareOperator.GREATER_OR_EQUAL)
        && isOfKeyColumns(condition.getChildren().get(0))
        && isOfNulls(condition.getChildren().get(1));
  }

  private static boolean isOfKeyColumns(Expression value) {
    return value instanceof RowValueConstructorExpression
        && value.getChildren().stream().allMatch(NullRowValues::isKeyColumn);
  }

  /** Returns whether a value is a key column. Phoenix casts a descending column to compare it. */
  private static boolean isKeyColumn(Expression value) {
    Expression column = value instanceof CoerceExpression ? value.getChildren().get(0) : value;
    return column instanceof RowKeyColumnExpression;
  }

  private static boolean isOfNulls(Expression value) {
    ImmutableBytesWritable bytes = new ImmutableBytesWritable();
    return value instanceof RowValueConstructorExpression
        && value.isStateless()
        && value.getDeterminism() == Determinism.ALWAYS
        && value.evaluate(null, bytes)
        && bytes.getLength() == 0;
  }
}
