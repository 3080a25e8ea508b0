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
package org.apache.phoenix.pruning.patch.order;

import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.phoenix.expression.aggregator.DistinctValueClientAggregator;
import org.apache.phoenix.expression.aggregator.DistinctValueWithCountClientAggregator;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.schema.SortOrder;
import org.apache.phoenix.schema.types.PDataType;

/**
 * Reads the result of an aggregate over distinct values as an ascending value after groups have
 * been sorted or merged. Phoenix's {@code DistinctValueWithCountClientAggregator} reads it in the
 * order of the column (not reported). COLLECTDISTINCT is left out, because it writes its result in
 * the order of the column.
 *
 * <p>Example: {@code SELECT A, COUNT(DISTINCT S) FROM T GROUP BY A ORDER BY COUNT(DISTINCT S)}
 * returns negative numbers if S is descending.
 */
public aspect DescendingAggregateAspect {

  Object around(
      DistinctValueWithCountClientAggregator aggregator,
      ImmutableBytesWritable result,
      PDataType type,
      SortOrder order) :
      call(Object PDataType.toObject(ImmutableBytesWritable, PDataType, SortOrder))
      && withincode(void DistinctValueWithCountClientAggregator.aggregate(..))
      && this(aggregator)
      && args(result, type, order) {
    boolean isAscending =
        Patches.isOn(Patch.DESCENDING_AGGREGATE)
            && !(aggregator instanceof DistinctValueClientAggregator);
    return proceed(aggregator, result, type, isAscending ? SortOrder.ASC : order);
  }
}
