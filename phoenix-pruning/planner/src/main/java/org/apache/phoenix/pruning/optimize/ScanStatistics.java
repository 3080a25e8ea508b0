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
package org.apache.phoenix.pruning.optimize;

import java.sql.SQLException;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.compile.ScanRanges;
import org.apache.phoenix.pruning.layout.IndexRowPrefix;
import org.apache.phoenix.pruning.stats.RowCountBounds;
import org.apache.phoenix.pruning.stats.TableStatistics;
import org.apache.phoenix.query.KeyRange;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.schema.PTable.IndexType;
import org.apache.phoenix.util.ByteUtil;
import org.apache.phoenix.util.SchemaUtil;
import org.jspecify.annotations.Nullable;

/**
 * Computes bounds on the number of rows that a plan reads. The bounds come from the guideposts
 * between the first and the last key of the scan in each region.
 */
final class ScanStatistics {

  private final PTable table;
  private final boolean isLocal;
  private final ScanRanges ranges;
  private final TableStatistics statistics;

  ScanStatistics(QueryPlan plan) throws SQLException {
    this.table = plan.getTableRef().getTable();
    this.isLocal = table.getIndexType() == IndexType.LOCAL;
    this.ranges = plan.getContext().getScanRanges();
    this.statistics = TableStatistics.of(plan.getContext().getConnection(), table);
  }

  /**
   * Returns the mean size of a row in bytes, from statistics or else from the types of its columns.
   */
  double bytesPerRow() {
    return statistics.isKnown() ? statistics.bytesPerRow() : SchemaUtil.estimateRowSize(table);
  }

  /**
   * Returns the bounds on the number of rows that the plan reads in all regions. Returns null if
   * statistics do not cover these rows, for example because a local index is newer.
   */
  @Nullable RowCountBounds bounds(RegionSample sample) {
    boolean isCovered =
        statistics.isKnown() && (!isLocal || sample.sum(this::ofIndex).scans() > sample.regions());
    return isCovered ? sample.sum(this::ofScan) : null;
  }

  /** Returns the bounds on the number of all rows of a local index in a region. */
  private RowCountBounds ofIndex(HRegionLocation location) {
    byte[] id = table.getviewIndexIdType().toBytes(table.getViewIndexId());
    byte[] first = ByteUtil.concat(IndexRowPrefix.of(location.getRegion()), id);
    byte[] next = ByteUtil.nextKey(first);
    return statistics.within(first, next == null ? location.getRegion().getEndKey() : next);
  }

  /** Returns the bounds on the number of rows that the scan of a region reads. */
  private RowCountBounds ofScan(HRegionLocation location) {
    RegionInfo region = location.getRegion();
    KeyRange range = ranges.getScanRange();
    byte[] start = region.getStartKey();
    byte[] end = region.getEndKey();
    if (isLocal) {
      byte[] prefix = IndexRowPrefix.of(region);
      return statistics.within(
          ByteUtil.concat(prefix, range.getLowerRange()),
          range.upperUnbound() ? end : ByteUtil.concat(prefix, range.getUpperRange()));
    }
    byte[] lower = withSaltOf(start, range.getLowerRange());
    byte[] upper = withSaltOf(start, range.getUpperRange());
    boolean endsBefore = end.length > 0 && Bytes.compareTo(end, upper) < 0;
    return statistics.within(
        Bytes.compareTo(lower, start) > 0 ? lower : start,
        range.upperUnbound() || endsBefore ? end : upper);
  }

  /**
   * Returns {@code key} with the salt byte of a region. The range of a salted table is that of the
   * first bucket, and each region is assumed to hold one bucket.
   */
  private byte[] withSaltOf(byte[] regionStart, byte[] key) {
    if (!ranges.isSalted() || key.length == 0 || regionStart.length == 0) {
      return key;
    }
    byte[] salted = key.clone();
    salted[0] = regionStart[0];
    return salted;
  }
}
