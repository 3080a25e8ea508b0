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
package org.apache.phoenix.pruning.patch.plan;

import org.apache.phoenix.compile.StatementContext;
import org.apache.phoenix.compile.WhereCompiler;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.schema.PTable.ImmutableStorageScheme;

/**
 * Compares the families of cells in the filters of immutable tables that keep each family in one
 * cell. All these cells have the same qualifier. Phoenix's {@code WhereCompiler} compares only
 * qualifiers, unless another family has a column of the same number (PHOENIX-6023 covers only that
 * case).
 *
 * <p>Example: with {@code (K INTEGER PRIMARY KEY, A.V INTEGER, B.W INTEGER, B.X INTEGER)
 * IMMUTABLE_ROWS=true}, {@code SELECT K, V FROM T WHERE X IS NULL} reads X from the cell of A.
 */
public aspect SingleCellFamilyAspect {

  void around(StatementContext context, boolean comparesFamilies) :
      execution(static void WhereCompiler.setScanFilter(StatementContext, .., boolean))
      && args(context, .., comparesFamilies) {
    proceed(
        context,
        comparesFamilies
            || hasSingleCells(context.getCurrentTable().getTable())
                && Patches.isOn(Patch.SINGLE_CELL_FAMILY, context.getConnection()));
  }

  private static boolean hasSingleCells(PTable table) {
    return table.getImmutableStorageScheme()
            == ImmutableStorageScheme.SINGLE_CELL_ARRAY_WITH_OFFSETS
        && table.getColumnFamilies().size() > 1;
  }
}
