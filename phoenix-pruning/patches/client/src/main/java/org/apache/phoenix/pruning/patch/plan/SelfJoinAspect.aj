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
import org.apache.phoenix.compile.ColumnResolver;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.schema.ColumnRef;

/**
 * Distinguishes the columns of two uses of one table that a join reads along local indexes.
 * Phoenix's {@code JoinCompiler} and {@code FromCompiler} name a column that an index lacks by the
 * table, without the alias (not reported).
 *
 * <p>Example: {@code SELECT A.W, B.W FROM T A JOIN T B ON A.V = B.V WHERE A.V = 1 AND B.V = 1}
 * along a local index on V returns A.W twice, or fails.
 */
public aspect SelfJoinAspect {

  boolean around(ColumnRef column, Object other) :
      execution(boolean ColumnRef.equals(Object))
      && this(column)
      && args(other) {
    return proceed(column, other)
        && (column.getClass() == ColumnRef.class
            || !Patches.isOn(Patch.SELF_JOIN)
            || column.getTableRef().equals(((ColumnRef) other).getTableRef()));
  }

  ColumnRef around(ColumnResolver resolver, String schema, String table, String column)
      throws SQLException :
      execution(ColumnRef *..FromCompiler.ProjectedTableColumnResolver.resolveColumn(
          String, String, String))
      && this(resolver)
      && args(schema, table, column) {
    ColumnRef lookedUp =
        table == null || !Patches.isOn(Patch.SELF_JOIN)
            ? null
            : JoinedColumns.lookedUp(resolver.getTables().get(0), schema, table, column);
    return lookedUp == null ? proceed(resolver, schema, table, column) : lookedUp;
  }
}
