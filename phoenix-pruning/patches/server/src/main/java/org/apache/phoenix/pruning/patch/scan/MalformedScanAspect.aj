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

import java.io.IOException;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.phoenix.coprocessor.BaseScannerRegionObserver;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.config.ServerMode;
import org.apache.phoenix.pruning.patch.Patch;

/**
 * Refuses scans with attributes that Phoenix's {@code BaseScannerRegionObserver} cannot read. If a
 * coprocessor throws anything other than an IOException, HBase stops the region server. The client
 * then tries another server, which HBase stops as well. An example is a scan of {@code SELECT K
 * FROM T WHERE V = 5} with an attribute {@code _TxScn} of three bytes. Not reported.
 */
public aspect MalformedScanAspect {

  /** Makes this aspect also see the exceptions of all other aspects. */
  declare precedence : MalformedScanAspect, *;

  after(ObserverContext<RegionCoprocessorEnvironment> context)
      throwing(Throwable e) throws IOException :
      execution(void BaseScannerRegionObserver.preScannerOpen(ObserverContext, Scan))
      && args(context, *) {
    if (!(e instanceof IOException)
        && Patches.isOn(Patch.MALFORMED_SCAN)
        && !ServerMode.isStock(context.getEnvironment().getConfiguration())) {
      throw new DoNotRetryIOException("An attribute of the scan cannot be read: " + e, e);
    }
  }
}
