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

import org.apache.phoenix.expression.aggregator.Aggregator;
import org.apache.phoenix.expression.function.DistinctCountHyperLogLogAggregateFunction;
import org.apache.phoenix.expression.function.SingleAggregateFunction;

/** Creates aggregators of APPROX_COUNT_DISTINCT. */
public final class ApproximateCounts {

  private ApproximateCounts() {}

  /** Returns whether {@code function} is APPROX_COUNT_DISTINCT. */
  public static boolean isApproximate(SingleAggregateFunction function) {
    return function instanceof DistinctCountHyperLogLogAggregateFunction;
  }

  /** Returns an aggregator without values. */
  public static Aggregator newAggregator(SingleAggregateFunction function, boolean isOfClient) {
    return isOfClient ? function.newClientAggregator() : function.newServerAggregator(null);
  }
}
