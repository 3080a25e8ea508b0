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
package org.apache.phoenix.pruning.weave;

import java.sql.SQLException;
import java.util.List;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Pair;
import org.apache.phoenix.iterate.BaseResultIterators;
import org.apache.phoenix.iterate.ScansWithRegionLocations;
import org.apache.phoenix.pruning.protocol.PlannedRegion;
import org.apache.phoenix.pruning.scan.LocalIndexScanPlanner;

/** Plans a scan of a local index again if its region has changed since it was planned. */
public privileged aspect StaleScansAspect {

  declare precedence : StaleScansAspect, LocalIndexScansAspect;

  /** Scan that is planned again, or null for the first plan. */
  private Scan BaseResultIterators.staleScan;

  before(BaseResultIterators iterators, Pair<Scan, ?> scanAndIterator) :
      execution(private List BaseResultIterators.recreateIterators(..))
      && this(iterators) && args(.., scanAndIterator, int) {
    iterators.staleScan = scanAndIterator.getFirst();
  }

  ScansWithRegionLocations around(BaseResultIterators iterators) throws SQLException :
      execution(private ScansWithRegionLocations BaseResultIterators.getParallelScans(
          byte[], byte[])) && this(iterators) {
    Scan stale = iterators.staleScan;
    iterators.staleScan = null;
    return stale == null || PlannedRegion.of(stale) == null
        ? proceed(iterators)
        : iterators.withLocations(iterators.localIndexScanPlanner.replan(stale));
  }

  ScansWithRegionLocations around(BaseResultIterators iterators, Scan scan) throws SQLException :
      execution(private ScansWithRegionLocations BaseResultIterators.getParallelScans(Scan))
      && this(iterators) && args(scan) {
    if (PlannedRegion.of(scan) == null) {
      return proceed(iterators, scan);
    }
    iterators.localIndexScanPlanner =
        LocalIndexScanPlanner.of(
            iterators.plan, iterators.dataPlan, iterators.scan, iterators.scanGrouper);
    return iterators.withLocations(iterators.localIndexScanPlanner.replan(scan));
  }

  /**
   * Keeps every scan that is planned again. After a merge, Phoenix's {@code BaseResultIterators}
   * plans the merged region again for each of its former parts. Phoenix therefore skips a scan
   * whose region starts before the previous scan ended. Here, each scan that is planned again reads
   * only its own part.
   */
  void around(Scan scan) :
      execution(void BaseResultIterators.ScanWrapper.setScan(Scan)) && args(scan) {
    if (PlannedRegion.of(scan) == null) {
      proceed(scan);
    }
  }
}
