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
package io.phoenixpruning.it;

import java.io.IOException;
import java.util.Arrays;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.pruning.protocol.ProbeRequest;
import org.apache.phoenix.query.QueryConstants;
import org.apache.phoenix.util.ScanUtil;

/** Lets a test act on a server when a probe or a scan of a local index arrives. */
public final class ProbeObserver extends RegionHook {

  /** Action of a test. */
  interface Action {

    /** An action that does nothing. */
    Action NOTHING = server -> {};

    /**
     * Acts when a request has arrived at {@code server}. The server processes the request
     * afterwards.
     */
    void run(ServerName server) throws IOException;
  }

  private static volatile Action probeAction = Action.NOTHING;
  private static volatile Action scanAction = Action.NOTHING;
  private static volatile boolean isBlind;

  /** Sets the action for each probe that arrives later. */
  static void onProbe(Action action) {
    probeAction = action;
  }

  /** Sets the action for each scan of a local index that arrives later. */
  static void onScan(Action action) {
    scanAction = action;
  }

  /** Sets whether servers answer probes as if they found nothing. */
  static void setBlind(boolean blind) {
    isBlind = blind;
  }

  @Override
  public void preScannerOpen(ObserverContext<RegionCoprocessorEnvironment> context, Scan scan)
      throws IOException {
    if (scan.getAttribute(ProbeRequest.ATTRIBUTE) != null) {
      probeAction.run(context.getEnvironment().getServerName());
    } else if (ScanUtil.isLocalIndex(scan)) {
      scanAction.run(context.getEnvironment().getServerName());
    } else if (isBlind && isProbeCheck(scan)) {
      scan.withStopRow(scan.getStartRow());
    }
  }

  private static boolean isProbeCheck(Scan scan) {
    return scan.hasFamilies()
        && Arrays.stream(scan.getFamilies())
            .allMatch(
                family ->
                    Bytes.startsWith(
                        family, QueryConstants.LOCAL_INDEX_COLUMN_FAMILY_PREFIX_BYTES));
  }
}
