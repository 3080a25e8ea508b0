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
import org.apache.phoenix.expression.aggregator.FirstLastValueBaseClientAggregator;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.schema.tuple.Tuple;

/**
 * Merges the values that several scans return for FIRST_VALUES, LAST_VALUES and NTH_VALUE.
 * Phoenix's {@code FirstLastValueBaseClientAggregator} returns the first values of each scan, and
 * loses the result when the client sorts or merges groups (not reported).
 *
 * <p>Example: {@code SELECT FIRST_VALUES(V, 2) WITHIN GROUP (ORDER BY K ASC) FROM T} over two
 * regions returns four values.
 */
public privileged aspect MergedValuesAspect {

  after(FirstLastValueBaseClientAggregator aggregator) returning :
      execution(void FirstLastValueBaseClientAggregator.aggregate(Tuple, ImmutableBytesWritable))
      && this(aggregator) {
    if (aggregator.useOffset
        && aggregator.isArrayReturnType
        && Patches.isOn(Patch.MERGED_VALUES)) {
      FirstValues.keep(aggregator.topValues, aggregator.offset, aggregator.isAscending);
    }
  }

  /** Returns the result that was computed before the client sorted or merged the group. */
  boolean around(FirstLastValueBaseClientAggregator aggregator, ImmutableBytesWritable result) :
      execution(boolean FirstLastValueBaseClientAggregator.evaluate(Tuple, ImmutableBytesWritable))
      && this(aggregator)
      && args(*, result) {
    if (aggregator.useOffset
        && aggregator.topValue != null
        && Patches.isOn(Patch.MERGED_VALUES)) {
      result.set(aggregator.topValue);
      return true;
    }
    return proceed(aggregator, result);
  }
}
