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
package org.apache.phoenix.pruning.server;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.phoenix.pruning.config.ServerMode;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.pruning.patch.PatchSet;
import org.apache.phoenix.pruning.protocol.DataRowRange;
import org.apache.phoenix.pruning.protocol.PatchRequest;
import org.apache.phoenix.pruning.protocol.SeekRanges;
import org.apache.phoenix.pruning.server.boundary.OffsetScan;
import org.apache.phoenix.pruning.server.boundary.RegionBoundaryCheck;
import org.apache.phoenix.pruning.server.boundary.ReversedScan;
import org.apache.phoenix.util.ScanUtil;

/**
 * Decides once for each scan, when it is opened, which patches are active.
 *
 * <p>A patch is active if the client requests it and the server allows it. The scan carries the
 * decision: patches that are not granted are removed from the scan's attributes. Phoenix's scanners
 * for this scan read the attributes once and keep the decision in a field, so there is no cost per
 * row. The settings are read for each scan, so changes with HBase's {@code update_config} take
 * effect.
 *
 * <p>Filters of this project drop index rows, and HBase may return an empty batch for a row that is
 * dropped. Without {@link Patch#EMPTY_BATCH}, Phoenix mistakes such a batch for the end of the
 * scan. Therefore a scan without this patch does not seek, and a scan of a part of its region
 * always has this patch: its filter cannot be left out.
 */
public final class ScanAdmission {

  private ScanAdmission() {}

  /**
   * Grants {@code scan} its active patches, and checks that a local-index scan was planned for this
   * region. The check protects the rows of all clients. Only mode {@code stock} skips it. Refuses a
   * scan with an OFFSET that would lock its region for good.
   *
   * @throws DoNotRetryIOException if the scan was planned for another region, or if it would lock
   *     its region
   */
  public static void admit(RegionCoprocessorEnvironment environment, Scan scan) throws IOException {
    boolean isLocalIndex = ScanUtil.isLocalIndex(scan);
    PatchSet requested = PatchRequest.of(scan);
    if (isLocalIndex || !requested.isEmpty()) {
      Configuration configuration = environment.getConfiguration();
      boolean isStock = ServerMode.isStock(configuration);
      PatchSet granted =
          isStock
              ? PatchSet.NONE
              : requested.and(ServerMode.allowedPatches(configuration)).usableOnServer();
      PatchSet active =
          isLocalIndex && DataRowRange.isMarkedOn(scan) ? granted.with(Patch.EMPTY_BATCH) : granted;
      if (!active.equals(requested)) {
        PatchRequest.set(scan, active);
      }
      if (isStock || !active.has(Patch.EMPTY_BATCH)) {
        scan.setAttribute(SeekRanges.ATTRIBUTE, null);
      }
      if (isLocalIndex && !isStock) {
        check(environment, scan, granted);
      }
    }
    PatchRequest.apply(scan);
    if (OffsetScan.lacksStart(scan) && !ServerMode.isStock(environment.getConfiguration())) {
      throw OffsetScan.refused();
    }
  }

  private static void check(RegionCoprocessorEnvironment environment, Scan scan, PatchSet granted)
      throws IOException {
    // Phoenix's server finds no rows in a scan that Phoenix's client has reversed. Without patches,
    // the scan stays reversed and still finds none.
    boolean staysReversed = granted.isEmpty() && ScanUtil.isReversed(scan) && scan.isReversed();
    Scan checked = staysReversed ? new Scan(scan) : scan;
    ReversedScan.undoReverse(checked);
    RegionBoundaryCheck.check(checked, environment.getRegionInfo());
  }
}
