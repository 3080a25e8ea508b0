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
package org.apache.phoenix.pruning.patch.group;

import org.apache.hadoop.hbase.client.Scan;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.coprocessorclient.BaseScannerRegionObserverConstants;
import org.apache.phoenix.execute.AggregatePlan;
import org.apache.phoenix.iterate.BaseResultIterators;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.util.ScanUtil;

/**
 * Lets a server apply the LIMIT of a DISTINCT or GROUP BY only if the client neither sorts nor
 * filters the groups afterwards (not reported).
 *
 * <ul>
 *   <li>{@code SELECT DISTINCT A FROM T WHERE V >= 0 ORDER BY A LIMIT 2} along an index on {@code
 *       (V, A)}: the client sorts all groups by their keys, so Phoenix's {@code AggregatePlan}
 *       removes the ORDER BY. It then sends the LIMIT to the servers, which return the first two
 *       groups that they find.
 *   <li>{@code SELECT DISTINCT V FROM T ORDER BY V DESC LIMIT 2} along an index on {@code V}:
 *       {@code BaseResultIterators} sends the LIMIT in a {@code PageFilter}, although the client
 *       sorts. The rows have the lowest values. The filter also ignores OFFSET and HAVING.
 * </ul>
 */
public aspect GroupLimitAspect {

  Scan around(AggregatePlan plan, Scan scan, String name) :
      call(Scan Scan.setAttribute(String, byte[]))
      && withincode(* AggregatePlan.newIterator(..))
      && this(plan)
      && target(scan)
      && args(name, *) {
    return !BaseScannerRegionObserverConstants.GROUP_BY_LIMIT.equals(name)
            || GroupLimit.isForServers(plan)
            || !Patches.isOn(Patch.GROUP_LIMIT, plan.getContext().getConnection())
        ? proceed(plan, scan, name)
        : scan;
  }

  after(QueryPlan plan, Scan scan) returning :
      execution(static void BaseResultIterators.initializeScan(QueryPlan, Integer, Integer, Scan))
      && args(plan, *, *, scan) {
    if (plan instanceof AggregatePlan
        && !GroupLimit.isLimitOfRows((AggregatePlan) plan, scan)
        && Patches.isOn(Patch.GROUP_LIMIT, plan.getContext().getConnection())) {
      ScanUtil.removePageFilter(scan);
    }
  }
}
