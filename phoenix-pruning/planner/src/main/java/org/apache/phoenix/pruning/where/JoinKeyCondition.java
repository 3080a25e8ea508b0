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
package org.apache.phoenix.pruning.where;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.phoenix.expression.AndExpression;
import org.apache.phoenix.expression.ComparisonExpression;
import org.apache.phoenix.expression.Determinism;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.expression.IsNullExpression;
import org.apache.phoenix.expression.LiteralExpression;
import org.apache.phoenix.expression.OrExpression;
import org.apache.phoenix.schema.types.PBinary;
import org.apache.phoenix.schema.types.PBoolean;
import org.apache.phoenix.schema.types.PChar;
import org.apache.phoenix.schema.types.PDataType;

/**
 * Builds conditions on the probe side of a join from keys of the build side. A condition is true
 * for all rows with these keys. It may also be true for other rows.
 */
final class JoinKeyCondition {

  private final List<Expression> probe;
  private final List<Expression> build;

  /**
   * Creates a builder.
   *
   * @param probe the columns of the join on the side that is scanned
   * @param build the columns on the other side, in the same order and of the same types
   */
  JoinKeyCondition(List<Expression> probe, List<Expression> build) {
    this.probe = probe;
    this.build = build;
  }

  /**
   * Returns a condition that is true for the rows with one of {@code keys}.
   *
   * @param keys the ascending bytes of each column, which are empty for null
   */
  Expression isIn(Collection<byte[][]> keys) throws SQLException {
    List<Expression> each = new ArrayList<>();
    for (byte[][] key : keys) {
      each.add(isKey(key));
    }
    return anyOf(each);
  }

  /**
   * Returns a condition that is true for the rows with each column within its ranges.
   *
   * @param ranges the ranges of each column
   */
  Expression isWithin(List<EnclosingRanges> ranges) throws SQLException {
    List<Expression> columns = new ArrayList<>();
    for (int i = 0; i < probe.size(); i++) {
      columns.add(isWithin(ranges.get(i), probe.get(i), build.get(i).getDataType()));
    }
    return allOf(columns);
  }

  private static Expression isWithin(EnclosingRanges ranges, Expression column, PDataType<?> type)
      throws SQLException {
    List<Expression> each = new ArrayList<>();
    if (ranges.hasNull()) {
      each.add(isNull(column));
    }
    for (Map.Entry<byte[], byte[]> range : ranges.lastByFirst().entrySet()) {
      each.add(
          new AndExpression(
              Arrays.asList(
                  compare(column, CompareOperator.GREATER_OR_EQUAL, range.getKey(), type),
                  compare(column, CompareOperator.LESS_OR_EQUAL, range.getValue(), type))));
    }
    return anyOf(each);
  }

  private Expression isKey(byte[][] key) throws SQLException {
    List<Expression> columns = new ArrayList<>();
    for (int i = 0; i < key.length; i++) {
      PDataType<?> type = build.get(i).getDataType();
      columns.add(
          key[i].length == 0
              ? isNull(probe.get(i))
              : compare(probe.get(i), CompareOperator.EQUAL, key[i], type));
    }
    return allOf(columns);
  }

  private static Expression isNull(Expression column) throws SQLException {
    return IsNullExpression.create(column, false, new ImmutableBytesWritable());
  }

  /**
   * Returns a comparison of a column with a value. Returns the constant true if Phoenix changes the
   * value when it converts the value to a literal and back. An example is a CHAR that consists of
   * blanks.
   */
  private static Expression compare(
      Expression column, CompareOperator operator, byte[] ascending, PDataType<?> type)
      throws SQLException {
    Object value = type.toObject(ascending);
    LiteralExpression constant = LiteralExpression.newConstant(value, type, column.getSortOrder());
    return constant.getValue() == null || !isSame(type, type.toBytes(value), ascending)
        ? constant(true)
        : new ComparisonExpression(Arrays.asList(column, constant), operator);
  }

  private static boolean isSame(PDataType<?> type, byte[] one, byte[] other) {
    int length = Math.min(one.length, other.length);
    boolean isPadded = type == PChar.INSTANCE || type == PBinary.INSTANCE;
    return isPadded
        ? Arrays.equals(Arrays.copyOf(one, length), Arrays.copyOf(other, length))
        : Arrays.equals(one, other);
  }

  private static Expression constant(boolean value) throws SQLException {
    return LiteralExpression.newConstant(value, PBoolean.INSTANCE, Determinism.ALWAYS);
  }

  private static Expression allOf(List<Expression> conditions) {
    return conditions.size() == 1 ? conditions.get(0) : new AndExpression(conditions);
  }

  private static Expression anyOf(List<Expression> conditions) throws SQLException {
    if (conditions.isEmpty()) {
      return constant(false);
    }
    return conditions.size() == 1 ? conditions.get(0) : new OrExpression(conditions);
  }
}
