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

import java.util.List;
import org.apache.phoenix.compile.ColumnResolver;
import org.apache.phoenix.compile.DeleteCompiler;
import org.apache.phoenix.compile.MutationPlan;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.jdbc.PhoenixStatement;
import org.apache.phoenix.optimize.QueryOptimizer;
import org.apache.phoenix.parse.DeleteStatement;
import org.apache.phoenix.parse.SelectStatement;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;

/**
 * Deletes the rows of all global indexes of an immutable table. The client computes their keys from
 * the rows that it reads. Along an index, Phoenix's {@code DeleteCompiler} looks for their columns
 * where the row of the index does not have them, and deletes other keys (not reported).
 *
 * <p>Example: {@code DELETE FROM T WHERE V = 5} along a local index on V leaves the row in a global
 * index on W.
 */
public aspect ImmutableDeleteAspect {

  /**
   * Removes plans without all keys. Phoenix calls this method only for a table with indexes that
   * the client maintains.
   */
  List around(QueryPlan data, ColumnResolver resolver) :
      call(List QueryOptimizer.getApplicablePlans(
          QueryPlan, PhoenixStatement, SelectStatement, ColumnResolver, ..))
      && withincode(MutationPlan DeleteCompiler.compile(DeleteStatement))
      && args(data, *, *, resolver, ..) {
    List plans = proceed(data, resolver);
    return Patches.isOn(Patch.IMMUTABLE_DELETE, data.getContext().getConnection())
        ? ImmutableDeletes.plansWithAllKeys(
            plans, data, resolver.getTables().get(0).getTable().getIndexes())
        : plans;
  }
}
