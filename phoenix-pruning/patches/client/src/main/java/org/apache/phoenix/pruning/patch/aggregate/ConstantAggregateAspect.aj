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
import java.util.List;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.phoenix.compile.ExpressionCompiler;
import org.apache.phoenix.compile.StatementContext;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.expression.function.AvgAggregateFunction;
import org.apache.phoenix.expression.function.CountAggregateFunction;
import org.apache.phoenix.expression.function.SumAggregateFunction;
import org.apache.phoenix.parse.DelegateConstantToCountParseNode;
import org.apache.phoenix.parse.FunctionParseNode;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.schema.tuple.Tuple;

/**
 * Computes an aggregate of a constant from the number of rows. For a column that a view fixes,
 * Phoenix's {@code SumAggregateFunction} multiplies a sum by the constant again, and {@code
 * AvgAggregateFunction} expects each constant to be a DECIMAL. Phoenix's {@code ExpressionCompiler}
 * replaces an aggregate of NULL by NULL (not reported).
 *
 * <p>Example: {@code SELECT SUM(K1) FROM W}, with {@code CREATE VIEW W AS SELECT * FROM T WHERE K1
 * = 4}, returns 64 for four rows.
 */
public privileged aspect ConstantAggregateAspect {

  /** Counts rows for each constant, and only for constants. */
  CountAggregateFunction around(List operands, StatementContext context) :
      execution(CountAggregateFunction DelegateConstantToCountParseNode.getDelegateFunction(
          List, StatementContext))
      && args(operands, context) {
    return Patches.isOn(Patch.CONSTANT_AGGREGATE)
        ? ConstantAggregates.count(operands, context)
        : proceed(operands, context);
  }

  boolean around(SumAggregateFunction sum, Tuple row, ImmutableBytesWritable result) :
      execution(boolean SumAggregateFunction.evaluate(Tuple, ImmutableBytesWritable))
      && this(sum)
      && args(row, result) {
    return sum.isConstantExpression()
            && sum.getDelegate() != sum
            && Patches.isOn(Patch.CONSTANT_AGGREGATE)
        ? ConstantAggregates.sum(sum, sum.getDelegate(), row, result)
        : proceed(sum, row, result);
  }

  boolean around(AvgAggregateFunction average, Tuple row, ImmutableBytesWritable result) :
      execution(boolean AvgAggregateFunction.evaluate(Tuple, ImmutableBytesWritable))
      && this(average)
      && args(row, result) {
    return average.countFunc.isConstantExpression() && Patches.isOn(Patch.CONSTANT_AGGREGATE)
        ? ConstantAggregates.average(average, average.countFunc, row, result)
        : proceed(average, row, result);
  }

  /** Compiles an aggregate of NULL like that of a column that is always null. */
  List around(FunctionParseNode node) throws SQLException :
      call(List FunctionParseNode.validate(List, StatementContext))
      && withincode(Expression ExpressionCompiler.visitLeave(FunctionParseNode, List))
      && target(node) {
    List operands = proceed(node);
    return node.isAggregate() && Patches.isOn(Patch.CONSTANT_AGGREGATE)
        ? ConstantAggregates.withoutNull(operands)
        : operands;
  }

  boolean around(FunctionParseNode node, int operand) throws SQLException :
      call(boolean FunctionParseNode.evalToNullIfParamIsNull(StatementContext, int))
      && withincode(Expression ExpressionCompiler.visitLeave(FunctionParseNode, List))
      && target(node)
      && args(*, operand) {
    return !(operand == 0 && node.isAggregate() && Patches.isOn(Patch.CONSTANT_AGGREGATE))
        && proceed(node, operand);
  }
}
