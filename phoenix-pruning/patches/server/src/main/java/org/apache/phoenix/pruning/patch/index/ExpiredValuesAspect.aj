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

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.phoenix.coprocessor.UncoveredLocalIndexRegionScanner;
import org.apache.phoenix.hbase.index.covered.data.CachedLocalTable;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;

/**
 * Leaves expired values out of the data rows that a region server reads itself. It reads them to
 * maintain a local index ({@code CachedLocalTable}), or to look up columns that the index lacks
 * ({@code UncoveredLocalIndexRegionScanner}). Phoenix leaves expired values out only in the scans
 * of clients ({@code TTLRegionScanner}). Not reported.
 *
 * <p>Example: {@code SELECT K, V, W FROM T} along an index on V returns an expired V after {@code
 * UPSERT INTO T (K, W) VALUES (1, 7)}.
 */
public privileged aspect ExpiredValuesAspect {

  /** Time to live in milliseconds. The advice for each row only reads this field. */
  long UncoveredLocalIndexRegionScanner.timeToLive;

  after(Collection<? extends Mutation> mutations, Region region) returning(CachedLocalTable rows)
      throws IOException :
      execution(CachedLocalTable CachedLocalTable.preScanAllRequiredRows(Collection, *, Region))
      && args(mutations, *, region) {
    if (Patches.isOn(Patch.EXPIRED_VALUES)) {
      ExpiredValues.removeFrom(rows, mutations, region);
    }
  }

  after(UncoveredLocalIndexRegionScanner scanner) returning :
      execution(UncoveredLocalIndexRegionScanner.new(..)) && this(scanner) {
    scanner.timeToLive =
        Patches.isOn(Patch.EXPIRED_VALUES)
            ? ExpiredValues.timeToLive(scanner.region)
            : ExpiredValues.FOREVER;
  }

  after(UncoveredLocalIndexRegionScanner scanner, List<Cell> row) returning throws IOException :
      call(boolean RegionScanner+.nextRaw(List))
      && withincode(void UncoveredLocalIndexRegionScanner.scanDataRows(..))
      && this(scanner)
      && args(row) {
    if (scanner.timeToLive != ExpiredValues.FOREVER) {
      ExpiredValues.removeFromLiveRow(
          row, scanner.timeToLive, scanner.region, scanner.scan.getTimeRange().getMax());
    }
  }
}
