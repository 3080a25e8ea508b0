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

import java.util.List;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.phoenix.expression.ColumnExpression;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.expression.KeyValueColumnExpression;
import org.apache.phoenix.expression.aggregator.DistinctValueWithCountClientAggregator;
import org.apache.phoenix.expression.aggregator.PercentRankClientAggregator;
import org.apache.phoenix.expression.aggregator.PercentileClientAggregator;
import org.apache.phoenix.expression.aggregator.PercentileDiscClientAggregator;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.schema.tuple.Tuple;
import org.apache.phoenix.util.ByteUtil;

/**
 * Computes PERCENTILE_CONT, PERCENTILE_DISC and PERCENT_RANK of any argument. Phoenix's {@code
 * PercentileClientAggregator}, {@code PercentileDiscClientAggregator} and {@code
 * PercentRankClientAggregator} fail if the argument is not a column, which is usual along an index.
 * PERCENTILE_DISC also fails for a DECIMAL. PERCENTILE_DISC and PERCENT_RANK fail if there is no
 * value (not reported).
 *
 * <p>Example: {@code SELECT PERCENTILE_DISC(0.5) WITHIN GROUP (ORDER BY V ASC) FROM T} along an
 * index on V, a nullable INTEGER, fails with a {@code ClassCastException}.
 */
public privileged aspect PercentileAspect {

  pointcut evaluation() :
      withincode(boolean PercentileClientAggregator.evaluate(..))
      || withincode(boolean PercentileDiscClientAggregator.evaluate(..))
      || withincode(boolean PercentRankClientAggregator.evaluate(..));

  /** Returns a column with the type of the argument. Phoenix reads nothing else of the argument. */
  Object around(int index) :
      call(* List.get(int))
      && evaluation()
      && args(index) {
    Object argument = proceed(index);
    return index == 0
            && !(argument instanceof ColumnExpression)
            && Patches.isOn(Patch.PERCENTILE)
        ? new KeyValueColumnExpression(
            (Expression) argument, ByteUtil.EMPTY_BYTE_ARRAY, ByteUtil.EMPTY_BYTE_ARRAY)
        : argument;
  }

  /** Returns null if there is no value, as PERCENTILE_CONT does. */
  boolean around(DistinctValueWithCountClientAggregator aggregator, ImmutableBytesWritable result) :
      (execution(boolean PercentileDiscClientAggregator.evaluate(Tuple, ImmutableBytesWritable))
          || execution(boolean PercentRankClientAggregator.evaluate(Tuple, ImmutableBytesWritable)))
      && this(aggregator)
      && args(*, result) {
    if (aggregator.cachedResult == null
        && aggregator.totalCount == 0
        && Patches.isOn(Patch.PERCENTILE)) {
      result.set(ByteUtil.EMPTY_BYTE_ARRAY);
      return true;
    }
    return proceed(aggregator, result);
  }

  /** Returns the result in its own length. Phoenix copies 21 bytes of each DECIMAL. */
  void around(PercentileDiscClientAggregator aggregator, Object bytes) :
      call(static void System.arraycopy(Object, int, Object, int, int))
      && withincode(boolean PercentileDiscClientAggregator.evaluate(..))
      && this(aggregator)
      && args(bytes, ..) {
    if (Patches.isOn(Patch.PERCENTILE)) {
      aggregator.buffer = (byte[]) bytes;
    } else {
      proceed(aggregator, bytes);
    }
  }
}
