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
package org.apache.phoenix.pruning.patch.aggregate;

import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.phoenix.expression.aggregator.Aggregator;
import org.apache.phoenix.expression.aggregator.Aggregators;
import org.apache.phoenix.expression.aggregator.ClientAggregators;
import org.apache.phoenix.expression.aggregator.DistinctCountClientAggregator;
import org.apache.phoenix.expression.function.SingleAggregateFunction;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.schema.tuple.SingleKeyValueTuple;
import org.apache.phoenix.schema.tuple.Tuple;
import org.apache.phoenix.schema.types.PLong;

/**
 * Starts each group of APPROX_COUNT_DISTINCT without values. The aggregators of Phoenix's {@code
 * DistinctCountHyperLogLogAggregateFunction} have no {@code reset}, so they also count the values
 * of earlier groups. They also cannot read a group again, for example to sort it (not reported).
 *
 * <p>Example: {@code SELECT A, APPROX_COUNT_DISTINCT(K) FROM T GROUP BY A} returns 1, 2 and 3 for
 * three groups of one row.
 */
public privileged aspect ApproximateCountAspect {

  /** Set when the aggregators are made. The advice for each group only reads this field. */
  private boolean Aggregators.countsApproximately;

  after(Aggregators aggregators) returning :
      execution(Aggregators.new(..)) && this(aggregators) {
    for (SingleAggregateFunction function : aggregators.functions) {
      if (ApproximateCounts.isApproximate(function) && Patches.isOn(Patch.APPROXIMATE_COUNT)) {
        aggregators.countsApproximately = true;
      }
    }
  }

  after(Aggregators aggregators, Aggregator[] current) returning :
      execution(void Aggregators.reset(Aggregator[]))
      && this(aggregators)
      && args(current) {
    if (aggregators.countsApproximately) {
      for (int i = 0; i < current.length; i++) {
        SingleAggregateFunction function = aggregators.functions[i];
        if (ApproximateCounts.isApproximate(function)) {
          Aggregator old = current[i];
          current[i] =
              ApproximateCounts.newAggregator(function, aggregators instanceof ClientAggregators);
          if (function.aggregator == old) {
            function.aggregator = current[i];
          }
        }
      }
    }
  }

  /** Takes the count of a group that the client reads again, for example to sort it. */
  void around(DistinctCountClientAggregator aggregator, Tuple group, ImmutableBytesWritable value) :
      execution(void *..HyperLogLogClientAggregator.aggregate(Tuple, ImmutableBytesWritable))
      && this(aggregator)
      && args(group, value) {
    if (group instanceof SingleKeyValueTuple && Patches.isOn(Patch.APPROXIMATE_COUNT)) {
      aggregator.cachedResult = PLong.INSTANCE.toObject(value);
    } else {
      proceed(aggregator, group, value);
    }
  }

  boolean around(DistinctCountClientAggregator aggregator, ImmutableBytesWritable value) :
      execution(boolean *..HyperLogLogClientAggregator.evaluate(Tuple, ImmutableBytesWritable))
      && this(aggregator)
      && args(*, value) {
    if (aggregator.cachedResult == null) {
      return proceed(aggregator, value);
    }
    value.set(PLong.INSTANCE.toBytes(aggregator.cachedResult));
    return true;
  }
}
