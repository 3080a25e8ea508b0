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
package org.apache.phoenix.pruning.patch.plan;

import java.sql.SQLException;
import java.util.List;
import org.apache.phoenix.compile.ExpressionProjector;
import org.apache.phoenix.compile.GroupByCompiler.GroupBy;
import org.apache.phoenix.compile.ProjectionCompiler;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.compile.RowProjector;
import org.apache.phoenix.compile.StatementContext;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.iterate.ParallelIteratorFactory;
import org.apache.phoenix.jdbc.PhoenixStatement;
import org.apache.phoenix.optimize.QueryOptimizer;
import org.apache.phoenix.parse.FilterableStatement;
import org.apache.phoenix.parse.SelectStatement;
import org.apache.phoenix.util.SchemaUtil;

/**
 * Gives a statement along a local index the columns, labels and types of the statement on the data
 * table. Phoenix's {@code ProjectionCompiler} looks for the columns of a {@code *} in the index
 * (not reported).
 *
 * <p>Example: {@code SELECT * FROM T WHERE V = 1 AND K = (SELECT MAX(K) FROM T)} along a local
 * index on V returns the columns of the index.
 */
public aspect IndexColumnsAspect {

  // The other patches change the statement first, and its columns get their names then.
  declare precedence : IndexColumnsAspect, ConstantOrderAspect, ConstantJoinAspect;

  FilterableStatement around(QueryPlan dataPlan) :
      call(FilterableStatement QueryPlan.getStatement())
      && withincode(List QueryOptimizer.getApplicablePlansForSingleFlatQuery(
          QueryPlan, PhoenixStatement, List, ParallelIteratorFactory, boolean))
      && target(dataPlan) {
    return IndexColumns.ofTable((SelectStatement) proceed(dataPlan), dataPlan);
  }

  FilterableStatement around(QueryPlan dataPlan) :
      call(FilterableStatement QueryPlan.getStatement())
      && withincode(List QueryOptimizer.getApplicablePlans(
          QueryPlan, PhoenixStatement, List, ParallelIteratorFactory, boolean))
      && target(dataPlan) {
    return IndexColumns.ofJoin((SelectStatement) proceed(dataPlan), dataPlan);
  }

  /** Reads the data table if the columns of a {@code *} in a join have no names of their own. */
  QueryPlan around(QueryPlan dataPlan) throws SQLException :
      call(QueryPlan QueryOptimizer.optimize(PhoenixStatement, QueryPlan))
      && withincode(List QueryOptimizer.getApplicablePlans(
          QueryPlan, PhoenixStatement, List, ParallelIteratorFactory, boolean))
      && args(*, dataPlan) {
    QueryPlan plan = proceed(dataPlan);
    return IndexColumns.areNamed(dataPlan, plan) ? plan : dataPlan;
  }

  /** Gives a column of a {@code T.*} in a join the name of its table, and not that of the join. */
  ExpressionProjector around(
      String name, String label, String table, Expression expression, boolean isCaseSensitive) :
      call(ExpressionProjector.new(String, String, String, Expression, boolean))
      && withincode(static RowProjector ProjectionCompiler.compile(
          StatementContext, SelectStatement, GroupBy, List, Expression, boolean))
      && args(name, label, table, expression, isCaseSensitive) {
    String ofColumn = IndexColumns.tableOf(label);
    if (ofColumn == null) {
      return proceed(name, label, table, expression, isCaseSensitive);
    }
    String column = IndexColumns.labelOf(label);
    return proceed(
        name,
        column,
        ofColumn,
        expression,
        !column.equals(SchemaUtil.normalizeIdentifier(column)));
  }
}
