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
import java.util.Collections;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.phoenix.execute.BaseQueryPlan;
import org.apache.phoenix.iterate.ResultIterator;
import org.apache.phoenix.iterate.ScanningResultIterator;
import org.apache.phoenix.iterate.TableResultIterator;
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
      // Iterators of several regions plan their own scans again.
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
      Scan unread = UnreadRows.after(iterator.scan, iterator.lastTuple);
      iterator.scanIterator.close();
      iterator.scanIterator = plan.iterator(Collections.emptyMap(), iterator.scanGrouper, unread);
      return iterator.scanIterator.next();
    }
  }
}
