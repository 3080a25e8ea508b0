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
import org.apache.phoenix.schema.TableRef;
import org.apache.phoenix.util.IndexUtil;

/**
 * Names the column in the error if a statement on an index selects a column that neither the index
 * nor its table has. Phoenix's {@code IndexUncoveredDataColumnRef} expects names of index columns,
 * which have a colon, and fails with a {@code StringIndexOutOfBoundsException} (not reported).
 *
 * <p>Example: {@code SELECT A FROM I}, with {@code CREATE LOCAL INDEX I ON T (V)}.
 */
public aspect UndefinedColumnAspect {

  before(StatementContext context, TableRef index, String name) throws SQLException :
      call(IndexUncoveredDataColumnRef.new(StatementContext, TableRef, String))
      && args(context, index, name) {
    if (name.indexOf(IndexUtil.INDEX_COLUMN_NAME_SEP) < 0
        && Patches.isOn(Patch.UNDEFINED_COLUMN, context.getConnection())) {
      throw new ColumnNotFoundException(
          index.getTable().getSchemaName().getString(),
          index.getTable().getTableName().getString(),
          null,
          name);
    }
  }
}
