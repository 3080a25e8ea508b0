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
import org.apache.phoenix.compile.MutationPlan;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.pruning.protocol.RebuildRequest;
import org.apache.phoenix.schema.MetaDataClient;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.schema.TableRef;

/**
 * Tells the server that a scan rebuilds a local index, so that {@code LocalIndexRebuildAspect} can
 * write its rows with later timestamps. Phoenix's {@code
 * MetaDataClient.getMutationPlanForBuildingIndex} makes the same plan for a new index and for
 * {@code ALTER INDEX I ON T REBUILD}, which then loses the rows (not reported).
 *
 * <p>A connection at an SCN keeps Phoenix's plan: rows with a later timestamp would be invisible
 * for it.
 */
public privileged aspect RebuildRequestAspect {

  after(MetaDataClient client, PTable index) returning(MutationPlan plan) throws SQLException :
      execution(MutationPlan MetaDataClient.getMutationPlanForBuildingIndex(PTable, TableRef))
      && this(client)
      && args(index, *)
      && cflow(execution(* MetaDataClient.alterIndex(..))) {
    if (index.getIndexType() == PTable.IndexType.LOCAL
        && client.connection.getSCN() == null
        && Patches.isOn(Patch.LOCAL_INDEX_REBUILD)) {
      RebuildRequest.set(plan.getContext().getScan());
    }
  }
}
