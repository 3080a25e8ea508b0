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
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.phoenix.coprocessor.BaseScannerRegionObserver;
import org.apache.phoenix.pruning.server.check.CheckScanner;
import org.apache.phoenix.pruning.server.probe.ProbeScanner;

/**
 * Answers a client's request for a probe or for a check of local indexes, instead of running the
 * scan that carries the request.
 */
public privileged aspect RegionProbeAspect {

  RegionScanner around(
      ObserverContext<RegionCoprocessorEnvironment> context, Scan scan, RegionScanner scanner)
      throws IOException :
      execution(public final RegionScanner BaseScannerRegionObserver.postScannerOpen(
          ObserverContext, Scan, RegionScanner))
      && args(context, scan, scanner) {
    if (CheckScanner.hasToAnswer(scan, context.getEnvironment())) {
      return CheckScanner.of(context.getEnvironment(), scan, scanner);
    }
    return ProbeScanner.hasToAnswer(scan, context.getEnvironment())
        ? ProbeScanner.of(context.getEnvironment(), scan, scanner)
        : proceed(context, scan, scanner);
  }
}
