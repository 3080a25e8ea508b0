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
package org.apache.phoenix.pruning.scan;

import static org.apache.phoenix.coprocessorclient.BaseScannerRegionObserverConstants.SCAN_START_ROW_SUFFIX;
import static org.apache.phoenix.coprocessorclient.BaseScannerRegionObserverConstants.SCAN_STOP_ROW_SUFFIX;

import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.phoenix.compile.MutatingParallelIteratorFactory;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.execute.ScanPlan;
import org.apache.phoenix.iterate.DefaultParallelScanGrouper;
import org.apache.phoenix.iterate.MergeSortRowKeyResultIterator;
import org.apache.phoenix.iterate.ParallelIteratorFactory;
import org.apache.phoenix.iterate.ParallelScanGrouper;
import org.apache.phoenix.iterate.PeekingResultIterator;
import org.apache.phoenix.iterate.ResultIterator;
import org.apache.phoenix.join.HashJoinInfo;
import org.apache.phoenix.pruning.layout.DataTables;
import org.apache.phoenix.pruning.protocol.PlannedRegion;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.schema.tuple.Tuple;
import org.apache.phoenix.util.IndexUtil;
import org.apache.phoenix.util.MetaDataUtil;
import org.apache.phoenix.util.ScanUtil;
import org.jspecify.annotations.Nullable;

/** The rows of a local-index scan that the client has not read yet. */
public final class UnreadRows {

  private UnreadRows() {}

  /**
   * Returns whether the unread rows of {@code scan} can be planned again. The scan must return one
   * row for each index row, in the order of their keys. Index rows must keep their keys: if an
   * UPSERT moves an index row while the query runs, the query can read it twice or not at all. The
   * iterators of {@code plan} must only read.
   *
   * @param dataPlan plan for the data table, or null
   * @param factory maker of the iterators of {@code plan}
   */
  public static boolean canPlan(
      Scan scan,
      QueryPlan plan,
      @Nullable QueryPlan dataPlan,
      ParallelIteratorFactory factory,
      ParallelScanGrouper grouper)
      throws SQLException {
    return PlannedRegion.of(scan) != null
        && ScanUtil.isSimpleScan(scan)
        && HashJoinInfo.deserializeHashJoinFromScan(scan) == null
        && plan instanceof ScanPlan
        && plan.getOffset() == null
        && plan.getContext().getSequenceManager().getSequenceCount() == 0
        && !(factory instanceof MutatingParallelIteratorFactory)
        && grouper == DefaultParallelScanGrouper.getInstance()
        && keepsKeys(plan, dataPlan);
  }

  /** Returns whether the table has immutable rows, or the index has only key columns. */
  private static boolean keepsKeys(QueryPlan plan, @Nullable QueryPlan dataPlan)
      throws SQLException {
    PTable index = plan.getTableRef().getTable();
    PTable table = DataTables.of(index, dataPlan, plan.getContext().getConnection());
    return table.isImmutableRows()
        || index.getPKColumns().stream()
            .allMatch(
                column ->
                    IndexUtil.isDataPKColumn(column)
                        || MetaDataUtil.getViewIndexIdColumnName()
                            .equals(column.getName().getString()));
  }

  /**
   * Plans the rows of {@code scan} that follow the row {@code last} in the order of the scan.
   *
   * @param dataPlan plan for the data table, or null
   * @return a scan of each region that holds such rows now
   */
  public static List<Scan> plan(
      Scan scan,
      Tuple last,
      QueryPlan plan,
      @Nullable QueryPlan dataPlan,
      ParallelScanGrouper grouper)
      throws SQLException {
    Scan unread = after(scan, last);
    // Several scans of a plan can fail at the same time, and a plan is not thread-safe.
    synchronized (plan) {
      LocalIndexScanPlanner planner =
          Objects.requireNonNull(
              LocalIndexScanPlanner.of(plan, dataPlan, unread, grouper),
              "The scan was planned for a region");
      return planner.replan(unread).scans().stream()
          .flatMap(List::stream)
          .collect(Collectors.toList());
    }
  }

  /** Returns a copy of {@code scan} that begins after the row {@code last}. */
  private static Scan after(Scan scan, Tuple last) {
    Scan unread = ScanUtil.newScan(scan);
    ImmutableBytesWritable key = new ImmutableBytesWritable();
    last.getKey(key);
    byte[] lastKey = key.copyBytes();
    if (ScanUtil.isReversed(scan)) {
      unread.setAttribute(SCAN_STOP_ROW_SUFFIX, lastKey);
    } else {
      byte[] next = Arrays.copyOf(lastKey, lastKey.length + 1);
      unread.setAttribute(SCAN_START_ROW_SUFFIX, next);
    }
    return unread;
  }

  /** Returns the rows of all regions, in the order in which one scan would return them. */
  public static ResultIterator merge(List<PeekingResultIterator> regions, List<Scan> scans) {
    return regions.size() == 1
        ? regions.get(0)
        : new MergeSortRowKeyResultIterator(
            new OpenIterators(regions, scans),
            0,
            !scans.isEmpty() && ScanUtil.isReversed(scans.get(0)));
  }
}
