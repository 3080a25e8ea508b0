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

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.phoenix.expression.CoerceExpression;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.expression.InListExpression;
import org.apache.phoenix.expression.KeyValueColumnExpression;
import org.apache.phoenix.expression.LiteralExpression;
import org.apache.phoenix.expression.ProjectedColumnExpression;
import org.apache.phoenix.expression.RowKeyColumnExpression;
import org.apache.phoenix.expression.function.ArrayAnyComparisonExpression;
import org.apache.phoenix.expression.function.InvertFunction;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.schema.types.PBoolean;
import org.apache.phoenix.schema.types.PChar;
import org.apache.phoenix.schema.types.PDataType;
import org.apache.phoenix.schema.types.PVarchar;
import org.apache.phoenix.util.IndexUtil;
import org.jspecify.annotations.Nullable;

/**
 * Columns that are not part of the data row key, but whose conditions can limit it together with
 * other conditions. For example, {@code V = 2 AND (V, K) > (2, 85)} implies {@code K > 85}.
 *
 * <p>A column is used only if the WHERE reads it more than once, or compares it with an array. In
 * addition, some condition must read a key column together with such a column. Other statements
 * have no columns here, so their planning costs nothing extra.
 */
public final class NonKeyColumns {

  /** No columns. */
  static final NonKeyColumns NONE = new NonKeyColumns(Collections.emptyList(), 0);

  /** Maximum number of columns. Others are treated as if they may have any value. */
  private static final int MAX_COLUMNS = 8;

  /** Columns with the casts that change the encoding, but without other casts. */
  private final List<Expression> columns;

  /** Position of the last column in the row key of the scanned table. */
  private final int lastPosition;

  private NonKeyColumns(List<Expression> columns, int lastPosition) {
    this.columns = columns;
    this.lastPosition = lastPosition;
  }

  /**
   * Returns the columns that can limit the key.
   *
   * @param conditions conditions that must all be true
   * @param scanned the table or index whose columns the conditions read
   */
  public static NonKeyColumns of(
      Collection<Expression> conditions, KeyColumnResolver resolver, PTable scanned) {
    Collector collector = new Collector(resolver);
    for (Expression condition : conditions) {
      collector.collect(condition);
    }
    List<Expression> columns = collector.columns();
    return columns.isEmpty() ? NONE : new NonKeyColumns(columns, scanned.getPKColumns().size() - 1);
  }

  public boolean isEmpty() {
    return columns.isEmpty();
  }

  int size() {
    return columns.size();
  }

  PDataType<?> type(int index) {
    return columns.get(index).getDataType();
  }

  /** Returns the number of the column whose value {@code expression} has, or -1. */
  int indexOf(Expression expression) {
    if (columns.isEmpty()) {
      return -1;
    }
    Expression column = withoutCasts(expression);
    int index = columns.indexOf(column);
    return index >= 0 && isOfSameRow(columns.get(index), column) ? index : -1;
  }

  /**
   * Returns whether two equal columns are read from the same projected row. The position of a
   * {@link ProjectedColumnExpression} counts within its row.
   */
  static boolean isOfSameRow(Expression one, Expression other) {
    return !(one instanceof ProjectedColumnExpression)
        || !(other instanceof ProjectedColumnExpression)
        || ((ProjectedColumnExpression) one).getColumns()
            == ((ProjectedColumnExpression) other).getColumns();
  }

  /** Returns the term for a column, or null if {@code expression} is none of the columns. */
  @Nullable KeyTerm term(Expression expression) {
    int index = indexOf(expression);
    if (index < 0) {
      return null;
    }
    int column = KeyTerms.nonKey(index);
    PDataType<?> type = type(index);
    return type == PChar.INSTANCE
        ? new UnpaddedTextTerm(column, expression.getSortOrder())
        : new ColumnTerm(column, type, null);
  }

  /**
   * Returns whether a separator byte ends the values of a VARCHAR column in the row key of the
   * scanned table. Such values cannot contain that byte.
   */
  boolean isSeparated(Expression expression) {
    Expression column = withoutCasts(expression);
    return column instanceof RowKeyColumnExpression
        && ((RowKeyColumnExpression) column).getPosition() < lastPosition;
  }

  /** Removes casts and inversions that keep the value of a column. */
  private static Expression withoutCasts(Expression expression) {
    Expression column = expression;
    while (keepsValue(column)) {
      column = column.getChildren().get(0);
    }
    return column;
  }

  private static boolean keepsValue(Expression expression) {
    return expression instanceof InvertFunction
        || (expression instanceof CoerceExpression
            && ColumnTypes.keepsValue(
                expression.getChildren().get(0).getDataType(), expression.getDataType()));
  }

  /** Collects the columns of conditions. */
  private static final class Collector {

    private final KeyColumnResolver resolver;
    private final Map<Expression, Integer> indexes = new HashMap<>();
    private final List<Expression> all = new ArrayList<>();
    private final BitSet repeated = new BitSet();

    /** Columns that some condition reads together with a key column. */
    private final BitSet withKey = new BitSet();

    private final BitSet ofCondition = new BitSet();
    private boolean readsKey;

    Collector(KeyColumnResolver resolver) {
      this.resolver = resolver;
    }

    void collect(Expression condition) {
      ofCondition.clear();
      readsKey = false;
      visit(condition);
      if (readsKey) {
        withKey.or(ofCondition);
      }
    }

    /** Returns the columns that are read repeatedly, or none if none is read with a key column. */
    List<Expression> columns() {
      if (!withKey.intersects(repeated)) {
        return Collections.emptyList();
      }
      List<Expression> columns = new ArrayList<>();
      for (int i = repeated.nextSetBit(0);
          i >= 0 && columns.size() < MAX_COLUMNS;
          i = repeated.nextSetBit(i + 1)) {
        columns.add(all.get(i));
      }
      return columns;
    }

    private void visit(Expression expression) {
      if (expression instanceof LiteralExpression) {
        return;
      }
      Expression column = withoutCasts(expression);
      RowKeyColumnExpression ofRowKey = ofRowKey(column);
      if (ofRowKey != null && resolver.resolve(ofRowKey) >= 0) {
        readsKey = true;
      } else if ((ofRowKey != null || isStored(column)) && isSupported(column.getDataType())) {
        add(column);
      } else if (expression instanceof InListExpression) {
        // The other children are constants.
        visit(expression.getChildren().get(0));
      } else if (expression instanceof ArrayAnyComparisonExpression) {
        // The column is compared with each element of the array.
        expression.getChildren().forEach(this::visit);
        expression.getChildren().forEach(this::visit);
      } else {
        expression.getChildren().forEach(this::visit);
      }
    }

    private void add(Expression column) {
      Integer known = indexes.putIfAbsent(column, all.size());
      if (known == null) {
        ofCondition.set(all.size());
        all.add(column);
      } else {
        ofCondition.set(known);
        repeated.set(known);
      }
    }

    /**
     * Returns the row key column that {@code column} reads, or null for other expressions. If the
     * index stores another type than the table, the row key column is cast to the type of the
     * table.
     */
    private static @Nullable RowKeyColumnExpression ofRowKey(Expression column) {
      if (column instanceof RowKeyColumnExpression) {
        return (RowKeyColumnExpression) column;
      }
      Expression cast = column instanceof CoerceExpression ? column.getChildren().get(0) : null;
      return cast instanceof RowKeyColumnExpression
              && IndexUtil.getIndexColumnDataType(true, column.getDataType()) == cast.getDataType()
          ? (RowKeyColumnExpression) cast
          : null;
    }

    /** Returns whether {@code expression} is a column that a scan reads from cells. */
    private static boolean isStored(Expression expression) {
      // A column that an index does not cover is a ProjectedColumnExpression.
      return expression instanceof KeyValueColumnExpression
          || expression instanceof ProjectedColumnExpression;
    }

    private static boolean isSupported(PDataType<?> type) {
      return ColumnTypes.isExactNumber(type)
          || ColumnTypes.isFloatingPoint(type)
          || ColumnTypes.isTime(type)
          || type == PChar.INSTANCE
          || type == PVarchar.INSTANCE
          || type == PBoolean.INSTANCE;
    }
  }

  @Override
  public String toString() {
    return columns.toString();
  }
}
