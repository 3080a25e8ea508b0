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
package org.apache.phoenix.pruning.plan;

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
import org.apache.phoenix.pruning.predicate.TransitiveEquality;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.util.IndexUtil;

/**
 * What joins say about the rows of a scan that can be in their result. The scan does not test it:
 * it only tells where no such row is.
 */
public final class JoinConditions {

  /** Where the context of a scan keeps them. */
  public interface Holder {
    JoinConditions getJoinConditions();
  }

  private final Map<Integer, JoinKeys> keysByJoin = new ConcurrentHashMap<>();
  private final List<Expression> transitive = new CopyOnWriteArrayList<>();
  private final Set<String> dynamicColumns = new CopyOnWriteArraySet<>();

  /** Null if joins know the columns as they are scanned. */
  private volatile TupleProjector projector;

  /** How the columns that joins know are made of those that are scanned. */
  public void setProjector(TupleProjector projector) {
    this.projector = projector;
  }

  /** Announces columns of a join of {@code index} of which an execution will find the keys. */
  public void announce(PTable index, List<Expression> probe) {
    for (Expression column : probe) {
      Expression scanned = scanned(column);
      if (readsDataKey(index, scanned)) {
        dynamicColumns.add(scanned.toString());
      }
    }
  }

  /** Those that were announced and are in the data row key, for EXPLAIN. */
  Collection<String> dynamicColumns() {
    return dynamicColumns;
  }

  /**
   * Keeps the keys that an execution of a join will find, in the place of those of the one before.
   *
   * @param probe the columns of the join on the side that is scanned
   * @param build those of the other one, in the same order and each of the same type
   * @return null if no column of the data row key is one of the join
   */
  public JoinKeys expectKeys(
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

  /**
   * Tells a scan of {@code index} what another one says of columns that are equal.
   *
   * @param equalColumns of the scan that is told, each equal to the one of {@code columns} that has
   *     its place
   */
  public static void tell(
      StatementContext from,
      List<Expression> columns,
      StatementContext told,
      PTable index,
      List<Expression> equalColumns)
      throws SQLException {
    BoundWhere where = ((BoundWhere.Holder) (Object) from).getBoundWhere();
    if (where == null) {
      return;
    }
    JoinConditions ofFrom = of(from);
    JoinConditions ofTold = of(told);
    for (int i = 0; i < columns.size(); i++) {
      Expression equal = ofTold.scanned(equalColumns.get(i));
      if (readsDataKey(index, equal)) {
        ofTold.transitive.addAll(
            new TransitiveEquality(ofFrom.scanned(columns.get(i)), equal)
                .conditions(where.expression()));
      }
    }
  }

  /** Those of the scan of a context. */
  static JoinConditions of(StatementContext context) {
    return ((Holder) (Object) context).getJoinConditions();
  }

  /** The conditions that are known by now. */
  List<Expression> known() throws SQLException {
    List<Expression> known = new ArrayList<>(transitive);
    for (JoinKeys keys : keysByJoin.values()) {
      if (keys.isComplete()) {
        known.add(keys.condition());
      }
    }
    return known;
  }

  /** An expression over the columns that joins know, over those that are scanned. */
  private Expression scanned(Expression expression) {
    return projected(expression, projector);
  }

  /**
   * Expressions over the columns that a projection makes, over those that it makes them of.
   *
   * @param projector null if there is none
   */
  public static List<Expression> projected(List<Expression> expressions, TupleProjector projector) {
    return expressions.stream()
        .map(expression -> projected(expression, projector))
        .collect(Collectors.toList());
  }

  private static Expression projected(Expression expression, TupleProjector projector) {
    return projector == null ? expression : expression.accept(new Projected(projector));
  }

  /** The row key of an index has its own columns, and those of the data row key. */
  private static boolean isOfDataKey(PTable index, RowKeyColumnExpression column) {
    String name = index.getPKColumns().get(column.getPosition()).getName().getString();
    return name.startsWith(IndexUtil.INDEX_COLUMN_NAME_SEP);
  }

  private static boolean readsDataKey(PTable index, Expression expression) {
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

    /** Columns behind those of the scan are of tables that were joined before. */
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
