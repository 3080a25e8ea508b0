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

import org.apache.phoenix.compile.KeyPart;
import org.apache.phoenix.compile.WhereOptimizer;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.query.KeyRange;
import org.apache.phoenix.schema.SortOrder;
import org.apache.phoenix.schema.types.PVarbinary;

/**
 * Corrects the key ranges that Phoenix's {@code WhereOptimizer} creates for comparisons with the
 * least or the greatest values of a type (not reported). Phoenix makes an unbounded range if no
 * value can match. Its range of {@code K <= X'01'} for a VARBINARY lacks the values that begin with
 * a zero byte.
 *
 * <p>Example: {@code SELECT COUNT(*) FROM T WHERE K > 127} counts all rows if K is a TINYINT that
 * leads the key.
 */
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
      // Example: K > 127 of a TINYINT. No bytes sort after those of the greatest value.
      return KeyRange.EMPTY_RANGE;
    }
    return part.getColumn().getDataType() == PVarbinary.INSTANCE
            && part.getColumn().getSortOrder() == SortOrder.ASC
        ? withZeros(range)
        : range;
  }

  /**
   * Returns the range with a zero byte as its inclusive lower bound. To exclude nulls, Phoenix
   * starts the range after the zero byte, but binary values can begin with this byte.
   */
  private static KeyRange withZeros(KeyRange range) {
    return KeyRange.getKeyRange(LEAST, true, range.getUpperRange(), range.isUpperInclusive());
  }
}
