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

import java.util.List;
import org.apache.phoenix.compile.WhereOptimizer.KeyExpressionVisitor;
import org.apache.phoenix.pruning.config.RangePatches;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.query.KeyRange;

/**
 * Keeps a trailing range if Phoenix unites two ranges of a column, of which the first leaves all
 * later columns unbounded. Phoenix's {@code KeyExpressionVisitor.concat} keeps none, and {@code
 * andKeySlots} then searches for a trailing range forever (not reported).
 *
 * <p>Example: {@code SELECT * FROM S WHERE SUBSTR(K1, 1, 1) IN ('a', 'b') AND K2 = 1} never
 * finishes compiling.
 */
public aspect UnboundedUnionAspect {

  List<KeyRange[]> around(List<KeyRange[]> one, List<KeyRange[]> other) :
      execution(static List KeyExpressionVisitor.concat(List, List))
      && args(one, other) {
    return RangePatches.isOn(Patch.UNBOUNDED_UNION)
            && TrailingRanges.areDroppedByPhoenix(one, other)
        ? one
        : proceed(one, other);
  }
}
