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
package org.apache.phoenix.pruning.weave;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.phoenix.execute.BaseQueryPlan;
import org.apache.phoenix.iterate.LookAheadResultIterator;
import org.apache.phoenix.iterate.PeekingResultIterator;
import org.apache.phoenix.iterate.ResultIterator;
import org.apache.phoenix.iterate.ScanningResultIterator;
import org.apache.phoenix.iterate.TableResultIterator;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.pruning.scan.UnreadRows;
import org.apache.phoenix.schema.StaleRegionBoundaryCacheException;
import org.apache.phoenix.schema.tuple.Tuple;

/**
 * Plans the rest of a local-index scan again if its region moves, splits or merges after the client
 * has read some rows. Phoenix plans a scan again only before its first row.
 */
public privileged aspect UnreadRowsAspect {

  Tuple around(TableResultIterator iterator) throws SQLException :
      call(Tuple ResultIterator.next())
      && withincode(Tuple TableResultIterator.next())
      && this(iterator) {
    try {
      return proceed(iterator);
    } catch (StaleRegionBoundaryCacheException e) {
      // The iterators of several regions plan their own scans again.
      if (iterator.lastTuple == null
          || !(iterator.scanIterator instanceof ScanningResultIterator)
          || !(iterator.plan instanceof BaseQueryPlan)) {
        throw e;
      }
      BaseQueryPlan plan = (BaseQueryPlan) iterator.plan;
      if (!UnreadRows.canPlan(
          iterator.scan,
          plan,
          plan.dataPlan,
          plan.parallelIteratorFactory,
          iterator.scanGrouper)) {
        throw e;
      }
      iterator.scanIterator.close();
      iterator.scanIterator = iterator.unreadRows(plan);
      return iterator.scanIterator.next();
    }
  }

  /**
   * Opens scanners in this thread. It can be a thread of Phoenix's pool, and must not wait for
   * another one.
   */
  private ResultIterator TableResultIterator.unreadRows(BaseQueryPlan plan) throws SQLException {
    List<Scan> scans = UnreadRows.plan(scan, lastTuple, plan, plan.dataPlan, scanGrouper);
    PhoenixConnection connection = plan.getContext().getConnection();
    List<PeekingResultIterator> regions = new ArrayList<>(scans.size());
    for (Scan unread : scans) {
      TableResultIterator region =
          new TableResultIterator(
              connection.getMutationState(), unread, scanMetricsHolder, renewLeaseThreshold, plan,
              scanGrouper, caches, maxQueryEndTime);
      connection.addIteratorForLeaseRenewal(region);
      regions.add(LookAheadResultIterator.wrap(region));
    }
    return UnreadRows.merge(regions, scans);
  }
}
