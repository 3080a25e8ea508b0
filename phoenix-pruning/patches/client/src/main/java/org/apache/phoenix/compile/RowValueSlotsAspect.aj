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

import java.util.Collections;
import java.util.List;
import org.apache.phoenix.compile.WhereOptimizer.KeyExpressionVisitor.KeySlot;
import org.apache.phoenix.compile.WhereOptimizer.KeyExpressionVisitor.KeySlots;
import org.apache.phoenix.compile.WhereOptimizer.KeyExpressionVisitor;
import org.apache.phoenix.pruning.patch.range.RowValueColumns;
import org.apache.phoenix.schema.PColumn;

/**
 * Lets plain classes use private members of Phoenix's {@code KeyExpressionVisitor}, for the patch
 * {@code row-value-ranges} (PHOENIX-7760). This aspect corrects nothing itself. {@link
 * RowValueSwitchAspect}, {@link RowValueAndAspect}, {@link RowValueOrAspect}, {@link
 * RowValueTrailingAspect} and {@link RowValueAlternativesAspect} do.
 */
public privileged aspect RowValueSlotsAspect {

  declare parents : KeyExpressionVisitor implements RowValueVisitor;

  private RowValueColumns KeyExpressionVisitor.rowValueColumns;

  public RowValueColumns KeyExpressionVisitor.columns() {
    if (rowValueColumns == null) {
      rowValueColumns = new RowValueColumns(table.getRowKeySchema());
    }
    return rowValueColumns;
  }

  public boolean KeyExpressionVisitor.isSalted() {
    return table.getBucketNum() != null;
  }

  public boolean KeyExpressionVisitor.isNeverTrue(KeySlots slots) {
    return slots == KeyExpressionVisitor.EMPTY_KEY_SLOTS;
  }

  public KeySlots KeyExpressionVisitor.newSlots(List<KeySlot> slots, boolean isPartial) {
    return new KeyExpressionVisitor.MultiKeySlot(slots, isPartial);
  }

  public KeyPart KeyExpressionVisitor.newResidualPart(PColumn column) {
    return new KeyExpressionVisitor.BaseKeyPart(table, column, Collections.emptySet());
  }
}
