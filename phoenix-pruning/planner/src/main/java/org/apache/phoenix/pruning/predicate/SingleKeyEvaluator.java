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
package org.apache.phoenix.pruning.predicate;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.expression.ExpressionType;
import org.apache.phoenix.expression.RowKeyColumnExpression;
import org.apache.phoenix.pruning.key.KeyBounds;
import org.apache.phoenix.schema.PColumn;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.schema.SortOrder;
import org.apache.phoenix.schema.tuple.SingleKeyValueTuple;
import org.apache.phoenix.schema.types.PBoolean;
import org.apache.phoenix.schema.types.PDataType;
import org.apache.phoenix.schema.types.PDecimal;
import org.jspecify.annotations.Nullable;

/**
 * Evaluates conditions for regions in which each key column of the condition has exactly one value.
 * It runs Phoenix's own expression on a row key with these values. {@link KeyColumnCollector}
 * decides which expressions are supported.
 */
final class SingleKeyEvaluator {

  private static final byte[] ANY_TEXT = {1};

  /**
   * A condition that {@link #of} evaluates. It holds a copy of the expression. ORDER BY can share
   * subexpressions of the original, and subexpressions keep the state of a row.
   */
  private static final class Condition {

    private final List<RowKeyColumnExpression> columns;

    /** Copy of the expression, or null if the expression is not supported. */
    private final @Nullable Expression copy;

    /** Number of nodes in the expression. */
    private final int size;

    Condition(List<RowKeyColumnExpression> columns, @Nullable Expression copy, int size) {
      this.columns = columns;
      this.copy = copy;
      this.size = size;
    }
  }

  private final DataKey key;
  private final KeyColumnResolver resolver;
  private final PTable scanned;
  private final Map<Expression, Condition> conditions = new IdentityHashMap<>();

  /**
   * Creates an evaluator for conditions on the columns of one table.
   *
   * @param scanned the table or index whose columns the conditions read
   */
  SingleKeyEvaluator(DataKey key, KeyColumnResolver resolver, PTable scanned) {
    this.key = key;
    this.resolver = resolver;
    this.scanned = scanned;
  }

  /**
   * Returns whether {@link #of} can evaluate {@code condition} for some bounds.
   *
   * @param condition an expression other than AND, OR and NOT
   */
  boolean supports(Expression condition) {
    return condition(condition).copy != null;
  }

  private static int nodes(Expression expression) {
    int nodes = 1;
    for (Expression child : expression.getChildren()) {
      nodes += nodes(child);
    }
    return nodes;
  }

  /**
   * Returns the value of an expression for all rows of a region: true, false or SQL NULL.
   *
   * @return the value, or null if the expression is not supported, a key column may have several
   *     values, or {@code budget} is spent
   */
  @Nullable ValueInterval of(Expression expression, KeyBounds bounds, EvaluationBudget budget) {
    Condition condition = condition(expression);
    Expression copy = condition.copy;
    if (copy == null) {
      return null;
    }
    for (RowKeyColumnExpression column : condition.columns) {
      if (!bounds.column(resolver.resolve(column)).isSingleValue()) {
        return null;
      }
    }
    if (!budget.spend(condition.size)) {
      return null;
    }
    byte[] @Nullable [] values = new byte[scanned.getPKColumns().size()][];
    for (RowKeyColumnExpression column : condition.columns) {
      // Each of the columns has one value.
      byte[] value = Objects.requireNonNull(bounds.column(resolver.resolve(column)).lower());
      values[column.getPosition()] =
          scannedColumn(column).getSortOrder() == SortOrder.DESC
              ? SortOrder.invert(value, 0, value.length)
              : value;
    }
    return evaluate(copy, rowKey(values));
  }

  /**
   * Returns the condition for an expression. It has no copy if the expression is not supported or
   * reads columns outside the key.
   */
  private Condition condition(Expression expression) {
    Condition known = conditions.get(expression);
    if (known == null) {
      KeyColumnCollector collector = new KeyColumnCollector(key, resolver, scanned);
      known =
          expression.getDataType() == PBoolean.INSTANCE
                  && collector.supports(expression)
                  && !collector.columns().isEmpty()
              ? new Condition(collector.columns(), copy(expression), nodes(expression))
              : new Condition(Collections.emptyList(), null, 0);
      conditions.put(expression, known);
    }
    return known;
  }

  /** Returns a copy made by serialization, as a region server receives it. */
  private static Expression copy(Expression expression) {
    try {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      expression.write(new DataOutputStream(bytes));
      Expression copy = ExpressionType.valueOf(expression).newInstance();
      copy.readFields(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())));
      return copy;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private PColumn scannedColumn(RowKeyColumnExpression column) {
    return scanned.getPKColumns().get(column.getPosition());
  }

  /** Returns a row key with {@code values}. A column without a value gets an arbitrary one. */
  private byte[] rowKey(byte[] @Nullable [] values) {
    for (int i = 0; i < values.length; i++) {
      if (values[i] == null) {
        values[i] = anyValue(scanned.getPKColumns().get(i));
      }
    }
    ImmutableBytesWritable rowKey = new ImmutableBytesWritable();
    scanned.newKey(rowKey, values);
    return rowKey.copyBytes();
  }

  private static byte[] anyValue(PColumn column) {
    PDataType<?> type = column.getDataType();
    if (column.isNullable()) {
      return HConstants.EMPTY_BYTE_ARRAY;
    }
    if (type.isFixedWidth()) {
      return new byte[type.getByteSize() == null ? column.getMaxLength() : type.getByteSize()];
    }
    return type == PDecimal.INSTANCE
        ? PDecimal.INSTANCE.toBytes(BigDecimal.ZERO, column.getSortOrder())
        : ANY_TEXT;
  }

  private static ValueInterval evaluate(Expression condition, byte[] rowKey) {
    ImmutableBytesWritable value = new ImmutableBytesWritable();
    KeyValue cell = new KeyValue(rowKey, HConstants.EMPTY_BYTE_ARRAY, HConstants.EMPTY_BYTE_ARRAY);
    reset(condition);
    boolean isKnown = condition.evaluate(new SingleKeyValueTuple(cell), value);
    return isKnown && value.getLength() > 0
        ? ValueInterval.value((Boolean) PBoolean.INSTANCE.toObject(value, condition.getSortOrder()))
        : ValueInterval.NULL;
  }

  /**
   * Clears the state of the previous row. This includes the children of CASE, which CASE itself
   * does not reset.
   */
  private static void reset(Expression expression) {
    expression.reset();
    expression.getChildren().forEach(SingleKeyEvaluator::reset);
  }
}
