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
package org.apache.phoenix.pruning.patch.write;

import java.util.Collections;
import java.util.List;
import org.apache.phoenix.compile.DeleteCompiler;
import org.apache.phoenix.compile.MutationPlan;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.optimize.QueryOptimizer;
import org.apache.phoenix.parse.DeleteStatement;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.schema.PTableType;

/**
 * Deletes rows by the keys of the data table if the condition gives all columns of an index key.
 * Phoenix's {@code DeleteCompiler} then deletes without a query, and deletes the row of the index
 * only (not reported).
 *
 * <p>Example: {@code DELETE FROM T WHERE K = 1 AND V = 5} along an index on V leaves the row in the
 * table.
 */
public aspect IndexKeyDeleteAspect {

  List<QueryPlan> around(QueryPlan dataPlan) :
      call(List QueryOptimizer.getBestPlan(QueryPlan, ..))
      && withincode(MutationPlan DeleteCompiler.compile(DeleteStatement))
      && args(dataPlan, ..) {
    List<QueryPlan> best = proceed(dataPlan);
    QueryPlan plan = best.get(0);
    return plan.getTableRef().getTable().getType() == PTableType.INDEX
            && plan.getContext().getScanRanges().isPointLookup()
            && Patches.isOn(Patch.INDEX_KEY_DELETE, plan.getContext().getConnection())
        ? Collections.singletonList(dataPlan)
        : best;
  }
}
