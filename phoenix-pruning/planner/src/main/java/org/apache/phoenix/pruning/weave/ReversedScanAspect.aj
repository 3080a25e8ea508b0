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
import org.apache.phoenix.pruning.protocol.PlannedRegion;
import org.apache.phoenix.util.ScanUtil;

/**
 * Leaves the reversal of a local index scan to the server. Phoenix's {@code TableResultIterator}
 * swaps the boundaries of the region on the client, but the server needs the original boundaries.
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
