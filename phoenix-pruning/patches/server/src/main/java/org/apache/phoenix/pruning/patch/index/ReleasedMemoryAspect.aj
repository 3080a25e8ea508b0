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

import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.phoenix.hbase.index.IndexRegionObserver;
import org.apache.phoenix.hbase.index.covered.data.CachedLocalTable;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;

/**
 * Copies the current rows that a write needs, if they are outside the heap. Phoenix's {@code
 * CachedLocalTable} and {@code IndexRegionObserver} close the scanner of these rows before the rows
 * are used. HBase may then reuse the memory of their cells for other blocks (not reported).
 *
 * <p>Example: {@code UPSERT INTO T (K, V) VALUES (1, 6)} with {@code BLOCKCACHE = false} can store
 * wrong values of other columns in an index.
 */
public aspect ReleasedMemoryAspect {

  after(List<Cell> row) returning :
      call(boolean RegionScanner+.next(List))
      && (withincode(* CachedLocalTable.*(..))
          || withincode(* IndexRegionObserver.readDataTableRows(..)))
      && args(row) {
    if (Patches.isOn(Patch.RELEASED_MEMORY)) {
      row.replaceAll(CellUtil::cloneIfNecessary);
    }
  }
}
