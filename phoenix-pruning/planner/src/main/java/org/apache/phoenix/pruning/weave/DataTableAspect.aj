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
package org.apache.phoenix.pruning.weave;

import java.sql.SQLException;
import java.util.Map;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.phoenix.compile.ColumnResolver;
import org.apache.phoenix.compile.FromCompiler;
import org.apache.phoenix.execute.BaseQueryPlan;
import org.apache.phoenix.iterate.ParallelScanGrouper;
import org.apache.phoenix.iterate.ResultIterator;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.parse.NamedTableNode;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.pruning.scan.PlanningMode;

/**
 * Resolves the data table from the client's cache, which the compilation of the query has filled,
 * if a local index lacks columns. Phoenix's {@code BaseQueryPlan.iterator} reads the table from
 * SYSTEM.CATALOG again, with one RPC for each execution.
 */
public aspect DataTableAspect {

  ColumnResolver around(BaseQueryPlan plan, NamedTableNode dataTable, PhoenixConnection connection)
      throws SQLException :
      call(ColumnResolver FromCompiler.getResolver(NamedTableNode, PhoenixConnection))
      && withincode(ResultIterator BaseQueryPlan.iterator(Map, ParallelScanGrouper, Scan))
      && this(plan)
      && args(dataTable, connection) {
    return PlanningMode.of(plan) != PruningMode.STOCK
        ? FromCompiler.getResolver(dataTable, connection, false)
        : proceed(plan, dataTable, connection);
  }
}
