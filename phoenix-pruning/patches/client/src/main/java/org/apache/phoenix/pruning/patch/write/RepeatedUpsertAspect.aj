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

import java.sql.SQLException;
import java.util.List;
import org.apache.hadoop.hbase.HConstants;
import org.apache.phoenix.compile.MutationPlan;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.compile.UpsertCompiler;
import org.apache.phoenix.iterate.ParallelIteratorFactory;
import org.apache.phoenix.jdbc.PhoenixStatement;
import org.apache.phoenix.optimize.QueryOptimizer;
import org.apache.phoenix.parse.UpsertStatement;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.util.ScanUtil;

/**
 * Keeps an UPSERT SELECT of a table into itself from reading, along an index, the rows that it has
 * written. Phoenix's {@code UpsertCompiler} sets the end of the time range only in the plan of the
 * data table (PHOENIX-4849), and not in the plan of the index (not reported). Without autocommit,
 * the statement writes only after it has read all rows.
 *
 * <p>Example: {@code UPSERT INTO T (K, V) SELECT K, V + 500 FROM T WHERE V > 0} along an index on V
 * adds 500 several times to some rows.
 */
public aspect RepeatedUpsertAspect {

  after(QueryPlan data, PhoenixStatement statement) returning(QueryPlan plan)
      throws SQLException :
      call(QueryPlan QueryOptimizer.optimize(
          QueryPlan, PhoenixStatement, List, ParallelIteratorFactory))
      && withincode(MutationPlan UpsertCompiler.compile(UpsertStatement))
      && args(data, statement, ..) {
    long end = data.getContext().getScan().getTimeRange().getMax();
    if (plan != data
        && end != HConstants.LATEST_TIMESTAMP
        && statement.getConnection().getAutoCommit()
        && Patches.isOn(Patch.REPEATED_UPSERT, statement.getConnection())) {
      ScanUtil.setTimeRange(
          plan.getContext().getScan(), plan.getContext().getScan().getTimeRange().getMin(), end);
    }
  }
}
