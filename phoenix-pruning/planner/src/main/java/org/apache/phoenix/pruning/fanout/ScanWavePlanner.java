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
package org.apache.phoenix.pruning.fanout;

import java.sql.SQLException;
import java.util.List;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.execute.AggregatePlan;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.pruning.config.PruningOptions;
import org.apache.phoenix.query.ConnectionQueryServices;
import org.apache.phoenix.query.QueryServices;
import org.apache.phoenix.query.QueryServicesOptions;
import org.apache.phoenix.util.ScanUtil;
import org.jspecify.annotations.Nullable;

/** Decides whether the scans of a statement are opened in waves, and how large the waves are. */
public final class ScanWavePlanner {

  /** Number of waves to open ahead for rows. While one wave is read, the next wave is opened. */
  private static final int ROWS_AHEAD = 1;

  /**
   * Number of waves to open ahead for aggregates. Each scan returns one row, which is read at once.
   * A slow region should not delay later regions.
   */
  private static final int AGGREGATES_AHEAD = 15;

  private ScanWavePlanner() {}

  /**
   * Returns waves for scans that are read one after the other. Returns null if all scans are opened
   * before the first row is read, as in stock Phoenix.
   *
   * <p>A scan that is opened later reads the rows that exist at that time. So waves are used only
   * in these cases:
   *
   * <ul>
   *   <li>An aggregate without groups, because the only row of each scan is read at once.
   *   <li>A LIMIT, because most scans need not be opened.
   *   <li>More scans than stock Phoenix can open.
   * </ul>
   *
   * <p>A join has no waves, because after a while, servers discard the rows that were sent for the
   * join. A statement that writes has no waves except for an aggregate, because the statement
   * should not read its own rows.
   *
   * @param scan the scan of {@code plan}
   * @param scans the parts of {@code scan}, in key order
   * @param joins true if servers hold rows to join
   * @param writes true if the current statement writes
   * @throws SQLException if an option has an invalid value
   */
  public static @Nullable ScanWaves plan(
      ScanWaves.Opener opener,
      QueryPlan plan,
      Scan scan,
      List<List<Scan>> scans,
      boolean joins,
      boolean writes)
      throws SQLException {
    int count = ScanConcurrency.count(scans);
    if (joins || count < 2) {
      return null;
    }
    PhoenixConnection connection = plan.getContext().getConnection();
    PruningOptions options = PruningOptions.of(connection);
    boolean isUngroupedAggregate = plan instanceof AggregatePlan && isUngrouped(plan);
    ConnectionQueryServices services = connection.getQueryServices();
    int waveSize = ScanConcurrency.maxTasks(services.getExecutor(), options);
    int maxWithoutWaves =
        isUngroupedAggregate || plan.getLimit() != null ? waveSize : stockCapacity(services);
    if (options.mode() == PruningMode.STOCK
        || writes && !isUngroupedAggregate
        || count <= maxWithoutWaves) {
      return null;
    }
    int ahead = isUngroupedAggregate ? AGGREGATES_AHEAD : plan.getLimit() == null ? ROWS_AHEAD : 0;
    return ScanWaves.of(
        opener,
        scans,
        waveSize,
        ScanUtil.isReversed(scan),
        ahead,
        plan.getContext().getStatement().getQueryTimeoutInMillis());
  }

  /** Returns the maximum number of scans that stock Phoenix can have submitted at a time. */
  private static int stockCapacity(ConnectionQueryServices services) {
    return services.getExecutor().getMaximumPoolSize()
        + services
            .getProps()
            .getInt(QueryServices.QUEUE_SIZE_ATTRIB, QueryServicesOptions.DEFAULT_QUEUE_SIZE);
  }

  private static boolean isUngrouped(QueryPlan plan) {
    return plan.getGroupBy().isEmpty() || plan.getGroupBy().isUngroupedAggregate();
  }
}
