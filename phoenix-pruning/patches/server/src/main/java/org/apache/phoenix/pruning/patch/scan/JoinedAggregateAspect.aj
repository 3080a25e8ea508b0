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
package org.apache.phoenix.pruning.patch.scan;

import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.phoenix.coprocessor.BaseScannerRegionObserver;
import org.apache.phoenix.coprocessor.GroupedAggregateRegionObserver;
import org.apache.phoenix.coprocessor.UngroupedAggregateRegionObserver;
import org.apache.phoenix.execute.TupleProjector;
import org.apache.phoenix.join.HashJoinInfo;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.pruning.protocol.PatchRequest;

/**
 * Projects the rows of a local index only once if they are joined and aggregated. Phoenix's {@code
 * GroupedAggregateRegionObserver} and {@code UngroupedAggregateRegionObserver} let {@code
 * getWrappedScanner} project them before the join. {@code HashJoinRegionScanner} projects them
 * again, and then finds null in each column (not reported).
 *
 * <p>Example: {@code SELECT COUNT(*) FROM T WHERE V = 1 AND C IN (SELECT X FROM D)} along a local
 * index on V returns 0.
 */
public privileged aspect JoinedAggregateAspect {

  RegionScanner around(Scan scan, TupleProjector projector) :
      call(RegionScanner BaseScannerRegionObserver.getWrappedScanner(..))
      && (within(GroupedAggregateRegionObserver) || within(UngroupedAggregateRegionObserver))
      && args(*, *, *, scan, *, *, *, *, *, projector, *, *) {
    boolean isJoined =
        PatchRequest.of(scan).has(Patch.JOINED_AGGREGATE)
            && HashJoinInfo.deserializeHashJoinFromScan(scan) != null;
    return proceed(scan, isJoined ? null : projector);
  }
}
