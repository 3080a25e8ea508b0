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
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.jdbc.PhoenixStatement;
import org.apache.phoenix.optimize.QueryOptimizer;
import org.apache.phoenix.schema.PTable;

/**
 * Reads the data table instead of a local index if a connection at an SCN can request rows that the
 * index no longer has. Phoenix's {@code MetaDataUtil.getSyncedProps} leaves out VERSIONS, so the
 * families of a local index keep one version, and a compaction removes the others (not reported).
 *
 * <p>Example: {@code SELECT K FROM T WHERE V = 1} at an SCN before the last UPSERT of a row finds
 * no rows, with {@code CREATE TABLE T (K INTEGER PRIMARY KEY, V INTEGER) VERSIONS = 10,
 * KEEP_DELETED_CELLS = true}.
 */
public privileged aspect PastRowsAspect {

  QueryPlan around(PhoenixStatement statement, PTable index) throws SQLException :
      execution(private QueryPlan QueryOptimizer.addPlan(..))
      && args(statement, *, index, ..) {
    return statement.getConnection().getSCN() != null
            && PastRows.mayBeMissing(index, statement.getConnection())
        ? null
        : proceed(statement, index);
  }
}
