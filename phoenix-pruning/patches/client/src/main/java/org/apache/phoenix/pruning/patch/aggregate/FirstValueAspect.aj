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
import org.apache.phoenix.expression.aggregator.ServerAggregators;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;

/**
 * Rewrites FIRST_VALUE and related functions before they are sent to the servers. The servers then
 * leave out null values, and compare the values of WITHIN GROUP in ascending order. Phoenix's
 * {@code FirstLastValueServerAggregator} mistakes a null of an index for a value, and compares the
 * bytes of descending values as they are (not reported).
 *
 * <p>Example: {@code SELECT FIRST_VALUE(S) WITHIN GROUP (ORDER BY K ASC) FROM T} along an index on
 * {@code (A, S)} returns null if only the first S is null.
 */
public aspect FirstValueAspect {

  byte[] around(List functions) :
      execution(static byte[] ServerAggregators.serialize(List, int))
      && args(functions, int) {
    // The client must be able to read a group without a value.
    return proceed(
        Patches.isOn(Patch.FIRST_VALUE) && Patches.isOn(Patch.ABSENT_AGGREGATE)
            ? FirstValues.forServers(functions)
            : functions);
  }
}
