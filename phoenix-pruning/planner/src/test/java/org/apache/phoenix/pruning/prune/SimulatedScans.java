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

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.Filter.ReturnCode;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.compile.ScanRanges;
import org.apache.phoenix.compile.StatementContext;
import org.apache.phoenix.pruning.layout.TableKeyColumns;
import org.apache.phoenix.pruning.patch.PatchSet;
import org.apache.phoenix.pruning.protocol.PatchRequest;
import org.apache.phoenix.pruning.scan.LooseIndexScanPlanner;
import org.apache.phoenix.util.ScanUtil;

/** Applies the scans of a plan to rows in memory, as the regions of a table would. */
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
    List<Object[]> found = new ArrayList<>();
    if (context.getScanRanges() == ScanRanges.NOTHING) {
      return found;
    }
    List<byte[]> starts = List.copyOf(boundaries);
    for (int i = 0; i < starts.size(); i++) {
      byte[] end = i + 1 < starts.size() ? starts.get(i + 1) : HConstants.EMPTY_END_ROW;
      Scan scan = context.getScanRanges().intersectScan(whole, starts.get(i), end, 0, false);
      if (scan != null) {
        found.addAll(found(scan, rows, patches));
      }
    }
    return found;
  }

  /** Returns the rows that a region would return. The region calls the filter for each row. */
  private static List<Object[]> found(
      Scan planned, TreeMap<byte[], Object[]> rows, PatchSet patches) throws Exception {
    PatchRequest.set(planned, patches);
    Scan scan = ProtobufUtil.toScan(ProtobufUtil.toScan(planned));
    PatchRequest.apply(scan);
    List<Object[]> found = new ArrayList<>();
    Filter filter = scan.getFilter();
    Cell hint = null;
    for (Map.Entry<byte[], Object[]> row : rows.entrySet()) {
      Cell cell = new KeyValue(row.getKey(), Bytes.toBytes("0"), new byte[1], 1, new byte[1]);
      if (Bytes.compareTo(row.getKey(), scan.getStartRow()) < 0
          || (scan.getStopRow().length > 0 && Bytes.compareTo(row.getKey(), scan.getStopRow()) >= 0)
          || (hint != null && CellComparator.getInstance().compare(cell, hint) < 0)) {
        continue;
      }
      if (filter == null) {
        found.add(row.getValue());
      } else if (!filter.filterAllRemaining()) {
        filter.reset();
        ReturnCode code = filter.filterCell(cell);
        if (code == ReturnCode.SEEK_NEXT_USING_HINT) {
          hint = filter.getNextCellHint(cell);
        } else if ((code == ReturnCode.INCLUDE || code == ReturnCode.INCLUDE_AND_NEXT_COL)
            && !filter.filterRow()) {
          found.add(row.getValue());
        }
      }
    }
    return found;
  }
}
