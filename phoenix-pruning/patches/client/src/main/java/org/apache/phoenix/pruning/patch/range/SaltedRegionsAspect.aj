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

import java.util.Collection;
import java.util.List;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.phoenix.compile.GroupByCompiler.GroupBy;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.compile.ScanRanges;
import org.apache.phoenix.iterate.BaseResultIterators;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.schema.RowKeySchema;
import org.apache.phoenix.util.ScanUtil;

/**
 * Plans a scan for each bucket of a salted table, whatever the boundaries of its regions. Phoenix's
 * {@code BaseResultIterators} lists the regions bucket by bucket, so it lists a region with several
 * buckets several times. It also does not split a range at the start of a bucket if the range ends
 * with the table (PHOENIX-7580).
 *
 * <p>Example: {@code SELECT K FROM T WHERE K = 5} of a table with {@code SALT_BUCKETS = 4} and the
 * key {@code (K, L)} returns rows twice if the regions of the last buckets have been merged. It
 * loses the rows of the last bucket if a region has been split.
 */
public privileged aspect SaltedRegionsAspect {

  /** Adds the regions of a bucket, except for a region that the bucket before has added. */
  @SuppressWarnings("unchecked")
  boolean around(BaseResultIterators iterators, List all, Collection ofBucket) :
      call(boolean List.addAll(Collection))
      && withincode(* BaseResultIterators.getParallelScans(byte[], byte[]))
      && this(iterators)
      && target(all)
      && args(ofBucket) {
    return isOn(iterators)
        ? BucketScans.addRegions((List<HRegionLocation>) all, (List<HRegionLocation>) ofBucket)
        : proceed(iterators, all, ofBucket);
  }

  List<Scan> around(
      BaseResultIterators iterators,
      ScanRanges ranges,
      Scan scan,
      byte[] start,
      byte[] end,
      byte[] minimumKey,
      Integer buckets,
      boolean isEndOfRegion) :
      call(List<Scan> ScanRanges.intersectScan(
          Scan, byte[], byte[], int, byte[], Integer, boolean))
      && withincode(* BaseResultIterators.getParallelScans(byte[], byte[]))
      && this(iterators)
      && target(ranges)
      && args(scan, start, end, *, minimumKey, buckets, isEndOfRegion) {
    if (buckets == null || !isOn(iterators)) {
      return proceed(iterators, ranges, scan, start, end, minimumKey, buckets, isEndOfRegion);
    }
    QueryPlan plan = iterators.plan;
    RowKeySchema key = plan.getTableRef().getTable().getRowKeySchema();
    return new BucketScans(ranges, scan, key, buckets, isOrdered(plan))
        .between(start, end, minimumKey, isEndOfRegion);
  }

  /** Returns whether each scan has to return rows or groups in the order of the key. */
  private static boolean isOrdered(QueryPlan plan) {
    GroupBy groupBy = plan.getGroupBy();
    return (groupBy.isOrderPreserving() && !groupBy.isUngroupedAggregate())
        || ScanUtil.shouldRowsBeInRowKeyOrder(plan.getOrderBy(), plan.getContext());
  }

  /** Returns whether the patch is on. The keys of a local index have no bucket. */
  private static boolean isOn(BaseResultIterators iterators) {
    QueryPlan plan = iterators.plan;
    return plan.getTableRef().getTable().getIndexType() != PTable.IndexType.LOCAL
        && Patches.isOn(Patch.SALTED_REGIONS, plan.getContext().getConnection());
  }
}
