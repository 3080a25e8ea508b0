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
package org.apache.phoenix.pruning.prune;

import java.util.List;
import java.util.SortedSet;
import java.util.TreeMap;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.phoenix.compile.ScanRanges;
import org.apache.phoenix.compile.StatementContext;
import org.apache.phoenix.pruning.layout.TableKeyColumns;
import org.apache.phoenix.pruning.patch.PatchSet;
import org.apache.phoenix.pruning.protocol.PatchRequest;
import org.apache.phoenix.pruning.scan.LooseIndexScanPlanner;
import org.apache.phoenix.util.ScanUtil;

/** Applies the scans of a plan to rows in memory. The scans name the patches, as a client does. */
final class SimulatedScans {

  private SimulatedScans() {}

  /** Returns the scan of {@code context}, with the filter of a loose index scan if possible. */
  static Scan loose(StatementContext context) throws Exception {
    Scan scan = new Scan(context.getScan());
    LooseIndexScanPlanner.plan(
            context.getScanRanges(),
            new TableKeyColumns(context.getCurrentTable().getTable(), false))
        .ifPresent(loose -> ScanUtil.andFilterAtBeginning(scan, loose.filter()));
    return scan;
  }

  static List<Object[]> found(
      StatementContext context,
      Scan whole,
      TreeMap<byte[], Object[]> rows,
      SortedSet<byte[]> boundaries)
      throws Exception {
    return found(context, whole, rows, boundaries, PatchSet.ALL);
  }

  /** Returns the rows that the scans of all regions find. */
  static List<Object[]> found(
      StatementContext context,
      Scan whole,
      TreeMap<byte[], Object[]> rows,
      SortedSet<byte[]> boundaries,
      PatchSet patches)
      throws Exception {
    if (context.getScanRanges() == ScanRanges.NOTHING) {
      return List.of();
    }
    return SimulatedRegions.found(
        context.getScanRanges(),
        whole,
        boundaries,
        rows,
        scan -> PatchRequest.set(scan, patches),
        PatchRequest::apply);
  }
}
