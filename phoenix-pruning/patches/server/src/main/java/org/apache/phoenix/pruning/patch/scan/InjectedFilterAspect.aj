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
package org.apache.phoenix.pruning.patch.scan;

import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.phoenix.coprocessor.BaseScannerRegionObserver;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.util.ScanUtil;

/**
 * Corrects scans to which HBase has added a filter for visibility labels or rights to cells. HBase
 * puts this filter and that of Phoenix into a list (not reported).
 *
 * <p>{@code ScanUtil.setRowKeyOffset} sets the length of the region's prefix only in the elements
 * of this list, and not in a list of Phoenix that is one of them. Example: {@code SELECT K FROM T
 * WHERE V = 3 AND K IN (5, 25)} along an index on V finds no rows.
 *
 * <p>{@code DistinctPrefixFilter} skips all rows with the prefix of a hidden row. Example: {@code
 * SELECT DISTINCT K1 FROM T} lacks each K1 whose first row is hidden.
 */
public aspect InjectedFilterAspect {

  void around(Scan scan) :
      call(void ScanUtil.setRowKeyOffset(Scan, int))
      && args(scan, *) {
    if (Patches.isOn(Patch.INJECTED_FILTER)) {
      proceed(InjectedFilters.flat(scan));
    } else {
      proceed(scan);
    }
  }

  before(Scan scan) :
      execution(void BaseScannerRegionObserver.preScannerOpen(ObserverContext, Scan))
      && within(BaseScannerRegionObserver)
      && args(*, scan) {
    if (Patches.isOn(Patch.INJECTED_FILTER)) {
      InjectedFilters.readAllRowsOfAPrefix(scan);
    }
  }
}
