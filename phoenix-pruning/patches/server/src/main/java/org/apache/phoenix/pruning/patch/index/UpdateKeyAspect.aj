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
package org.apache.phoenix.pruning.patch.index;

import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Put;
import org.apache.phoenix.hbase.index.IndexRegionObserver;
import org.apache.phoenix.hbase.index.covered.update.ColumnReference;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.util.IndexUtil;

/**
 * Gives ON DUPLICATE KEY UPDATE a cell of the row if the row has none of the columns that it reads.
 * Phoenix's {@code IndexRegionObserver} then evaluates the expressions without a cell, and finds no
 * row key for a key column (not reported).
 *
 * <p>Example: {@code UPSERT INTO T (K) VALUES (1) ON DUPLICATE KEY UPDATE V = K + W} fails if the
 * row has no W.
 */
public aspect UpdateKeyAspect {

  List<Cell> around(Put row) :
      call(List IndexUtil.readColumnsFromRow(Put, Set))
      && withincode(* IndexRegionObserver.generateOnDupMutations(..))
      && args(row, *) {
    List<Cell> cells = proceed(row);
    return row != null && cells.isEmpty() && Patches.isOn(Patch.UPDATE_KEY)
        // With no columns, Phoenix returns any cell. The server does not write it again.
        ? IndexUtil.readColumnsFromRow(row, Collections.<ColumnReference>emptySet())
        : cells;
  }
}
