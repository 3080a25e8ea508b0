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

import java.util.ArrayList;
import java.util.List;
import org.apache.phoenix.schema.AmbiguousColumnException;
import org.apache.phoenix.schema.ColumnNotFoundException;
import org.apache.phoenix.schema.DelegateColumn;
import org.apache.phoenix.schema.DelegateTable;
import org.apache.phoenix.schema.PColumn;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.util.IndexUtil;
import org.jspecify.annotations.Nullable;

/**
 * View that hides the fixed value of each column that a given index has. The rows of this index can
 * have other values.
 */
public final class ParentOfIndex extends DelegateTable {

  private final List<PColumn> columns;

  private ParentOfIndex(PTable view, List<PColumn> columns) {
    super(view);
    this.columns = columns;
  }

  /** Returns {@code view}, or a copy if {@code index} has columns that the view fixes. */
  public static PTable of(PTable view, PTable index) {
    List<PColumn> columns = null;
    for (int i = 0; i < view.getColumns().size(); i++) {
      PColumn column = view.getColumns().get(i);
      if (column.getViewConstant() != null && has(index, column)) {
        if (columns == null) {
          columns = new ArrayList<>(view.getColumns());
        }
        columns.set(i, new FreeColumn(column));
      }
    }
    return columns == null ? view : new ParentOfIndex(view, columns);
  }

  private static boolean has(PTable index, PColumn column) {
    try {
      index.getColumnForColumnName(IndexUtil.getIndexColumnName(column));
      return true;
    } catch (ColumnNotFoundException fixedInAllRows) {
      return false;
    } catch (AmbiguousColumnException several) {
      return true;
    }
  }

  @Override
  public List<PColumn> getColumns() {
    return columns;
  }

  /** Column without a fixed value. */
  private static final class FreeColumn extends DelegateColumn {

    FreeColumn(PColumn column) {
      super(column);
    }

    @Override
    public byte @Nullable [] getViewConstant() {
      return null;
    }
  }
}
