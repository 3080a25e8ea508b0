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
package org.apache.phoenix.compile;

import java.util.List;
import org.apache.phoenix.compile.WhereOptimizer.KeyExpressionVisitor.KeySlots;
import org.apache.phoenix.compile.WhereOptimizer.KeyExpressionVisitor;
import org.apache.phoenix.expression.OrExpression;

/**
 * Unites the ranges of an OR whose alternatives have different numbers of columns, for the patch
 * {@code row-value-ranges}. Phoenix's {@code KeyExpressionVisitor.orKeySlots} compares only as many
 * columns as the first alternative has (PHOENIX-7760 describes another part of the defect). {@link
 * RowValueOr} does the work.
 *
 * <p>Example: {@code SELECT * FROM T WHERE A = 1 OR (A, B, C) > (3, 5, 2)} loses the rows of A = 1.
 */
public privileged aspect RowValueOrAspect {

  KeySlots around(KeyExpressionVisitor visitor, OrExpression or, List<KeySlots> alternatives) :
      execution(KeySlots KeyExpressionVisitor.orKeySlots(..))
      && RowValueSwitchAspect.visiting(visitor)
      && args(or, alternatives) {
    if (RowValueOr.isPlain(alternatives)) {
      return proceed(visitor, or, alternatives);
    }
    RowValueOr rowValues = RowValueOr.of((RowValueVisitor) (Object) visitor, alternatives);
    return rowValues == null
        ? null
        : rowValues.adjust(proceed(visitor, or, rowValues.alternatives()));
  }
}
