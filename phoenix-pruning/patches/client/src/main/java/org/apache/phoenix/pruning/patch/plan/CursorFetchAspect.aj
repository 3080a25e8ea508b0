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

import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.execute.CursorFetchPlan;
import org.apache.phoenix.jdbc.PhoenixStatement;
import org.apache.phoenix.optimize.QueryOptimizer;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;

/**
 * Runs a FETCH with the open plan of its cursor. Phoenix's {@code QueryOptimizer} compiles the
 * statement of some cursors again. Such a plan has no cursor, so each FETCH returns all rows (not
 * reported).
 *
 * <p>Example: {@code FETCH NEXT 2 ROWS FROM C} after {@code DECLARE C CURSOR FOR SELECT K FROM T
 * UNION ALL SELECT K FROM D}.
 */
public aspect CursorFetchAspect {

  QueryPlan around(PhoenixStatement statement, CursorFetchPlan plan) :
      execution(QueryPlan QueryOptimizer.optimize(PhoenixStatement, QueryPlan))
      && args(statement, plan) {
    return Patches.isOn(Patch.CURSOR_FETCH, statement.getConnection())
        ? plan
        : proceed(statement, plan);
  }
}
