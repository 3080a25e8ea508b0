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
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.compile.ScanRanges;
import org.apache.phoenix.compile.StatementContext;
import org.apache.phoenix.expression.CoerceExpression;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.expression.RowKeyColumnExpression;
import org.apache.phoenix.expression.RowValueConstructorExpression;
import org.apache.phoenix.expression.function.CbrtFunction;
import org.apache.phoenix.expression.function.ExpFunction;
import org.apache.phoenix.expression.function.InvertFunction;
import org.apache.phoenix.expression.function.RoundDateExpression;
import org.apache.phoenix.expression.function.RoundDecimalExpression;
import org.apache.phoenix.expression.function.ScalarFunction;
import org.apache.phoenix.expression.function.SignFunction;
import org.apache.phoenix.expression.function.SubstrFunction;
import org.apache.phoenix.expression.function.UDFExpression;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.layout.DataTables;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.schema.PColumn;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.schema.PTable.IndexType;
import org.apache.phoenix.schema.PTableType;
import org.apache.phoenix.schema.ProjectedColumn;
import org.apache.phoenix.schema.SortOrder;
import org.apache.phoenix.schema.TableRef;
import org.apache.phoenix.schema.types.PBoolean;
import org.apache.phoenix.schema.types.PDataType;

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
   * Returns whether the order of functions is corrected for a statement. Statements on tables
   * without a local index keep Phoenix's plan.
   *
   * @param inner the plan of a derived table that the rows come from, or null
   */
  public static boolean isOn(StatementContext context, QueryPlan inner) {
    TableRef table = context.getCurrentTable();
    PhoenixConnection connection = context.getConnection();
    return table != null
        && Patches.isOn(Patch.KEY_ORDER, connection)
        && hasLocalIndex(table.getTable(), inner, connection);
  }

  private static boolean hasLocalIndex(
      PTable table, QueryPlan inner, PhoenixConnection connection) {
    return table.getType() == PTableType.SUBQUERY && inner != null
        ? inner.getSourceRefs().stream()
            .anyMatch(source -> hasLocalIndex(source.getTable(), connection))
        : hasLocalIndex(table, connection);
  }

  /**
   * Returns whether a table, or a table that it is derived from, has a local index or may have one.
   */
  private static boolean hasLocalIndex(PTable table, PhoenixConnection connection) {
    if (table.getIndexType() == IndexType.LOCAL || table.getType() == PTableType.SUBQUERY) {
      return true;
    }
    if (table.getType() == PTableType.PROJECTED) {
      PTable previous = null;
      for (PColumn column : table.getColumns()) {
        if (column instanceof ProjectedColumn) {
          PTable source = ((ProjectedColumn) column).getSourceColumnRef().getTable();
          if (source != previous && hasLocalIndex(source, connection)) {
            return true;
          }
          previous = source;
        }
      }
      return false;
    }
    PTable dataTable =
        table.getType() == PTableType.INDEX ? DataTables.ofIfCached(table, connection) : table;
    return dataTable == null
        || dataTable.getIndexes().stream()
            .anyMatch(index -> index.getIndexType() == IndexType.LOCAL);
  }

  /**
   * Returns the order that Phoenix's {@code OrderPreservingTracker} gives an expression. The order
   * of a function is the order of the column's values, which {@code INVERT} reverses.
   */
  public static SortOrder of(Expression expression) {
    if (expression instanceof InvertFunction) {
      return of(expression.getChildren().get(0)) == SortOrder.ASC ? SortOrder.DESC : SortOrder.ASC;
    }
    return expression instanceof CoerceExpression
        ? of(expression.getChildren().get(0))
        : column(expression).getSortOrder();
  }

  /**
   * Returns how many of the leading expressions determine the order of rows.
   *
   * @param expressions expressions of key columns
   * @param positions the first key column of each expression
   * @param ranges the ranges of the scan if the key columns are its own, or null
   */
  public static int orderedCount(List<Expression> expressions, int[] positions, ScanRanges ranges) {
    boolean isColumnGiven = true;
    int previous = -1;
    for (int i = 0; i < positions.length; i++) {
      Expression expression = expressions.get(i);
      if (isConstant(expression, ranges)) {
        continue;
      }
      boolean isNext = positions[i] != previous;
      if (!keepsOrder(expression) || (isNext && !isColumnGiven)) {
        return i;
      }
      isColumnGiven = (isColumnGiven && !isNext) || isInjective(expression);
      previous = positions[i];
    }
    return positions.length;
  }

  private static boolean isConstant(Expression expression, ScanRanges ranges) {
    Expression column = column(expression);
    return ranges != null
        && column instanceof RowKeyColumnExpression
        && ranges.hasEqualityConstraint(((RowKeyColumnExpression) column).getPosition());
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
      boolean isLost = i < keys.size() - 1 && key.isNullable() && key.getDataType().isFixedWidth();
      if (isLost || (isMerged && !ascends(key))) {
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

  /** Returns whether rows sorted by the column are sorted, in either order, by the expression. */
  private static boolean keepsOrder(Expression expression) {
    if (expression instanceof RowValueConstructorExpression) {
      List<Expression> children = expression.getChildren();
      return children.stream().allMatch(KeyOrder::keepsOrder)
          && children.subList(0, children.size() - 1).stream().allMatch(KeyOrder::isInjective);
    }
    if (expression instanceof CoerceExpression) {
      return (expression.getDataType() != PBoolean.INSTANCE
              || argument(expression).getDataType() == PBoolean.INSTANCE)
          && keepsOrder(argument(expression));
    }
    return !(expression instanceof ScalarFunction)
        || (isMonotone(expression) && keepsOrder(argument(expression)));
  }

  /**
   * Returns whether a function preserves order, among the functions that Phoenix treats as
   * order-preserving. For example, {@code COS}, {@code SQRT} of negative numbers, {@code
   * REGEXP_SUBSTR} and {@code GET_BYTE} do not.
   */
  private static boolean isMonotone(Expression function) {
    return function instanceof RoundDateExpression
        || function instanceof RoundDecimalExpression
        || function instanceof SubstrFunction
        || function instanceof InvertFunction
        || function instanceof SignFunction
        || function instanceof CbrtFunction
        || function instanceof ExpFunction
        || function instanceof UDFExpression;
  }

  /** Returns whether different values of the columns give different values of the expression. */
  private static boolean isInjective(Expression expression) {
    if (expression instanceof RowValueConstructorExpression) {
      return expression.getChildren().stream().allMatch(KeyOrder::isInjective);
    }
    if (expression instanceof CoerceExpression) {
      return isExact(argument(expression).getDataType(), expression.getDataType())
          && isInjective(argument(expression));
    }
    return !(expression instanceof ScalarFunction)
        || (expression instanceof InvertFunction && isInjective(argument(expression)));
  }

  private static boolean isExact(PDataType<?> from, PDataType<?> to) {
    boolean isFloating = to.getJavaClass() == Float.class || to.getJavaClass() == Double.class;
    return from == to || (from.isCoercibleTo(to) && !isFloating);
  }

  private static Expression column(Expression expression) {
    Expression column = expression;
    for (Expression next = argument(column); next != null; next = argument(column)) {
      column = next;
    }
    return column;
  }

  /** Returns the argument whose order a function or a cast keeps, or null if there is none. */
  private static Expression argument(Expression expression) {
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
