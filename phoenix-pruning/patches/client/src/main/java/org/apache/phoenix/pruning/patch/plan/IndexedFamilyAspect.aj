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

import java.util.Set;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.index.IndexMaintainer;
import org.apache.phoenix.jdbc.PhoenixStatement;
import org.apache.phoenix.optimize.QueryOptimizer;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.schema.ColumnNotFoundException;
import org.apache.phoenix.schema.PColumn;
import org.apache.phoenix.schema.PTable;

/**
 * Finds the indexed columns of an uncovered global index by their families. Phoenix's {@code
 * QueryOptimizer} looks them up by their names only, and fails if another family has a column of
 * the same name (not reported).
 *
 * <p>Example: {@code SELECT K FROM T WHERE F.V = 5} fails with ERROR 502 if T also has a column
 * G.V.
 */
public aspect IndexedFamilyAspect {

  pointcut plans(PhoenixStatement statement) :
      execution(private QueryPlan QueryOptimizer.addPlan(..)) && args(statement, ..);

  Set around(PhoenixStatement statement) :
      call(Set IndexMaintainer.getIndexedColumnInfo())
      && withincode(private QueryPlan QueryOptimizer.addPlan(..))
      && cflow(plans(statement)) {
    Set columns = proceed(statement);
    return Patches.isOn(Patch.INDEXED_FAMILY, statement.getConnection())
        ? IndexedFamilies.withFamilies(columns)
        : columns;
  }

  PColumn around(PTable table, String name) throws ColumnNotFoundException :
      call(PColumn PTable.getColumnForColumnName(String))
      && withincode(private QueryPlan QueryOptimizer.addPlan(..))
      && target(table)
      && args(name) {
    return IndexedFamilies.haveFamily(name)
        ? IndexedFamilies.column(table, name)
        : proceed(table, name);
  }
}
