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
package org.apache.phoenix.pruning.scan;

import java.sql.SQLException;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.pruning.config.PruningOptions;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.schema.PTable.IndexType;

/**
 * Determines the mode in which the scans of a plan are planned. For a scan of a local index, the
 * connection sets the mode. All other scans are planned in mode {@code stock}, by Phoenix's own
 * code.
 */
public final class PlanningMode {

  private PlanningMode() {}

  /** Returns the mode for {@code plan}. A plan without a table has mode {@code stock}. */
  public static PruningMode of(QueryPlan plan) throws SQLException {
    return plan.getTableRef() == null
        ? PruningMode.STOCK
        : of(plan.getTableRef().getTable(), plan.getContext().getConnection());
  }

  /** Returns the mode for scans of {@code table}, which can also be an index. */
  public static PruningMode of(PTable table, PhoenixConnection connection) throws SQLException {
    return table.getIndexType() == IndexType.LOCAL
        ? PruningOptions.modeOf(connection)
        : PruningMode.STOCK;
  }
}
