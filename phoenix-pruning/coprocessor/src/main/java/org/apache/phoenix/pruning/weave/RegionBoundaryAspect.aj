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

import java.io.IOException;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.phoenix.coprocessor.BaseScannerRegionObserver;
import org.apache.phoenix.pruning.server.ScanAdmission;
import org.apache.phoenix.pruning.server.seek.LooseIndexScans;

/**
 * Admits a scan before Phoenix checks its region: checks the region more strictly, and decides
 * which patches are active. After Phoenix's check, adds the filter of a loose index scan.
 */
public privileged aspect RegionBoundaryAspect {

  // Patches refuse a scan before the scan is changed.
  declare precedence : org.apache.phoenix.pruning.patch..*, org.apache.phoenix.pruning.weave.*;

  before(
      BaseScannerRegionObserver observer,
      ObserverContext<RegionCoprocessorEnvironment> context,
      Scan scan)
      throws IOException :
      execution(void BaseScannerRegionObserver.preScannerOpen(ObserverContext, Scan))
      && within(BaseScannerRegionObserver)
      && this(observer)
      && args(context, scan) {
    // Several observers see each scan, but only one or two of them handle it.
    if (observer.isRegionObserverFor(scan)) {
      ScanAdmission.admit(context.getEnvironment(), scan);
    }
  }

  after(Scan scan, Region region) returning throws DoNotRetryIOException :
      execution(static void BaseScannerRegionObserver.throwIfScanOutOfRegion(Scan, Region))
      && args(scan, region) {
    LooseIndexScans.addFilter(scan, region.getRegionInfo());
  }
}
