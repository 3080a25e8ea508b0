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
package org.apache.phoenix.pruning.patch.type;

import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.phoenix.compile.ColumnProjector;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.iterate.ParallelIteratorFactory;
import org.apache.phoenix.jdbc.PhoenixStatement;
import org.apache.phoenix.optimize.QueryOptimizer;
import org.apache.phoenix.parse.AliasedNode;
import org.apache.phoenix.parse.SelectStatement;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.pruning.patch.plan.IndexColumns;
import org.apache.phoenix.schema.PDatum;

/**
 * Keeps the column types of a join, or of a query with a subquery, that uses an index. An index
 * stores a nullable BOOLEAN or DATE as DECIMAL. Phoenix's {@code QueryOptimizer} restores the types
 * only for a query of a single table, so a join returns the DECIMAL (not reported).
 *
 * <p>Example: {@code SELECT K, D FROM T WHERE K IN (SELECT K FROM T WHERE K > 1)} along an index on
 * D returns a number for the DATE.
 */
public aspect JoinedTypesAspect {

  QueryPlan around(
      QueryPlan dataPlan, PhoenixStatement statement, List<? extends PDatum> types) :
      call(QueryPlan QueryOptimizer.optimize(
          QueryPlan, PhoenixStatement, List, ParallelIteratorFactory))
      && withincode(QueryPlan QueryOptimizer.optimize(PhoenixStatement, QueryPlan))
      && args(dataPlan, statement, types, *) {
    // A long DECIMAL that Phoenix has cut would be read as a wrong DATE.
    boolean hasTypes =
        Patches.isOn(Patch.JOINED_TYPES, statement.getConnection())
            && Patches.isOn(Patch.LONG_DECIMAL)
            && isJoin(dataPlan);
    return proceed(dataPlan, statement, hasTypes ? types(dataPlan) : types);
  }

  private static boolean isJoin(QueryPlan plan) {
    if (!(plan.getStatement() instanceof SelectStatement)) {
      return false;
    }
    SelectStatement select = (SelectStatement) plan.getStatement();
    return !select.isUnion()
        && (select.isJoin() || (select.getWhere() != null && select.getWhere().hasSubquery()))
        && hasColumnsOf(plan, select);
  }

  /**
   * Returns whether the statement selects the columns of the data plan along each index. With a
   * {@code *} that the patch {@code index-columns} does not replace, an index can have other
   * columns.
   */
  private static boolean hasColumnsOf(QueryPlan plan, SelectStatement select) {
    return select.getSelect().stream().noneMatch(JoinedTypesAspect::isWildcard)
        || IndexColumns.ofJoin(select, plan).getSelect().stream()
            .noneMatch(JoinedTypesAspect::isWildcard);
  }

  private static boolean isWildcard(AliasedNode column) {
    return IndexColumns.isWildcard(column.getNode());
  }

  private static List<PDatum> types(QueryPlan plan) {
    return plan.getProjector() == null
        ? Collections.emptyList()
        : plan.getProjector().getColumnProjectors().stream()
            .map(ColumnProjector::getExpression)
            .collect(Collectors.toList());
  }
}
