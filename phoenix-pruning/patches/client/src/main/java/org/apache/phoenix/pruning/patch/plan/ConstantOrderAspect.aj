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

import java.util.List;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.iterate.ParallelIteratorFactory;
import org.apache.phoenix.jdbc.PhoenixStatement;
import org.apache.phoenix.optimize.QueryOptimizer;
import org.apache.phoenix.parse.FilterableStatement;
import org.apache.phoenix.parse.SelectStatement;

/**
 * Removes a column that a view fixes from the ORDER BY of a statement along an index. Phoenix's
 * {@code IndexStatementRewriter} replaces the column with its value, and an integer in an ORDER BY
 * is the position of a column (not reported).
 *
 * <p>Example: {@code SELECT K2, V FROM W ORDER BY K1, K2} along an index of T on V, with {@code
 * CREATE VIEW W AS SELECT * FROM T WHERE K1 = 2}, sorts by V.
 */
public aspect ConstantOrderAspect {

  FilterableStatement around(QueryPlan dataPlan) :
      call(FilterableStatement QueryPlan.getStatement())
      && (withincode(List QueryOptimizer.getApplicablePlansForSingleFlatQuery(
              QueryPlan, PhoenixStatement, List, ParallelIteratorFactory, boolean))
          || withincode(List QueryOptimizer.getApplicablePlans(
              QueryPlan, PhoenixStatement, List, ParallelIteratorFactory, boolean)))
      && target(dataPlan) {
    return ConstantOrder.without((SelectStatement) proceed(dataPlan), dataPlan);
  }
}
