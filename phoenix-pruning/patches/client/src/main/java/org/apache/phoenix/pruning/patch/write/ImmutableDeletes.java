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

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.schema.PColumn;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.schema.PTable.IndexType;
import org.apache.phoenix.schema.PTableType;
import org.apache.phoenix.util.IndexUtil;

/** Selects the plans with which a DELETE of an immutable table can compute all index keys. */
public final class ImmutableDeletes {

  private ImmutableDeletes() {}

  /**
   * Returns the plans from whose rows the client can compute the keys of all global indexes.
   *
   * @param data the plan of the data table, which is returned if there is no other
   * @param indexes the indexes of the data table
   */
  public static List<QueryPlan> plansWithAllKeys(
      List<QueryPlan> plans, QueryPlan data, List<PTable> indexes) {
    List<QueryPlan> right = new ArrayList<>(plans);
    right.removeIf(plan -> lacksKeys(plan.getTableRef().getTable(), indexes));
    return right.isEmpty() ? Collections.singletonList(data) : right;
  }

  private static boolean lacksKeys(PTable table, List<PTable> indexes) {
    if (table.getType() == PTableType.INDEX) {
      for (PTable index : indexes) {
        if (index.getIndexType() != IndexType.LOCAL
            && !index.getName().equals(table.getName())
            && hasOtherColumns(index)) {
          return true;
        }
      }
    }
    return false;
  }

  /**
   * Returns false if all key columns of the index are key columns of the data table. An index with
   * a salt byte or an index id counts as one with other columns.
   */
  private static boolean hasOtherColumns(PTable index) {
    for (PColumn column : index.getPKColumns()) {
      // The name of an indexed column begins with its family, which a key column does not have.
      if (!column.getName().getString().startsWith(IndexUtil.INDEX_COLUMN_NAME_SEP)) {
        return true;
      }
    }
    return false;
  }
}
