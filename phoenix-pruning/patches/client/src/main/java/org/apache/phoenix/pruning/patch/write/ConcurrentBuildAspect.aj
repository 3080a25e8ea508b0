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

import java.io.IOException;
import java.sql.SQLException;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.phoenix.compile.MutationPlan;
import org.apache.phoenix.execute.MutationState;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.schema.MetaDataClient;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.schema.TableRef;

/**
 * Reads the table for {@code CREATE LOCAL INDEX} and {@code ALTER INDEX ... REBUILD} after the
 * commits that do not know the index have ended. Phoenix's {@code MetaDataClient.buildIndex} reads
 * it before and after, both times up to the creation of the index (PHOENIX-4092).
 *
 * <p>A connection at an SCN keeps Phoenix's plan: its index must not have later rows.
 *
 * <p>Example: {@code CREATE LOCAL INDEX I ON T (V)} loses the changes of a commit that began
 * earlier and reaches the server later.
 */
public privileged aspect ConcurrentBuildAspect {

  // The request is set in the scan of Phoenix's plan, which this patch then replaces.
  declare precedence : ConcurrentBuildAspect, RebuildRequestAspect;

  MutationPlan around(MetaDataClient client, PTable index, TableRef table) throws SQLException :
      execution(MutationPlan MetaDataClient.getMutationPlanForBuildingIndex(PTable, TableRef))
      && this(client)
      && args(index, table) {
    MutationPlan plan = proceed(client, index, table);
    return index.getIndexType() == PTable.IndexType.LOCAL
            && !table.getTable().isTransactional()
            && client.connection.getSCN() == null
            && Patches.isOn(Patch.CONCURRENT_BUILD, client.connection)
        ? ConcurrentBuildPlan.of(plan, index, table, client.connection)
        : plan;
  }

  /**
   * Keeps Phoenix's second time range valid. It begins at the creation of the index, minus the
   * duration of the first execution, which is almost 0 with this plan. If server clocks differ,
   * this can be later than the end. {@link ConcurrentBuildPlan} sets its own time range.
   */
  Scan around(MetaDataClient client, long begin, long end) throws IOException :
      call(Scan Scan.setTimeRange(long, long))
      && withincode(MutationState MetaDataClient.buildIndex(PTable, TableRef))
      && this(client)
      && args(begin, end) {
    return Patches.isOn(Patch.CONCURRENT_BUILD, client.connection)
        ? proceed(client, Math.min(begin, end), end)
        : proceed(client, begin, end);
  }
}
