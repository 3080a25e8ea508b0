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
import org.apache.phoenix.expression.CoerceExpression;
import org.apache.phoenix.expression.ComparisonExpression;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.expression.InListExpression;
import org.apache.phoenix.expression.IsNullExpression;
import org.apache.phoenix.expression.KeyValueColumnExpression;
import org.apache.phoenix.expression.LikeExpression;
import org.apache.phoenix.expression.RowKeyColumnExpression;
import org.apache.phoenix.expression.SingleCellColumnExpression;
import org.apache.phoenix.pruning.predicate.NormalFormVisitor;
import org.apache.phoenix.pruning.where.BoundWhere;
import org.apache.phoenix.schema.AmbiguousColumnException;
import org.apache.phoenix.schema.ColumnNotFoundException;
import org.apache.phoenix.schema.PColumn;
import org.apache.phoenix.schema.PTable;
import org.jspecify.annotations.Nullable;

/**
 * Columns of a table that a WHERE limits to a few constants or to a range. An index can seek by
 * these columns. Immutable.
 */
public final class ColumnConditions {

  /** Conditions of a plan that has no WHERE or that reads an index. */
  private static final ColumnConditions NONE =
      new ColumnConditions(Collections.emptySet(), Collections.emptySet());

  private final Set<PColumn> equal;
  private final Set<PColumn> ranged;

  private ColumnConditions(Set<PColumn> equal, Set<PColumn> ranged) {
    this.equal = Collections.unmodifiableSet(equal);
    this.ranged = Collections.unmodifiableSet(ranged);
  }

  /** Returns the conditions of a plan that scans a table. */
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

  /** Returns the columns that have one of a few values or are null, in the order of the WHERE. */
  public Set<PColumn> equal() {
    return equal;
  }

  /**
   * Returns the columns that are limited to a range, in the order of the WHERE. Excludes the
   * columns of {@link #equal}.
   */
  public Set<PColumn> ranged() {
    return ranged;
  }

  /** Collects the columns from conditions that must all be true. Ignores negated conditions. */
  private static final class Reader extends NormalFormVisitor<Void> {

    private final PTable table;
    private final Set<PColumn> equal = new LinkedHashSet<>();
    private final Set<PColumn> ranged = new LinkedHashSet<>();

    Reader(PTable table) {
      this.table = table;
    }

    void read(Expression condition) {
      visit(condition);
    }

    @Override
    protected Void and(Expression junction, boolean negated) {
      junction.getChildren().forEach(child -> visit(child, negated));
      return null;
    }

    /**
     * Adds the columns that all alternatives of an OR limit. An index can seek only by these
     * columns.
     */
    @Override
    protected Void or(Expression junction, boolean negated) {
      List<Reader> readers =
          junction.getChildren().stream()
              .map(
                  alternative -> {
                    Reader reader = new Reader(table);
                    reader.visit(alternative, negated);
                    return reader;
                  })
              .collect(Collectors.toList());
      equal.addAll(common(readers, reader -> reader.equal));
      ranged.addAll(common(readers, Reader::equalOrRanged));
      return null;
    }

    private Set<PColumn> equalOrRanged() {
      Set<PColumn> equalOrRanged = new LinkedHashSet<>(equal);
      equalOrRanged.addAll(ranged);
      return equalOrRanged;
    }

    private static Set<PColumn> common(
        List<Reader> readers, Function<Reader, Set<PColumn>> columns) {
      Set<PColumn> common = new LinkedHashSet<>(columns.apply(readers.get(0)));
      readers.forEach(reader -> common.retainAll(columns.apply(reader)));
      return common;
    }

    @Override
    protected Void comparison(ComparisonExpression comparison, boolean negated) {
      CompareOperator operator = comparison.getFilterOp();
      if (!negated && operator != CompareOperator.NOT_EQUAL) {
        add(comparison, operator == CompareOperator.EQUAL ? equal : ranged);
      }
      return null;
    }

    @Override
    protected Void in(InListExpression list, boolean negated) {
      if (!negated) {
        add(list, equal);
      }
      return null;
    }

    @Override
    protected Void isNull(IsNullExpression isNull, boolean negated) {
      if (!negated && !isNull.isNegate()) {
        add(isNull, equal);
      }
      return null;
    }

    @Override
    protected Void like(LikeExpression like, boolean negated) {
      if (!negated && !like.startsWithWildcard()) {
        add(like, ranged);
      }
      return null;
    }

    @Override
    protected Void other(Expression expression, boolean negated) {
      return null;
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

    /**
     * Returns the column that an expression reads, or null if the expression is not a column of the
     * table.
     */
    private @Nullable PColumn column(Expression expression) {
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
        KeyValueColumnExpression keyValue = (KeyValueColumnExpression) expression;
        try {
          return table.getColumnForColumnQualifier(
              keyValue.getColumnFamily(), keyValue.getColumnQualifier());
        } catch (ColumnNotFoundException | AmbiguousColumnException e) {
          // This is a dynamic column, which only the statement defines.
          return null;
        }
      }
      return null;
    }
  }
}
