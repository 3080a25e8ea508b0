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
package org.apache.phoenix.pruning.stats;

import java.sql.SQLException;
import java.util.Arrays;
import org.apache.hadoop.hbase.TableName;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.schema.stats.GuidePostsInfo;
import org.apache.phoenix.schema.stats.GuidePostsKey;
import org.apache.phoenix.schema.stats.StatisticsUtil;
import org.apache.phoenix.thirdparty.com.google.common.cache.Cache;
import org.apache.phoenix.thirdparty.com.google.common.cache.CacheBuilder;
import org.apache.phoenix.util.SchemaUtil;

/** Statistics of the rows of a table or an index, which may be missing. */
public final class TableStatistics {

  /** The sums over all guideposts. */
  private static final class Totals {

    private final long rows;
    private final long bytes;

    Totals(GuidePostsInfo guideposts) {
      rows = Arrays.stream(guideposts.getRowCounts()).sum();
      bytes = Arrays.stream(guideposts.getByteCounts()).sum();
    }
  }

  /** Totals of the guideposts that the client has cached. */
  private static final Cache<GuidePostsInfo, Totals> TOTALS =
      CacheBuilder.newBuilder().weakKeys().build();

  /** Number of rows that a region is assumed to have if there are no statistics. */
  public static final double DEFAULT_ROWS_PER_REGION = 100_000;

  private final GuidePostsInfo guideposts;
  private final Totals totals;

  private TableStatistics(GuidePostsInfo guideposts) {
    this.guideposts = guideposts;
    this.totals = TOTALS.asMap().computeIfAbsent(guideposts, Totals::new);
  }

  /**
   * Returns the statistics of a table. The client reads them if it has none, or if they are old.
   */
  public static TableStatistics of(PhoenixConnection connection, PTable table) throws SQLException {
    byte[] physicalName = table.getPhysicalName().getBytes();
    return new TableStatistics(
        StatisticsUtil.isStatsEnabled(TableName.valueOf(physicalName))
            ? connection
                .getQueryServices()
                .getTableStats(
                    new GuidePostsKey(physicalName, SchemaUtil.getEmptyColumnFamily(table)))
            : GuidePostsInfo.NO_GUIDEPOST);
  }

  /** Returns whether there is a guidepost. */
  public boolean isKnown() {
    return guideposts.getGuidePostsCount() > 0 && !guideposts.isEmptyGuidePost();
  }

  /**
   * Returns the number of rows in the whole table, or 0 if not known. All local indexes of a table
   * are counted together.
   */
  public long rows() {
    return isKnown() ? totals.rows : 0;
  }

  /** Returns the mean size of a row in bytes, or 0 if not known. */
  public double bytesPerRow() {
    return rows() == 0 ? 0 : (double) totals.bytes / rows();
  }

  /** Returns the mean number of bytes between two guideposts, or 0 if not known. */
  public double bytesPerGuidepost() {
    return isKnown() ? (double) totals.bytes / guideposts.getGuidePostsCount() : 0;
  }

  /**
   * Returns bounds for the number of rows in a range of one region, from the guideposts in the
   * range. Statistics must be known.
   *
   * @param from inclusive
   * @param to exclusive, empty for the end of the table
   */
  public RowCountBounds within(byte[] from, byte[] to) {
    GuidepostCursor cursor = new GuidepostCursor(guideposts);
    cursor.skipTo(from);
    long rowsBetween = 0;
    long rowsBefore = 0;
    int scans = 1;
    for (; cursor.isWithin(to); cursor.next()) {
      if (scans == 1) {
        rowsBefore = cursor.rows();
      } else {
        rowsBetween += cursor.rows();
      }
      scans++;
    }
    // After the last guidepost of the range, there are fewer rows than between two guideposts.
    long maxRowsAfter = rows() / guideposts.getGuidePostsCount();
    return new RowCountBounds(rowsBetween, rowsBefore + rowsBetween + maxRowsAfter, scans);
  }
}
