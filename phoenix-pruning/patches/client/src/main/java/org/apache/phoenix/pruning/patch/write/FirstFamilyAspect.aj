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

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.schema.MetaDataClient;
import org.apache.phoenix.schema.PColumn;
import org.apache.phoenix.schema.PName;
import org.apache.phoenix.schema.PTable;

/**
 * Writes the empty column of all rows into another family if DROP COLUMN makes that family the
 * first one. Phoenix's {@code MetaDataClient.getNewEmptyColumnFamilyOrNull} does so only if the
 * column is the only one of its family. But the first family is the family of the first column, and
 * a statement can drop several columns. Not reported.
 *
 * <p>Example: after {@code ALTER TABLE T DROP COLUMN V}, {@code SELECT COUNT(*) FROM T} is 0.
 */
public privileged aspect FirstFamilyAspect {

  /** Columns that DROP COLUMN drops, by the name of their table or index. Null before that. */
  private Map<PName, List<PColumn>> MetaDataClient.droppedColumns;

  before(MetaDataClient client) :
      execution(* MetaDataClient.dropColumn(..)) && this(client) {
    client.droppedColumns = new HashMap<>();
  }

  before(MetaDataClient client, PTable table, List<PColumn> dropped) :
      execution(String MetaDataClient.dropColumnMutations(PTable, List))
      && this(client)
      && args(table, dropped) {
    client.droppedColumns.put(table.getName(), dropped);
  }

  byte[] around(MetaDataClient client, PTable table, PColumn dropped) :
      call(byte[] MetaDataClient.getNewEmptyColumnFamilyOrNull(PTable, PColumn))
      && withincode(* MetaDataClient.dropColumn(..))
      && this(client)
      && args(table, dropped) {
    return Patches.isOn(Patch.FIRST_FAMILY, client.connection)
        ? FirstFamily.after(client.droppedColumns.get(table.getName()), table, dropped)
        : proceed(client, table, dropped);
  }
}
