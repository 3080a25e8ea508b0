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

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.phoenix.compile.StatementContext;
import org.apache.phoenix.expression.CoerceExpression;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.expression.LiteralExpression;
import org.apache.phoenix.expression.function.AvgAggregateFunction;
import org.apache.phoenix.expression.function.CountAggregateFunction;
import org.apache.phoenix.expression.function.SingleAggregateFunction;
import org.apache.phoenix.expression.function.SumAggregateFunction;
import org.apache.phoenix.schema.tuple.Tuple;
import org.apache.phoenix.schema.types.PDataType;
import org.apache.phoenix.schema.types.PDecimal;
import org.apache.phoenix.schema.types.PDouble;
import org.apache.phoenix.schema.types.PInteger;
import org.apache.phoenix.schema.types.PLong;
import org.jspecify.annotations.Nullable;

/** Aggregates of a constant, which need only the number of rows. */
public final class ConstantAggregates {

  private ConstantAggregates() {}

  /** Returns the count of rows if the operand of an aggregate is a constant, or null. */
  public static @Nullable CountAggregateFunction count(
      List<Expression> operands, StatementContext context) {
    return operands.get(0) instanceof LiteralExpression
        ? (CountAggregateFunction)
            context.getExpressionManager().addIfAbsent(new CountAggregateFunction(operands))
        : null;
  }

  /** Sets {@code result} to the sum, and returns false if there are no rows. */
  public static boolean sum(
      SumAggregateFunction sum,
      SingleAggregateFunction counter,
      Tuple row,
      ImmutableBytesWritable result) {
    long rows = rows(counter, row, result);
    if (rows == 0) {
      return false;
    }
    LiteralExpression constant = (LiteralExpression) sum.getChildren().get(0);
    PDataType<?> type = sum.getDataType();
    if (type == PDouble.INSTANCE) {
      result.set(type.toBytes(((Number) constant.getValue()).doubleValue() * rows));
    } else if (type == PDecimal.INSTANCE) {
      result.set(type.toBytes(decimal(constant).multiply(BigDecimal.valueOf(rows))));
    } else {
      result.set(type.toBytes(((Number) constant.getValue()).longValue() * rows));
    }
    return true;
  }

  /** Sets {@code result} to the average, and returns false if there are no rows. */
  public static boolean average(
      AvgAggregateFunction average,
      SingleAggregateFunction counter,
      Tuple row,
      ImmutableBytesWritable result) {
    if (rows(counter, row, result) == 0) {
      return false;
    }
    LiteralExpression constant = (LiteralExpression) average.getChildren().get(0);
    result.set(
        PDecimal.INSTANCE.toBytes(
            decimal(constant).setScale(average.getScale(), RoundingMode.DOWN)));
    return true;
  }

  private static long rows(
      SingleAggregateFunction counter, Tuple row, ImmutableBytesWritable result) {
    return counter.evaluate(row, result) ? (Long) PLong.INSTANCE.toObject(result) : 0;
  }

  private static BigDecimal decimal(LiteralExpression constant) {
    return (BigDecimal) PDecimal.INSTANCE.toObject(constant.getValue(), constant.getDataType());
  }

  /** Returns the operands of an aggregate. A first one that is NULL is no constant any more. */
  public static List<Expression> withoutNull(List<Expression> operands) {
    Expression first = operands.isEmpty() ? null : operands.get(0);
    if (!(first instanceof LiteralExpression) || ((LiteralExpression) first).getValue() != null) {
      return operands;
    }
    List<Expression> withoutNull = new ArrayList<>(operands);
    PDataType<?> type = first.getDataType();
    withoutNull.set(
        0,
        new CoerceExpression(
            Collections.singletonList(first),
            type == null ? PInteger.INSTANCE : type,
            first.getSortOrder(),
            first.getMaxLength(),
            true));
    return withoutNull;
  }
}
