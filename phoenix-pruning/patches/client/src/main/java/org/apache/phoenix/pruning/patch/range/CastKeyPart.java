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
import java.util.Collections;
import java.util.Set;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.phoenix.compile.KeyPart;
import org.apache.phoenix.expression.CoerceExpression;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.expression.LiteralExpression;
import org.apache.phoenix.expression.function.RoundDecimalExpression;
import org.apache.phoenix.expression.function.ScalarFunction;
import org.apache.phoenix.query.KeyRange;
import org.apache.phoenix.schema.ConstraintViolationException;
import org.apache.phoenix.schema.PColumn;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.schema.PTableType;
import org.apache.phoenix.schema.SortOrder;
import org.apache.phoenix.schema.types.PDataType;
import org.apache.phoenix.schema.types.PDate;
import org.apache.phoenix.schema.types.PDecimal;
import org.apache.phoenix.schema.types.PDouble;
import org.apache.phoenix.schema.types.PFloat;
import org.apache.phoenix.schema.types.PLong;
import org.apache.phoenix.schema.types.PTime;
import org.apache.phoenix.schema.types.PTimestamp;
import org.apache.phoenix.schema.types.PVarbinary;
import org.apache.phoenix.util.IndexUtil;
import org.jspecify.annotations.Nullable;

/**
 * Creates the key ranges of comparisons of {@code CAST(column AS type)} with a constant.
 *
 * <p>If the CAST of a value equals the constant, the range is that of a comparison of the column
 * with this value. Otherwise the range has all keys, and the comparison remains in the filter.
 */
public final class CastKeyPart implements KeyPart {

  private final KeyPart column;
  private final CoerceExpression cast;

  private boolean hasRange;
  private boolean isInexact;

  /**
   * Creates a key part for a CAST for which {@link #hasRanges} is true.
   *
   * @param column makes the ranges of the expression that is cast
   */
  public CastKeyPart(KeyPart column, CoerceExpression cast) {
    this.column = column;
    this.cast = cast;
  }

  /**
   * Returns whether {@code expression} is a CAST of a column in a statement, between types of
   * numbers or of times. An index stores a nullable column as another type. For this conversion,
   * the result is false.
   *
   * @param part makes the ranges of the expression that is cast
   */
  public static boolean isOfCast(KeyPart part, CoerceExpression expression) {
    Expression child = expression.getChild();
    if (child instanceof CoerceExpression || child instanceof RoundDecimalExpression) {
      return true;
    }
    PDataType from = child.getDataType();
    PDataType to = expression.getDataType();
    boolean isOfIndex =
        part.getTable().getType() == PTableType.INDEX
            && IndexUtil.getIndexColumnDataType(true, to) == from;
    return !isOfIndex
        && !(child instanceof ScalarFunction)
        && from != to
        && (isNumber(from) && isNumber(to) || isTime(from) && isTime(to));
  }

  private static boolean isNumber(PDataType type) {
    return type.isCoercibleTo(PDecimal.INSTANCE) && !isTime(type);
  }

  private static boolean isTime(PDataType type) {
    return type.isCoercibleTo(PTimestamp.INSTANCE);
  }

  /**
   * Returns whether different values have different CASTs in the same order, so that a range of
   * CASTs is a range of values.
   */
  public static boolean hasRanges(CoerceExpression cast) {
    PDataType from = cast.getChild().getDataType();
    PDataType to = cast.getDataType();
    if (cast.getChild() instanceof RoundDecimalExpression) {
      return false;
    }
    if (from == to) {
      return true;
    }
    if (isTime(from) || isTime(to)) {
      return isMilliseconds(from) && isTime(to);
    }
    if (isWhole(to)) {
      return isWhole(from);
    }
    if (to == PDecimal.INSTANCE) {
      return isNumber(from);
    }
    // A DOUBLE has all values of an INTEGER, and a FLOAT those of a SMALLINT.
    if (to.isCoercibleTo(PFloat.INSTANCE)) {
      return isWhole(from) && from.getByteSize() <= Short.BYTES;
    }
    return to.isCoercibleTo(PDouble.INSTANCE)
        && (isWhole(from) ? from.getByteSize() <= Integer.BYTES : from.isCoercibleTo(to));
  }

  private static boolean isWhole(PDataType type) {
    return type.isCoercibleTo(PLong.INSTANCE) && !isTime(type);
  }

  private static boolean isMilliseconds(PDataType type) {
    return type.isCoercibleTo(PDate.INSTANCE) || type.isCoercibleTo(PTime.INSTANCE);
  }

  @Override
  public KeyRange getKeyRange(CompareOperator operator, Expression constant) {
    LiteralExpression value = valueOf(constant);
    KeyRange range =
        value == null ? KeyRange.EVERYTHING_RANGE : column.getKeyRange(operator, value);
    hasRange = true;
    isInexact |= value == null;
    return range;
  }

  /** Returns the value of the column whose CAST is {@code constant}, or null if there is none. */
  private @Nullable LiteralExpression valueOf(Expression constant) {
    ImmutableBytesWritable bytes = new ImmutableBytesWritable();
    if (!constant.evaluate(null, bytes) || bytes.getLength() == 0) {
      return null;
    }
    PDataType to = cast.getDataType();
    // The constants of an IN list are bytes of the CAST's type, and are declared as VARBINARY.
    PDataType type = constant.getDataType() == PVarbinary.INSTANCE ? to : constant.getDataType();
    PDataType from = cast.getChild().getDataType();
    try {
      Object result = to.toObject(type.toObject(bytes, constant.getSortOrder()), type);
      Object value = from.toObject(result, to);
      Object again = to.toObject(value, from);
      return to.compareTo(again, result, to) == 0
          ? LiteralExpression.newConstant(value, from, SortOrder.ASC)
          : null;
    } catch (ConstraintViolationException
        | ArithmeticException
        | NumberFormatException
        | SQLException e) {
      // The column's type has no such value.
      return null;
    }
  }

  @Override
  public Set<Expression> getExtractNodes() {
    return hasRange && !isInexact ? Collections.singleton(cast) : Collections.emptySet();
  }

  @Override
  public PColumn getColumn() {
    return column.getColumn();
  }

  @Override
  public PTable getTable() {
    return column.getTable();
  }
}
