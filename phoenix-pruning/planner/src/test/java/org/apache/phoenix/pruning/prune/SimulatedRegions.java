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

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
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

/**
 * Applies scans to rows in memory, as the regions of a table would. Refers to classes of HBase and
 * Phoenix only, so that it also runs on Phoenix's own jar.
 */
public final class SimulatedRegions {

  private SimulatedRegions() {}

  /** Changes the scan of a region before its filter is called. */
  @FunctionalInterface
  public interface ScanChange {
    void apply(Scan scan) throws IOException;
  }

  /**
   * Returns the rows that the scans of all regions find.
   *
   * @param starts start keys of the regions
   * @param onClient change of each scan before it is encoded
   * @param onServer change of each scan after it is decoded
   */
  public static <R> List<R> found(
      ScanRanges ranges,
      Scan whole,
      SortedSet<byte[]> starts,
      SortedMap<byte[], R> rows,
      ScanChange onClient,
      ScanChange onServer)
      throws IOException {
    List<byte[]> boundaries = new ArrayList<>(starts);
    boundaries.add(HConstants.EMPTY_END_ROW);
    List<R> found = new ArrayList<>();
    for (int i = 0; i < starts.size(); i++) {
      Scan scan = ranges.intersectScan(whole, boundaries.get(i), boundaries.get(i + 1), 0, false);
      if (scan != null) {
        onClient.apply(scan);
        Scan received = ProtobufUtil.toScan(ProtobufUtil.toScan(scan));
        onServer.apply(received);
        found.addAll(found(received, rows));
      }
    }
    return found;
  }

  /** Returns the rows that a region would return. The region calls the filter for each row. */
  private static <R> List<R> found(Scan scan, SortedMap<byte[], R> rows) throws IOException {
    List<R> found = new ArrayList<>();
    Filter filter = scan.getFilter();
    Cell hint = null;
    for (Map.Entry<byte[], R> row : rows.entrySet()) {
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
