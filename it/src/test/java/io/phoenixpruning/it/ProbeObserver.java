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
import java.util.Optional;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.pruning.protocol.ProbeRequest;
import org.apache.phoenix.query.QueryConstants;
import org.apache.phoenix.util.ScanUtil;

/** Lets a test act on a server when a probe or a scan of a local index arrives. */
public final class ProbeObserver implements RegionCoprocessor, RegionObserver {

  /** Action of a test. */
  interface Arrival {

    /** An action that does nothing. */
    Arrival NOTHING = server -> {};

    /**
     * Acts when a request has arrived at {@code server}. The server processes the request after
     * this returns.
     */
    void at(ServerName server) throws IOException;
  }

  private static volatile Arrival probe = Arrival.NOTHING;
  private static volatile Arrival scan = Arrival.NOTHING;
  private static volatile boolean isBlind;

  /** Performs {@code arrival} at each probe from now on. */
  static void atProbe(Arrival arrival) {
    probe = arrival;
  }

  /** Performs {@code arrival} at each scan of a local index from now on. */
  static void atScan(Arrival arrival) {
    scan = arrival;
  }

  /** Makes servers find nothing from now on when they answer a probe. */
  static void blind(boolean blind) {
    isBlind = blind;
  }

  @Override
  public Optional<RegionObserver> getRegionObserver() {
    return Optional.of(this);
  }

  @Override
  public void preScannerOpen(ObserverContext<RegionCoprocessorEnvironment> context, Scan opened)
      throws IOException {
    if (opened.getAttribute(ProbeRequest.ATTRIBUTE) != null) {
      probe.at(context.getEnvironment().getServerName());
    } else if (ScanUtil.isLocalIndex(opened)) {
      scan.at(context.getEnvironment().getServerName());
    } else if (isBlind && isLook(opened)) {
      opened.withStopRow(opened.getStartRow());
    }
  }

  private static boolean isLook(Scan opened) {
    return opened.hasFamilies()
        && Arrays.stream(opened.getFamilies())
            .allMatch(
                family ->
                    Bytes.startsWith(
                        family, QueryConstants.LOCAL_INDEX_COLUMN_FAMILY_PREFIX_BYTES));
  }
}
