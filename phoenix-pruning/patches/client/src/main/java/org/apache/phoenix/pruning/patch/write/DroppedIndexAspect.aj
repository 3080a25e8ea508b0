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
import org.apache.phoenix.compile.MutationPlan;
import org.apache.phoenix.compile.PostDDLCompiler;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.schema.MetaDataClient;
import org.apache.phoenix.schema.PTable;

/**
 * Deletes the rows of a local index that a statement drops, and no others. Phoenix has two defects
 * (not reported):
 *
 * <ul>
 *   <li>{@code MetaDataClient.dropColumn} describes a local index as one that has a table of its
 *       own. The scan of {@code PostDDLCompiler} then does not find the rows of the index.
 *   <li>All scans of {@code PostDDLCompiler} also read the families of the data, unless the index
 *       includes columns. They delete data rows whose key begins with the id of the index.
 * </ul>
 *
 * <p>Example: {@code ALTER TABLE T DROP COLUMN V} deletes the data row with the BIGINT key -32768.
 */
public privileged aspect DroppedIndexAspect {

  MutationPlan around(MetaDataClient client, List tables) throws SQLException :
      call(MutationPlan PostDDLCompiler.compile(List, ..))
      && withincode(* MetaDataClient.dropColumn(..))
      && this(client)
      && args(tables, ..) {
    return proceed(
        client,
        Patches.isOn(Patch.DROPPED_INDEX, client.connection)
            ? DroppedIndexes.withTypes(tables, client.connection)
            : tables);
  }

  List around(PostDDLCompiler.PostDDLMutationPlan plan, PTable table) :
      call(List PTable.getColumnFamilies())
      && withincode(* PostDDLCompiler.PostDDLMutationPlan.execute())
      && this(plan)
      && target(table) {
    return Patches.isOn(Patch.DROPPED_INDEX, plan.getContext().getConnection())
        ? DroppedIndexes.families(table)
        : proceed(plan, table);
  }
}
