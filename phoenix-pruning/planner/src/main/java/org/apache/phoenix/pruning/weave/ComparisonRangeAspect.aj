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
package org.apache.phoenix.pruning.weave;

import org.apache.phoenix.compile.KeyPart;
import org.apache.phoenix.compile.WhereOptimizer;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.pruning.patch.Patches;
import org.apache.phoenix.query.KeyRange;
import org.apache.phoenix.schema.SortOrder;
import org.apache.phoenix.schema.types.PVarbinary;

/** Corrects the key ranges of comparisons with the least and the greatest values of a type. */
public privileged aspect ComparisonRangeAspect {

  private static final byte[] LEAST = {0};

  KeyRange around(WhereOptimizer.KeyExpressionVisitor visitor, KeyPart part) :
      call(KeyRange KeyPart.getKeyRange(..))
      && withincode(* WhereOptimizer.KeyExpressionVisitor.visitLeave(..))
      && this(visitor)
      && target(part) {
    KeyRange range = proceed(visitor, part);
    if (range == null
        || !range.lowerUnbound()
        || !(part instanceof WhereOptimizer.KeyExpressionVisitor.BaseKeyPart)
        || !Patches.isOn(Patch.COMPARISON_RANGE, visitor.context.getConnection())) {
      return range;
    }
    if (range.upperUnbound()) {
      // Of K > 127 and TINYINT: there are no bytes after the greatest ones.
      return KeyRange.EMPTY_RANGE;
    }
    return part.getColumn().getDataType() == PVarbinary.INSTANCE
            && part.getColumn().getSortOrder() == SortOrder.ASC
        ? withZeros(range)
        : range;
  }

  /** To leave out nulls, Phoenix begins after the zero byte, which binary values can begin with. */
  private static KeyRange withZeros(KeyRange range) {
    return KeyRange.getKeyRange(LEAST, true, range.getUpperRange(), range.isUpperInclusive());
  }
}
