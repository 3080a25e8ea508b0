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
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.phoenix.hbase.index.IndexRegionObserver;
import org.apache.phoenix.hbase.index.covered.data.CachedLocalTable;
import org.apache.phoenix.iterate.RegionScannerResultIterator;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.schema.tuple.Tuple;

/**
 * Copies rows that Phoenix uses after HBase may have reused their memory (not reported).
 *
 * <ul>
 *   <li>Phoenix's {@code CachedLocalTable} and {@code IndexRegionObserver} read the current row of
 *       a write. They close the scanner before they use the row. Example: with {@code BLOCKCACHE =
 *       false}, {@code UPSERT INTO T (K, V) VALUES (1, 6)} can store wrong values of other columns
 *       in an index.
 *   <li>Phoenix's {@code RegionScannerResultIterator} reads the rows that a server sorts. The
 *       server returns these rows over several requests. After each request, HBase releases the
 *       blocks that were read. Example: {@code SELECT * FROM SYSTEM.CATALOG ORDER BY
 *       ORDINAL_POSITION} can return wrong values if the servers have a bucket cache. In queries of
 *       other tables, a projector has already copied the row.
 * </ul>
 */
public aspect ReleasedMemoryAspect {

  after(List<Cell> row) returning :
      (call(boolean RegionScanner+.next(List))
              && (withincode(* CachedLocalTable.*(..))
                  || withincode(* IndexRegionObserver.readDataTableRows(..)))
          || call(boolean RegionScanner+.nextRaw(List))
              && withincode(Tuple RegionScannerResultIterator.next()))
      && args(row) {
    if (Patches.isOn(Patch.RELEASED_MEMORY)) {
      HeapRow.copy(row);
    }
  }
}
