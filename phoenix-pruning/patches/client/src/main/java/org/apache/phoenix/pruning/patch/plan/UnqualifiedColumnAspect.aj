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
import org.apache.phoenix.compile.ColumnResolver;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.schema.TableNotFoundException;
import org.apache.phoenix.schema.TableRef;

/**
 * Compiles a sort-merge join on a column without the name of its table. Phoenix's {@code
 * SortMergeJoinPlan} looks up the columns by which each side is sorted, and ignores those that the
 * joined rows lack. For a column without a table name, Phoenix's {@code FromCompiler} fails with a
 * {@code NullPointerException} instead (not reported).
 *
 * <p>Example: {@code SELECT A, COUNT(*) FROM T JOIN E ON ID = M GROUP BY A} with the hint
 * USE_SORT_MERGE_JOIN.
 */
public aspect UnqualifiedColumnAspect {

  before(String schema, String table) throws SQLException :
      execution(TableRef *..FromCompiler.MultiTableColumnResolver.resolveTable(String, String))
      && this(ColumnResolver)
      && args(schema, table) {
    if (table == null && Patches.isOn(Patch.UNQUALIFIED_COLUMN)) {
      throw new TableNotFoundException(schema, null);
    }
  }
}
