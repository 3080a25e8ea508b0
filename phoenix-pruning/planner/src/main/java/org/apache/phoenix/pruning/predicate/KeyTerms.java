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

import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;
import org.apache.phoenix.expression.CoerceExpression;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.expression.LiteralExpression;
import org.apache.phoenix.expression.RowKeyColumnExpression;
import org.apache.phoenix.expression.function.InvertFunction;
import org.apache.phoenix.expression.function.RTrimFunction;
import org.apache.phoenix.expression.function.RoundDateExpression;
import org.apache.phoenix.expression.function.RoundDecimalExpression;
import org.apache.phoenix.expression.function.ScalarFunction;
import org.apache.phoenix.expression.function.SubstrFunction;
import org.apache.phoenix.pruning.key.KeySpace;
import org.apache.phoenix.pruning.key.ValueRange;
import org.apache.phoenix.schema.SortOrder;
import org.apache.phoenix.schema.types.PDataType;
import org.apache.phoenix.schema.types.PDecimal;
import org.apache.phoenix.schema.types.PVarchar;
import org.jspecify.annotations.Nullable;

/** Recognizes the terms of a WHERE clause that depend on one column. */
final class KeyTerms {

  private final DataKey key;
  private final KeyColumnResolver resolver;
  private final NonKeyColumns nonKeyColumns;
  private final Predicate<RowKeyColumnExpression> isOfKey;

  /** Creates the terms of key columns. */
  KeyTerms(DataKey key, KeyColumnResolver resolver) {
    this(key, resolver, NonKeyColumns.NONE);
  }

  /** Creates the terms of key columns and of {@code nonKeyColumns}. */
  KeyTerms(DataKey key, KeyColumnResolver resolver, NonKeyColumns nonKeyColumns) {
    this.key = key;
    this.resolver = resolver;
    this.nonKeyColumns = nonKeyColumns;
    this.isOfKey = column -> resolver.resolve(column) >= 0;
  }

  /**
   * Converts between the number of a non-key column and {@link KeyTerm#column}, in both directions.
   */
  static int nonKey(int index) {
    return -1 - index;
  }

  /** Returns the term for {@code expression}, or null if it is not supported. */
  @Nullable KeyTerm of(Expression expression) {
    KeyTerm column = column(expression);
    if (column != null || !(expression instanceof ScalarFunction)) {
      return column;
    }
    Expression argument = expression.getChildren().get(0);
    KeyTerm ofArgument = column(argument);
    boolean rounds =
        expression instanceof RoundDateExpression || expression instanceof RoundDecimalExpression;
    if (!(ofArgument instanceof ColumnTerm)
        || (rounds && argument.getSortOrder() == SortOrder.DESC)) {
      // Rounding a descending TIMESTAMP does not clear the nanoseconds, so comparisons of the
      // result can be wrong.
      return null;
    }
    return ofFunction((ScalarFunction) expression, (ColumnTerm) ofArgument);
  }

  /**
   * Returns the term for an expression that has the value of a column, or null for another
   * expression.
   */
  @Nullable KeyTerm column(Expression expression) {
    int index = columnOf(expression);
    return index >= 0 ? new ColumnTerm(index, key.column(index)) : nonKeyColumns.term(expression);
  }

  /**
   * Returns whether a separator byte ends the values of a VARCHAR column that is not part of the
   * data row key.
   */
  boolean isSeparated(Expression nonKeyColumn) {
    return nonKeyColumns.isSeparated(nonKeyColumn);
  }

  /** Returns the type of the column of {@code term}. */
  PDataType<?> type(KeyTerm term) {
    int column = term.column();
    return column >= 0 ? key.column(column).getDataType() : nonKeyColumns.type(nonKey(column));
  }

  /** Returns the rows in which the column of {@code term} has one of {@code values}. */
  KeySpace where(KeyTerm term, Collection<ValueRange> values) {
    int column = term.column();
    return column >= 0
        ? key.where(column, values)
        : KeySpace.ofNonKey(key.layout(), nonKey(column), values);
  }

  private static @Nullable KeyTerm ofFunction(ScalarFunction function, ColumnTerm column) {
    PDataType<?> columnType = column.type();
    List<Expression> arguments = function.getChildren();
    if (function instanceof SubstrFunction && columnType == PVarchar.INSTANCE) {
      return substring(column, arguments);
    }
    if (function instanceof RTrimFunction && columnType == PVarchar.INSTANCE) {
      return new RightTrimTerm(column);
    }
    if (function instanceof RoundDecimalExpression && columnType == PDecimal.INSTANCE) {
      Integer scale = scale(arguments.get(1));
      return scale == null ? null : new DecimalRoundingTerm(column, scale);
    }
    if (function instanceof RoundDateExpression && ColumnTypes.isTime(columnType)) {
      return new TimeRoundingTerm(
          column, (RoundDateExpression) function, columnType, ColumnTypes.isSignedTime(columnType));
    }
    return null;
  }

  /**
   * Returns the scale of a rounding function, or null if it is not a numeric literal. Without a
   * scale, Phoenix rounds to integers.
   */
  private static @Nullable Integer scale(Expression expression) {
    return isNullLiteral(expression) ? Integer.valueOf(0) : intLiteral(expression);
  }

  private static boolean isNullLiteral(Expression expression) {
    return expression instanceof LiteralExpression
        && ((LiteralExpression) expression).getValue() == null;
  }

  private static @Nullable KeyTerm substring(ColumnTerm column, List<Expression> arguments) {
    Integer offset = intLiteral(arguments.get(1));
    if (offset == null || offset < 0 || offset > 1) {
      return null;
    }
    Expression length = arguments.get(2);
    if (isNullLiteral(length)) {
      return column;
    }
    Integer characters = intLiteral(length);
    return characters == null || characters < 1 ? null : new SubstringTerm(column, characters);
  }

  /** Returns the value of a numeric literal, or null for any other expression. */
  private static @Nullable Integer intLiteral(Expression expression) {
    Object value =
        expression instanceof LiteralExpression
            ? ((LiteralExpression) expression).getValue()
            : null;
    return value instanceof Number ? Integer.valueOf(((Number) value).intValue()) : null;
  }

  /**
   * Returns the index of the column whose value {@code expression} has, in any sort order, or -1 if
   * there is none.
   */
  int columnOf(Expression expression) {
    if (expression instanceof RowKeyColumnExpression) {
      int index = resolver.resolve((RowKeyColumnExpression) expression);
      return index >= 0
              && ColumnTypes.keepsValue(key.column(index).getDataType(), expression.getDataType())
          ? index
          : -1;
    }
    if (expression instanceof InvertFunction) {
      return columnOf(expression.getChildren().get(0));
    }
    if (!(expression instanceof CoerceExpression)) {
      return -1;
    }
    Expression child = expression.getChildren().get(0);
    if (!(child instanceof RowKeyColumnExpression) && !(child instanceof CoerceExpression)) {
      return -1;
    }
    int index = columnOf(child);
    return index >= 0
            && ColumnTypes.keepsValue(key.column(index).getDataType(), expression.getDataType())
        ? index
        : -1;
  }

  /** Returns whether {@code expression} depends on a key column. */
  boolean mentionsKey(Expression expression) {
    return RowKeyColumns.anyMatch(expression, isOfKey);
  }
}
