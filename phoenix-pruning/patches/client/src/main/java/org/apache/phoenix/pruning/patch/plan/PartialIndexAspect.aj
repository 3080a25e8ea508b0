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
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.optimize.QueryOptimizer;
import org.apache.phoenix.parse.SelectStatement;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.schema.PTable;

/**
 * Uses a partial index only for queries whose rows it is proven to have. Phoenix's {@code
 * QueryOptimizer} has three defects (not reported):
 *
 * <ul>
 *   <li>It compares the first columns and constants of two conditions, even if they are parts of
 *       larger expressions. It assumes that IS NULL implies any comparison.
 *   <li>It always uses an index that a hint names.
 *   <li>It fails for some conditions that it cannot compare.
 * </ul>
 *
 * <p>Example: {@code SELECT K FROM T WHERE W IS NULL} along {@code CREATE INDEX I ON T (V) INCLUDE
 * (W) WHERE V > 5} loses the rows that the index lacks.
 */
public aspect PartialIndexAspect {

  boolean around(SelectStatement select, QueryPlan dataPlan, PTable index) throws SQLException :
      execution(static boolean QueryOptimizer.isPartialIndexUsable(
          SelectStatement, QueryPlan, PTable))
      && args(select, dataPlan, index) {
    return Patches.isOn(Patch.PARTIAL_INDEX, dataPlan.getContext().getConnection())
        ? PartialIndexes.isUsable(select, dataPlan, index)
        : proceed(select, dataPlan, index);
  }

  /** Ignores a hint that names a partial index without all rows of the query. */
  QueryPlan around(List<QueryPlan> plans) throws SQLException :
      call(QueryPlan QueryOptimizer.getHintedQueryPlan(..)) && args(.., plans) {
    QueryPlan hinted = proceed(plans);
    QueryPlan dataPlan = plans.get(0);
    return hinted == null
            || !Patches.isOn(Patch.PARTIAL_INDEX, dataPlan.getContext().getConnection())
            // The select that Phoenix passes has the names of columns of an index.
            || PartialIndexes.isUsable(
                (SelectStatement) dataPlan.getStatement(),
                dataPlan,
                hinted.getTableRef().getTable())
        ? hinted
        : null;
  }
}
