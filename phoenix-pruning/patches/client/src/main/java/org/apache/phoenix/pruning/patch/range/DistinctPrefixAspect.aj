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
package org.apache.phoenix.pruning.patch.range;

import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.coprocessorclient.BaseScannerRegionObserverConstants;
import org.apache.phoenix.iterate.BaseResultIterators;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.util.ScanUtil;

/**
 * Omits the filter that skips from one value of a DISTINCT or GROUP BY to the next. Also omits the
 * LIMIT that counts the rows that pass this filter. Applies if the server tests the WHERE clause
 * after the filters of a scan, as it does along local indexes.
 *
 * <p>Phoenix's {@code BaseResultIterators} adds this filter to such scans, too. The filter then
 * skips the other rows of a value before any of its rows is known to match (PHOENIX-7758 corrects a
 * part).
 *
 * <p>Example: {@code SELECT DISTINCT V FROM T WHERE K3 = 17} along a local index on V loses rows.
 */
public privileged aspect DistinctPrefixAspect {

  pointcut initializing(QueryPlan plan) :
      execution(static void BaseResultIterators.initializeScan(QueryPlan, Integer, Integer, Scan))
      && args(plan, ..);

  void around(QueryPlan plan, Scan scan, Filter filter) :
      call(static void ScanUtil.andFilterAtEnd(Scan, Filter))
      && withincode(static void BaseResultIterators.initializeScan(..))
      && cflow(initializing(plan))
      && args(scan, filter) {
    boolean testedLater =
        scan.getAttribute(BaseScannerRegionObserverConstants.INDEX_FILTER) != null;
    if (!testedLater
        || !Patches.isOn(Patch.DISTINCT_PREFIX, plan.getContext().getConnection())) {
      proceed(plan, scan, filter);
    }
  }
}
