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

import java.sql.SQLException;
import org.apache.phoenix.compile.StatementContext;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.schema.ColumnNotFoundException;
import org.apache.phoenix.schema.IndexUncoveredDataColumnRef;
import org.apache.phoenix.schema.PColumn;

/**
 * Refuses an index that lacks a column with a DEFAULT. Phoenix then makes another plan, as for
 * other columns that are not found.
 *
 * <p>The server looks up the column in the data row, and returns null if the row has no cell for
 * it. Only Phoenix's {@code ColumnRef}, which reads the data table, adds the default (not
 * reported).
 *
 * <p>Example: {@code SELECT K, W FROM T WHERE V = 5} along an index on V, with {@code W INTEGER
 * DEFAULT 10}, returns null instead of 10.
 */
public aspect DefaultColumnAspect {

  // The two patches are independent.
  declare precedence : DefaultColumnAspect, UndefinedColumnAspect;

  after(StatementContext context) returning(IndexUncoveredDataColumnRef column)
      throws SQLException :
      call(IndexUncoveredDataColumnRef.new(StatementContext, ..)) && args(context, ..) {
    PColumn read = column.getColumn();
    if (read.getExpressionStr() != null
        && Patches.isOn(Patch.DEFAULT_COLUMN, context.getConnection())) {
      throw new ColumnNotFoundException(read.getName().getString());
    }
  }
}
