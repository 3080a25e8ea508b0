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

import java.util.ArrayList;
import java.util.Set;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.phoenix.compile.OrderByCompiler.OrderBy;
import org.apache.phoenix.compile.ScanRanges;
import org.apache.phoenix.compile.StatementContext;
import org.apache.phoenix.compile.WhereCompiler;
import org.apache.phoenix.compile.WhereOptimizer;
import org.apache.phoenix.execute.HashJoinPlan;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.iterate.ParallelScanGrouper;
import org.apache.phoenix.iterate.ResultIterator;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.thirdparty.com.google.common.base.Optional;

/**
 * Keeps skip scans out of scans that read in reverse. Phoenix's {@code SkipScanFilter} seeks
 * forwards only, so {@code OrderByCompiler} does not read a skip scan in reverse. But {@code
 * HashJoinPlan} compiles the WHERE again with the result of a subquery, when the order of the scan
 * is already chosen (not reported).
 *
 * <p>Example: {@code SELECT K FROM T WHERE K IN (SELECT X FROM D) ORDER BY K DESC} returns keys
 * that the subquery does not have, or fails.
 */
public privileged aspect ReverseSkipScanAspect {

  /** True while the WHERE of a scan in reverse is compiled again. */
  private boolean StatementContext.readsInReverse;

  before(HashJoinPlan plan, StatementContext context) :
      call(static Expression WhereCompiler.compile(StatementContext, ..))
      && withincode(ResultIterator HashJoinPlan.iterator(ParallelScanGrouper, Scan))
      && this(plan)
      && args(context, ..) {
    context.readsInReverse =
        plan.getOrderBy() == OrderBy.REV_ROW_KEY_ORDER_BY
            && Patches.isOn(Patch.REVERSE_SKIP_SCAN, context.getConnection());
  }

  /**
   * Reads from the first key of the skip scan to the last one, and leaves the whole WHERE in the
   * filter.
   */
  Expression around(StatementContext context, Expression where) :
      execution(static Expression WhereOptimizer.pushKeyExpressionsToScan(
          StatementContext, Set, Expression, Set, Optional))
      && args(context, *, where, ..) {
    Expression rest = proceed(context, where);
    if (!context.readsInReverse || !context.getScanRanges().useSkipScanFilter()) {
      return rest;
    }
    context.setScanRanges(
        withoutSkipScan(
            context.getScanRanges(), context.getCurrentTable().getTable().getBucketNum()));
    return where;
  }

  private static ScanRanges withoutSkipScan(ScanRanges ranges, Integer buckets) {
    return new ScanRanges(
        ranges.schema,
        ranges.slotSpan,
        new ArrayList<>(ranges.ranges),
        ranges.scanRange,
        false,
        false,
        ranges.isPointLookup ? null : buckets,
        ranges.rowTimestampRange);
  }
}
