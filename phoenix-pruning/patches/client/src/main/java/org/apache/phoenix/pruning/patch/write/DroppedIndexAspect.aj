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

/**
 * Deletes the rows of local indexes that DROP COLUMN drops. Phoenix's {@code
 * MetaDataClient.dropColumn} describes them as indexes that have a table of their own, so {@code
 * PostDDLCompiler} deletes data rows whose key starts with the id of the index, and keeps the index
 * rows of all regions but the first one. Not reported.
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
            ? DroppedIndexes.withTypes(tables)
            : tables);
  }
}
