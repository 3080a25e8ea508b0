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
package org.apache.phoenix.pruning.patch.order;

import java.util.List;
import org.apache.phoenix.compile.OrderPreservingTracker.Info;
import org.apache.phoenix.compile.ScanRanges;
import org.apache.phoenix.compile.StatementContext;
import org.apache.phoenix.expression.CoerceExpression;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.expression.RowKeyColumnExpression;
import org.apache.phoenix.expression.RowValueConstructorExpression;
import org.apache.phoenix.expression.function.InvertFunction;
import org.apache.phoenix.expression.function.ScalarFunction;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.schema.PTable.IndexType;
import org.apache.phoenix.schema.SortOrder;
import org.jspecify.annotations.Nullable;

/**
 * Computes the order of expressions over rows that are read in the order of their keys.
 *
 * <p>Phoenix only checks whether a function preserves order. This class adds three rules:
 *
 * <ul>
 *   <li>After a function that maps many values to one, such as {@code TRUNC}, no further key column
 *       is in order. Rows sorted by {@code D, E} are not sorted by {@code TRUNC(D), E}.
 *   <li>If the values of D descend, the values of {@code TRUNC(D)} descend, too, although Phoenix
 *       encodes them as ascending bytes.
 *   <li>Phoenix merges the groups of several regions by their bytes, so these bytes must ascend.
 * </ul>
 */
public final class KeyOrder {

  private KeyOrder() {}

  /**
   * Returns the order that Phoenix's {@code OrderPreservingTracker} gives an expression. The order
   * of a function is the order of the column's values, which {@code INVERT} reverses.
   */
  public static SortOrder sortOrder(Expression expression) {
    if (expression instanceof InvertFunction) {
      return sortOrder(expression.getChildren().get(0)) == SortOrder.ASC
          ? SortOrder.DESC
          : SortOrder.ASC;
    }
    return expression instanceof CoerceExpression
        ? sortOrder(expression.getChildren().get(0))
        : column(expression).getSortOrder();
  }

  /**
   * Returns how many of the leading expressions determine the order of rows.
   *
   * @param expressions expressions of key columns
   * @param positions the first key column of each expression
   * @param ranges the ranges of the scan if the key columns are its own, or null
   */
  public static int orderedCount(
      List<Expression> expressions, int[] positions, @Nullable ScanRanges ranges) {
    boolean isColumnDetermined = true;
    int previous = -1;
    for (int i = 0; i < positions.length; i++) {
      Expression expression = expressions.get(i);
      if (isConstant(expression, ranges)) {
        continue;
      }
      boolean isNextColumn = positions[i] != previous;
      Monotonicity monotonicity = Monotonicity.of(expression);
      if (monotonicity == Monotonicity.NONE || (isNextColumn && !isColumnDetermined)) {
        return i;
      }
      isColumnDetermined =
          (isColumnDetermined && !isNextColumn) || monotonicity == Monotonicity.STRICT;
      previous = positions[i];
    }
    return positions.length;
  }

  private static boolean isConstant(Expression expression, @Nullable ScanRanges ranges) {
    Expression column = column(expression);
    return ranges != null
        && column instanceof RowKeyColumnExpression
        && ranges.hasEqualityConstraint(((RowKeyColumnExpression) column).getPosition());
  }

  /** Does the same as the other method, for tracked expressions of GROUP BY. */
  public static boolean canGroup(List<Info> tracked, StatementContext context) {
    return canGroup(Info.extractExpressions(tracked), context.getCurrentTable().getTable());
  }

  /**
   * Returns whether a scan can build groups from consecutive rows. The client must be able to
   * decode the key of each group. If it merges several scans, the bytes of the keys must ascend.
   *
   * @param keys the expressions of GROUP BY in the order of the key
   * @param scanned the table or index that is scanned
   */
  public static boolean canGroup(List<Expression> keys, PTable scanned) {
    boolean isMerged = scanned.getIndexType() == IndexType.LOCAL || scanned.getBucketNum() != null;
    for (int i = 0; i < keys.size(); i++) {
      Expression key = keys.get(i);
      // Only the last value of a group's key can be null if its width is fixed.
      boolean canLoseNull =
          i < keys.size() - 1 && key.isNullable() && key.getDataType().isFixedWidth();
      if (canLoseNull || (isMerged && !ascends(key))) {
        return false;
      }
    }
    return true;
  }

  /** Returns whether the bytes of an expression ascend if those of its column do. */
  private static boolean ascends(Expression expression) {
    return expression instanceof RowValueConstructorExpression
        ? expression.getChildren().stream().allMatch(KeyOrder::ascends)
        : column(expression).getSortOrder() == expression.getSortOrder();
  }

  /** Returns the innermost argument of nested functions, which is a key column in most cases. */
  private static Expression column(Expression expression) {
    Expression column = expression;
    for (Expression next = argument(column); next != null; next = argument(column)) {
      column = next;
    }
    return column;
  }

  /** Returns the argument whose order a function or a cast keeps, or null if there is none. */
  static @Nullable Expression argument(Expression expression) {
    if (expression instanceof CoerceExpression) {
      return expression.getChildren().get(0);
    }
    if (!(expression instanceof ScalarFunction)) {
      return null;
    }
    int index = ((ScalarFunction) expression).getKeyFormationTraversalIndex();
    return index == ScalarFunction.NO_TRAVERSAL ? null : expression.getChildren().get(index);
  }
}
