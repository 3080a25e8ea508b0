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

import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.phoenix.coprocessor.BaseScannerRegionObserver;
import org.apache.phoenix.pruning.server.LooseIndexScans;
import org.apache.phoenix.pruning.server.RegionBoundaryCheck;
import org.apache.phoenix.pruning.server.ReversedScan;
import org.apache.phoenix.pruning.server.ServerMode;

/** Checks a scan's region more strictly, before Phoenix checks it, and lets it seek behind that. */
public privileged aspect RegionBoundaryAspect {

  before(Scan scan, Region region) throws DoNotRetryIOException :
      execution(static void BaseScannerRegionObserver.throwIfScanOutOfRegion(Scan, Region))
      && args(scan, region) {
    if (!ServerMode.isStock(region)) {
      ReversedScan.turnBack(scan);
      RegionBoundaryCheck.check(scan, region.getRegionInfo());
    }
  }

  after(Scan scan, Region region) returning throws DoNotRetryIOException :
      execution(static void BaseScannerRegionObserver.throwIfScanOutOfRegion(Scan, Region))
      && args(scan, region) {
    if (!ServerMode.isStock(region)) {
      LooseIndexScans.addFilter(scan, region.getRegionInfo());
    }
  }
}
