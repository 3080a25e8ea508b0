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
 * Reads the data tables of a join on a column that a view fixes. Phoenix's {@code
 * IndexStatementRewriter} replaces the column with its value, and the condition then compares only
 * one side of the join (not reported).
 *
 * <p>Example: {@code SELECT W.K2, D.X FROM W RIGHT JOIN D ON W.K1 = D.K} along an index of the view
 * W, which fixes K1, loses rows of D. {@code D JOIN W} fails with ERROR 217.
 */
public aspect ConstantJoinAspect {

  FilterableStatement around(QueryPlan dataPlan) :
      call(FilterableStatement QueryPlan.getStatement())
      && withincode(List QueryOptimizer.getApplicablePlans(
          QueryPlan, PhoenixStatement, List, ParallelIteratorFactory, boolean))
      && target(dataPlan) {
    return ConstantJoin.onDataTables((SelectStatement) proceed(dataPlan), dataPlan);
  }
}
