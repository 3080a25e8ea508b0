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
import org.apache.phoenix.expression.aggregator.BaseDecimalStddevAggregator;
import org.apache.phoenix.expression.aggregator.BaseStddevAggregator;
import org.apache.phoenix.expression.aggregator.DistinctValueWithCountClientAggregator;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.schema.tuple.Tuple;
import org.apache.phoenix.schema.types.PDataType;

/**
 * Reads descending values for STDDEV_POP and STDDEV_SAMP, and returns null if there are not enough
 * values. Phoenix's {@code BaseStddevAggregator} and {@code BaseDecimalStddevAggregator} read the
 * bytes of a descending column as ascending, and fail if they divide by 0 (not reported).
 *
 * <p>Example: {@code SELECT STDDEV_POP(D) FROM T} along an index on {@code D DESC} returns a wrong
 * number.
 */
public privileged aspect StandardDeviationAspect {

  Object around(
      DistinctValueWithCountClientAggregator aggregator,
      PDataType type,
      ImmutableBytesWritable bytes,
      PDataType actualType) :
      call(Object PDataType.toObject(ImmutableBytesWritable, PDataType))
      && withincode(double BaseStddevAggregator.*())
      && this(aggregator)
      && target(type)
      && args(bytes, actualType) {
    return Patches.isOn(Patch.STANDARD_DEVIATION)
        ? type.toObject(bytes, actualType, aggregator.sortOrder)
        : proceed(aggregator, type, bytes, actualType);
  }

  Object around(
      DistinctValueWithCountClientAggregator aggregator,
      PDataType type,
      ImmutableBytesWritable bytes) :
      call(Object PDataType.toObject(ImmutableBytesWritable))
      && withincode(java.math.BigDecimal BaseDecimalStddevAggregator.*())
      && this(aggregator)
      && target(type)
      && args(bytes) {
    return Patches.isOn(Patch.STANDARD_DEVIATION)
        ? type.toObject(bytes, type, aggregator.sortOrder)
        : proceed(aggregator, type, bytes);
  }

  boolean around(BaseStddevAggregator aggregator, ImmutableBytesWritable result) :
      execution(boolean BaseStddevAggregator.evaluate(Tuple, ImmutableBytesWritable))
      && this(aggregator)
      && args(*, result) {
    return StandardDeviations.setNull(
            aggregator.cachedResult, aggregator.getDataPointsCount(), result)
        || proceed(aggregator, result);
  }

  boolean around(BaseDecimalStddevAggregator aggregator, ImmutableBytesWritable result) :
      execution(boolean BaseDecimalStddevAggregator.evaluate(Tuple, ImmutableBytesWritable))
      && this(aggregator)
      && args(*, result) {
    return StandardDeviations.setNull(
            aggregator.cachedResult, aggregator.getDataPointsCount(), result)
        || proceed(aggregator, result);
  }
}
