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
import org.apache.phoenix.expression.AndExpression;

/**
 * Keeps a condition of an AND in the filter if its key ranges contain keys that do not match, for
 * the patch {@code row-value-ranges}. Phoenix's {@code KeyExpressionVisitor.andKeySlots} removes
 * such a condition (PHOENIX-7760 describes another part of the defect). {@link RowValueAnd} does
 * the work.
 *
 * <p>Example: {@code SELECT * FROM T WHERE (A, B) IN ((4, 'x'), (2, 'x')) AND C > 2} does not test
 * C if the key is {@code (A DESC, B, C)}.
 */
public privileged aspect RowValueAndAspect {

  KeySlots around(KeyExpressionVisitor visitor, AndExpression and, List<KeySlots> children) :
      execution(KeySlots KeyExpressionVisitor.andKeySlots(..))
      && RowValueSwitchAspect.visiting(visitor)
      && args(and, children) {
    visitor.andRanges().start();
    if (RowValueSlots.areSingleColumns(children)) {
      return proceed(visitor, and, children);
    }
    RowValueAnd rowValues = new RowValueAnd((RowValueVisitor) (Object) visitor, children);
    KeySlots combined = proceed(visitor, and, rowValues.ordered());
    return rowValues.adjust(combined, visitor.andRanges().isWider());
  }
}
