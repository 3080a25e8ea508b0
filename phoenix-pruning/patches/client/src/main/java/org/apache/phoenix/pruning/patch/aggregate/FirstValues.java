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
package org.apache.phoenix.pruning.patch.aggregate;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.NavigableMap;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.phoenix.expression.CaseExpression;
import org.apache.phoenix.expression.CoerceExpression;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.expression.IsNullExpression;
import org.apache.phoenix.expression.function.FirstLastValueBaseFunction;
import org.apache.phoenix.expression.function.FirstValueFunction;
import org.apache.phoenix.expression.function.FirstValuesFunction;
import org.apache.phoenix.expression.function.LastValueFunction;
import org.apache.phoenix.expression.function.LastValuesFunction;
import org.apache.phoenix.expression.function.NthValueFunction;
import org.apache.phoenix.expression.function.SingleAggregateFunction;
import org.apache.phoenix.pruning.patch.RowState;
import org.apache.phoenix.schema.SortOrder;

/**
 * Rewrites FIRST_VALUE, LAST_VALUE, NTH_VALUE, FIRST_VALUES and LAST_VALUES for the servers, and
 * limits merged values.
 */
public final class FirstValues {

  /** Positions of the arguments of these functions. */
  private static final int ORDER_BY = 0;

  private static final int VALUE = 2;

  private FirstValues() {}

  /**
   * Returns {@code functions} as the servers have to evaluate them. A server leaves out a row if
   * the column of WITHIN GROUP is null. Therefore, the returned functions sort by a column that is
   * ascending, and null where the value is null.
   */
  public static List<SingleAggregateFunction> forServers(List<SingleAggregateFunction> functions) {
    List<SingleAggregateFunction> forServers = new ArrayList<>(functions.size());
    for (SingleAggregateFunction function : functions) {
      forServers.add(
          function instanceof FirstLastValueBaseFunction ? forServers(function) : function);
    }
    return forServers;
  }

  private static SingleAggregateFunction forServers(SingleAggregateFunction function) {
    List<Expression> arguments = function.getChildren();
    Expression orderBy = arguments.get(ORDER_BY);
    // Phoenix's server resets the argument after each row, but not the operands of CASE.
    if (function.isConstantExpression()
        || orderBy.getDataType().isArrayType()
        || RowState.isKeptByAny(Collections.singletonList(orderBy))) {
      return function;
    }
    List<Expression> changed = new ArrayList<>(arguments);
    try {
      changed.set(ORDER_BY, nullIfNull(ascending(orderBy), arguments.get(VALUE)));
    } catch (SQLException e) {
      throw new IllegalStateException(orderBy + " cannot be sorted", e);
    }
    return create(function, changed);
  }

  private static Expression ascending(Expression expression) throws SQLException {
    return expression.getSortOrder() == SortOrder.DESC
        ? CoerceExpression.create(
            expression, expression.getDataType(), SortOrder.ASC, expression.getMaxLength())
        : expression;
  }

  /** Returns {@code CASE WHEN value IS NOT NULL THEN expression END}. */
  private static Expression nullIfNull(Expression expression, Expression value)
      throws SQLException {
    return value.isNullable()
        ? new CaseExpression(
            Arrays.asList(
                expression, IsNullExpression.create(value, true, new ImmutableBytesWritable())))
        : expression;
  }

  private static SingleAggregateFunction create(
      SingleAggregateFunction function, List<Expression> arguments) {
    if (function instanceof FirstValueFunction) {
      return new FirstValueFunction(arguments);
    } else if (function instanceof LastValueFunction) {
      return new LastValueFunction(arguments);
    } else if (function instanceof NthValueFunction) {
      return new NthValueFunction(arguments);
    } else if (function instanceof FirstValuesFunction) {
      return new FirstValuesFunction(arguments);
    } else if (function instanceof LastValuesFunction) {
      return new LastValuesFunction(arguments);
    }
    return function;
  }

  /**
   * Keeps the first values of {@code values}, and removes the others.
   *
   * @param values the values by the bytes of the column of WITHIN GROUP
   * @param count number of values to keep, at least 1
   * @param isAscending if false, the last values are kept
   */
  public static <V extends List<byte[]>> void keep(
      NavigableMap<byte[], V> values, int count, boolean isAscending) {
    int left = count;
    Iterator<V> lists = (isAscending ? values : values.descendingMap()).values().iterator();
    while (lists.hasNext()) {
      V list = lists.next();
      if (left == 0) {
        lists.remove();
      } else if (list.size() > left) {
        list.subList(left, list.size()).clear();
      }
      left -= Math.min(left, list.size());
    }
  }
}
