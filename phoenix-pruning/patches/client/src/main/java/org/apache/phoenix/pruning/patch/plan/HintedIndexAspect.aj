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
import java.util.Collections;
import java.util.List;
import org.apache.phoenix.compile.FromCompiler;
import org.apache.phoenix.compile.QueryCompiler;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.iterate.ParallelIteratorFactory;
import org.apache.phoenix.jdbc.PhoenixStatement;
import org.apache.phoenix.optimize.QueryOptimizer;
import org.apache.phoenix.parse.HintNode.Hint;
import org.apache.phoenix.parse.SelectStatement;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.schema.ColumnNotFoundException;

/**
 * Plans a join without the index that a hint names, if the index lacks a column of the query.
 * Phoenix's {@code QueryOptimizer} replaces the table with the index, and fails with a {@code
 * ColumnNotFoundException} (not reported).
 *
 * <p>Example: {@code SELECT COUNT(*) FROM T JOIN D ON T.V = D.X WHERE T.W = 1} with the hint {@code
 * INDEX(T I)} and a global index {@code I} on {@code V}.
 */
public privileged aspect HintedIndexAspect {

  List around(
      QueryPlan dataPlan,
      PhoenixStatement statement,
      List types,
      ParallelIteratorFactory iterators)
      throws SQLException :
      execution(private List QueryOptimizer.getApplicablePlans(
          QueryPlan, PhoenixStatement, List, ParallelIteratorFactory, boolean))
      && args(dataPlan, statement, types, iterators, *) {
    try {
      return proceed(dataPlan, statement, types, iterators);
    } catch (ColumnNotFoundException e) {
      SelectStatement select = (SelectStatement) dataPlan.getStatement();
      if (select.getHint().getHint(Hint.INDEX) == null
          || !Patches.isOn(Patch.HINTED_INDEX, statement.getConnection())) {
        throw e;
      }
      return Collections.singletonList(
          new QueryCompiler(
                  statement,
                  select,
                  FromCompiler.getResolverForQuery(select, statement.getConnection()),
                  types,
                  iterators,
                  dataPlan.getContext().getSequenceManager(),
                  true,
                  true,
                  null)
              .compile());
    }
  }
}
