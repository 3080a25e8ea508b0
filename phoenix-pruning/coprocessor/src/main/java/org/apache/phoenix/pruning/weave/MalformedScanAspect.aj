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
import org.apache.phoenix.coprocessor.BaseScannerRegionObserver;
import org.apache.phoenix.pruning.config.ServerMode;

/**
 * Rejects scans with attributes that Phoenix cannot read. If a coprocessor throws anything other
 * than an IOException, HBase stops the region server. The client then tries another server, which
 * HBase stops as well.
 */
public privileged aspect MalformedScanAspect {

  declare precedence : MalformedScanAspect, RegionBoundaryAspect;

  after(ObserverContext<RegionCoprocessorEnvironment> context)
      throwing(Throwable e) throws IOException :
      execution(void BaseScannerRegionObserver.preScannerOpen(ObserverContext, Scan))
      && args(context, *) {
    if (!(e instanceof IOException)
        && !ServerMode.isStock(context.getEnvironment().getConfiguration())) {
      throw new DoNotRetryIOException("An attribute of the scan cannot be read: " + e, e);
    }
  }
}
