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
package org.apache.phoenix.pruning.region;

import java.sql.SQLException;
import java.util.List;
import java.util.OptionalInt;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.phoenix.compile.StatementContext;
import org.apache.phoenix.iterate.DefaultParallelScanGrouper;
import org.apache.phoenix.iterate.ParallelScanGrouper;
import org.apache.phoenix.query.ConnectionQueryServices;
import org.apache.phoenix.util.PhoenixRuntime;

/** The regions of a physical table, as a statement sees them. */
public final class TableRegions {

  private static final String CONNECTIONLESS =
      PhoenixRuntime.JDBC_PROTOCOL
          + PhoenixRuntime.JDBC_PROTOCOL_SEPARATOR
          + PhoenixRuntime.CONNECTIONLESS;

  /**
   * Maximum number of single lookups, in the cache or in hbase:meta. If more are needed, all
   * regions are read in bulk.
   */
  private static final int MAX_SINGLE_LOOKUPS = 100;

  private final StatementContext context;
  private final ParallelScanGrouper grouper;
  private final byte[] tableName;

  private int lookups;
  private boolean isFullyRead;

  public TableRegions(StatementContext context, ParallelScanGrouper grouper, byte[] tableName) {
    this.context = context;
    this.grouper = grouper;
    this.tableName = tableName;
  }

  /**
   * Returns a locator that looks up single regions of the cluster, or a locator over a list of all
   * regions. Groupers other than the default one have their own regions, such as those of a
   * snapshot. The connectionless driver has a list.
   */
  public KeyRegionLocator locator() throws SQLException {
    if (readsFromCluster()) {
      ConnectionQueryServices services = context.getConnection().getQueryServices();
      return new KeyRegionLocator() {
        @Override
        public HRegionLocation locate(byte[] rowKey) throws SQLException {
          lookups++;
          if (lookups > MAX_SINGLE_LOOKUPS && !isFullyRead) {
            isFullyRead = true;
            RegionLocationCache.of(services).readAll(services, tableName);
          }
          return services.getTableRegionLocation(tableName, rowKey);
        }

        @Override
        public void refresh(byte[] from, byte[] to) throws SQLException {
          lookups += RegionLocationCache.refresh(services, tableName, from, to);
        }
      };
    }
    return new RegionList(all());
  }

  private boolean readsFromCluster() {
    return grouper.getClass() == DefaultParallelScanGrouper.class
        && !context.getConnection().getURL().startsWith(CONNECTIONLESS);
  }

  /** Returns all regions in key order, and counts one lookup for each. */
  public List<HRegionLocation> all() throws SQLException {
    if (readsFromCluster()) {
      ConnectionQueryServices services = context.getConnection().getQueryServices();
      RegionLocationCache.of(services).readAll(services, tableName);
    }
    List<HRegionLocation> all =
        grouper.getRegionBoundaries(
            context, tableName, HConstants.EMPTY_START_ROW, HConstants.EMPTY_END_ROW);
    lookups += all.size();
    return all;
  }

  /** Returns the number of regions, or empty if it is not known without looking them up. */
  public OptionalInt knownCount() {
    return readsFromCluster()
        ? RegionLocationCache.of(context.getConnection().getQueryServices()).count(tableName)
        : OptionalInt.empty();
  }

  /** Returns the number of region locations that have been looked up. */
  public int lookups() {
    return lookups;
  }
}
