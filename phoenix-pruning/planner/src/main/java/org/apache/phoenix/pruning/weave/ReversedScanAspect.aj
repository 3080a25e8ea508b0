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

import org.apache.hadoop.hbase.client.Scan;
import org.apache.phoenix.iterate.TableResultIterator;
import org.apache.phoenix.pruning.region.PlannedRegion;
import org.apache.phoenix.util.ScanUtil;

/**
 * Leaves it to the server to turn around a scan of a local index. The client swaps the boundaries of
 * the region, which the server needs as they are.
 */
public privileged aspect ReversedScanAspect {

  void around(Scan scan) :
      call(static void ScanUtil.setupReverseScan(Scan))
      && withincode(void TableResultIterator.initScanner())
      && args(scan) {
    if (PlannedRegion.of(scan) == null) {
      proceed(scan);
    }
  }
}
