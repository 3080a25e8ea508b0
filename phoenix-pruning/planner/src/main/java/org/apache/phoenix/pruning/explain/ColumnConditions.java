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
package org.apache.phoenix.pruning.explain;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.phoenix.execute.BaseQueryPlan;
import org.apache.phoenix.expression.AndExpression;
import org.apache.phoenix.expression.CoerceExpression;
import org.apache.phoenix.expression.ComparisonExpression;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.expression.InListExpression;
import org.apache.phoenix.expression.IsNullExpression;
import org.apache.phoenix.expression.KeyValueColumnExpression;
import org.apache.phoenix.expression.LikeExpression;
import org.apache.phoenix.expression.OrExpression;
import org.apache.phoenix.expression.RowKeyColumnExpression;
import org.apache.phoenix.expression.SingleCellColumnExpression;
import org.apache.phoenix.pruning.plan.BoundWhere;
import org.apache.phoenix.schema.AmbiguousColumnException;
import org.apache.phoenix.schema.ColumnNotFoundException;
import org.apache.phoenix.schema.PColumn;
import org.apache.phoenix.schema.PTable;

/**
 * Which columns of a table a WHERE compares with constants in a way that an index can seek by: each
 * row that matches has one of a few values in them, or one of a range. Immutable.
 */
public final class ColumnConditions {

  /** Those of a plan without a WHERE, and of one that reads an index. */
  private static final ColumnConditions NONE =
      new ColumnConditions(Collections.emptySet(), Collections.emptySet());

  private final Set<PColumn> equal;
  private final Set<PColumn> ranged;

  private ColumnConditions(Set<PColumn> equal, Set<PColumn> ranged) {
    this.equal = Collections.unmodifiableSet(equal);
    this.ranged = Collections.unmodifiableSet(ranged);
  }

  /** Those of a plan that scans a table. */
  static ColumnConditions of(BaseQueryPlan plan) {
    PTable table = plan.getTableRef().getTable();
    BoundWhere where = ((BoundWhere.Holder) (Object) plan.getContext()).getBoundWhere();
    if (where == null
        || where.expression() == null
        || !where.table().getName().equals(table.getName())) {
      return NONE;
    }
    Reader reader = new Reader(table);
    reader.read(where.expression());
    reader.ranged.removeAll(reader.equal);
    return new ColumnConditions(reader.equal, reader.ranged);
  }

  /** Columns that have one of a few values, or are null, in the order of the WHERE. */
  public Set<PColumn> equal() {
    return equal;
  }

  /** Other columns whose values lie in a range, in the order of the WHERE. */
  public Set<PColumn> ranged() {
    return ranged;
  }

  /** Goes through the conditions that must all be true. */
  private static final class Reader {

    private final PTable table;
    private final Set<PColumn> equal = new LinkedHashSet<>();
    private final Set<PColumn> ranged = new LinkedHashSet<>();

    Reader(PTable table) {
      this.table = table;
    }

    void read(Expression condition) {
      if (condition instanceof AndExpression) {
        condition.getChildren().forEach(this::read);
      } else if (condition instanceof OrExpression) {
        readAny(condition.getChildren());
      } else if (isEquality(condition)) {
        add(condition, equal);
      } else if (isRange(condition)) {
        add(condition, ranged);
      }
    }

    /** Only alternatives of the same column can be sought. */
    private void readAny(List<Expression> alternatives) {
      List<Reader> readers =
          alternatives.stream()
              .map(
                  alternative -> {
                    Reader reader = new Reader(table);
                    reader.read(alternative);
                    return reader;
                  })
              .collect(Collectors.toList());
      equal.addAll(common(readers, reader -> reader.equal));
      ranged.addAll(common(readers, Reader::sought));
    }

    private Set<PColumn> sought() {
      Set<PColumn> sought = new LinkedHashSet<>(equal);
      sought.addAll(ranged);
      return sought;
    }

    private static Set<PColumn> common(
        List<Reader> readers, Function<Reader, Set<PColumn>> columns) {
      Set<PColumn> common = new LinkedHashSet<>(columns.apply(readers.get(0)));
      readers.forEach(reader -> common.retainAll(columns.apply(reader)));
      return common;
    }

    private static boolean isEquality(Expression condition) {
      return condition instanceof InListExpression
          || condition instanceof IsNullExpression && !((IsNullExpression) condition).isNegate()
          || condition instanceof ComparisonExpression
              && ((ComparisonExpression) condition).getFilterOp() == CompareOperator.EQUAL;
    }

    private static boolean isRange(Expression condition) {
      return condition instanceof LikeExpression
              && !((LikeExpression) condition).startsWithWildcard()
          || condition instanceof ComparisonExpression
              && ((ComparisonExpression) condition).getFilterOp() != CompareOperator.NOT_EQUAL;
    }

    private void add(Expression condition, Set<PColumn> columns) {
      List<Expression> terms = condition.getChildren();
      PColumn column = column(terms.get(0));
      boolean isConstant =
          terms.subList(1, terms.size()).stream().allMatch(Expression::isStateless);
      if (column != null && isConstant) {
        columns.add(column);
      }
    }

    /** Null if the expression is no column of the table. */
    private PColumn column(Expression expression) {
      if (expression instanceof CoerceExpression) {
        return column(expression.getChildren().get(0));
      }
      if (expression instanceof SingleCellColumnExpression) {
        return column(((SingleCellColumnExpression) expression).getKeyValueExpression());
      }
      if (expression instanceof RowKeyColumnExpression) {
        return table.getPKColumns().get(((RowKeyColumnExpression) expression).getPosition());
      }
      if (expression instanceof KeyValueColumnExpression) {
        KeyValueColumnExpression stored = (KeyValueColumnExpression) expression;
        try {
          return table.getColumnForColumnQualifier(
              stored.getColumnFamily(), stored.getColumnQualifier());
        } catch (ColumnNotFoundException | AmbiguousColumnException e) {
          // One that the statement defines itself.
          return null;
        }
      }
      return null;
    }
  }
}
