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
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.stream.Collectors;
import org.apache.phoenix.compile.StatementContext;
import org.apache.phoenix.execute.TupleProjector;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.expression.ProjectedColumnExpression;
import org.apache.phoenix.expression.RowKeyColumnExpression;
import org.apache.phoenix.expression.RowValueConstructorExpression;
import org.apache.phoenix.expression.visitor.CloneExpressionVisitor;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.util.IndexUtil;
import org.jspecify.annotations.Nullable;

/**
 * Conditions that a row of a scan must meet to be in the result of the joins. The scan does not
 * test these conditions. Planning uses them to prune regions without such a row.
 */
public final class JoinConditions {

  /** Stores the join conditions in the context of a scan. */
  public interface Holder {
    JoinConditions getJoinConditions();
  }

  private final Map<Integer, JoinKeys> keysByJoin = new ConcurrentHashMap<>();
  private final List<Expression> transitive = new CopyOnWriteArrayList<>();
  private final Set<String> dynamicColumns = new CopyOnWriteArraySet<>();

  /** Projection of the scanned columns, or null if joins use the scanned columns directly. */
  private volatile @Nullable TupleProjector projector;

  /** Sets the projection that computes the columns of joins from the scanned columns. */
  public void setProjector(TupleProjector projector) {
    this.projector = projector;
  }

  /** Announces columns of a join of {@code index} whose keys will be found at execution. */
  public void announce(PTable index, List<Expression> probe) {
    for (Expression column : probe) {
      Expression scanned = scanned(column);
      if (readsDataKey(index, scanned)) {
        dynamicColumns.add(scanned.toString());
      }
    }
  }

  /** Returns the announced columns that read the data row key, for EXPLAIN. */
  public Collection<String> dynamicColumns() {
    return dynamicColumns;
  }

  /**
   * Creates the keys that the next execution of a join will find, and drops the keys of the
   * previous execution.
   *
   * @param probe the columns of the join on the side that is scanned
   * @param build the columns on the other side, in the same order and of the same types
   * @return the keys, or null if no column of the join reads the data row key
   */
  public @Nullable JoinKeys expectKeys(
      PTable index, int join, List<Expression> probe, List<Expression> build) {
    List<Expression> keyColumns = new ArrayList<>();
    List<Expression> values = new ArrayList<>();
    for (int i = 0; i < probe.size(); i++) {
      Expression scanned = scanned(probe.get(i));
      if (readsDataKey(index, scanned)) {
        keyColumns.add(scanned);
        values.add(build.get(i));
      }
    }
    keysByJoin.remove(join);
    if (keyColumns.isEmpty()) {
      return null;
    }
    JoinKeys keys = new JoinKeys(keyColumns, values);
    keysByJoin.put(join, keys);
    return keys;
  }

  /** Adds conditions that follow from the WHERE of another scan. */
  public void add(List<Expression> conditions) {
    transitive.addAll(conditions);
  }

  /** Returns the join conditions of the scan that {@code context} belongs to. */
  public static JoinConditions of(StatementContext context) {
    return ((Holder) (Object) context).getJoinConditions();
  }

  /** Returns the conditions that are known so far. */
  public List<Expression> known() throws SQLException {
    List<Expression> known = new ArrayList<>(transitive);
    for (JoinKeys keys : keysByJoin.values()) {
      if (keys.isComplete()) {
        known.add(keys.condition());
      }
    }
    return known;
  }

  /** Rewrites an expression over the columns of joins as one over the scanned columns. */
  public Expression scanned(Expression expression) {
    return projected(expression, projector);
  }

  /**
   * Rewrites expressions over the columns of a projection as expressions over the columns that the
   * projection reads.
   *
   * @param projector the projection, or null if there is none
   */
  public static List<Expression> projected(
      List<Expression> expressions, @Nullable TupleProjector projector) {
    return expressions.stream()
        .map(expression -> projected(expression, projector))
        .collect(Collectors.toList());
  }

  private static Expression projected(Expression expression, @Nullable TupleProjector projector) {
    return projector == null ? expression : expression.accept(new Projected(projector));
  }

  /**
   * Returns whether a column of an index row key belongs to the data row key. The others are
   * indexed columns.
   */
  private static boolean isOfDataKey(PTable index, RowKeyColumnExpression column) {
    String name = index.getPKColumns().get(column.getPosition()).getName().getString();
    return name.startsWith(IndexUtil.INDEX_COLUMN_NAME_SEP);
  }

  /** Returns whether an expression over the columns of an index reads the data row key. */
  public static boolean readsDataKey(PTable index, Expression expression) {
    if (expression instanceof RowKeyColumnExpression) {
      return isOfDataKey(index, (RowKeyColumnExpression) expression);
    }
    // Row values are compared as the bytes of all their columns.
    return !(expression instanceof RowValueConstructorExpression)
        && expression.getChildren().stream().anyMatch(child -> readsDataKey(index, child));
  }

  private static final class Projected extends CloneExpressionVisitor {

    private final Expression[] projected;

    Projected(TupleProjector projector) {
      this.projected = projector.getExpressions();
    }

    /**
     * Replaces a column of the scan with its expression. Columns at later positions belong to
     * tables that were joined before, and are kept.
     */
    @Override
    public Expression visit(ProjectedColumnExpression column) {
      int position = column.getPosition();
      return position < projected.length ? projected[position] : column;
    }

    @Override
    public boolean isCloneNode(Expression node, List<Expression> children) {
      return true;
    }
  }
}
