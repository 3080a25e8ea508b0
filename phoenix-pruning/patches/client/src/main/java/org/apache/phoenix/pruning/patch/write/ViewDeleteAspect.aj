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
package org.apache.phoenix.pruning.patch.write;

import java.sql.SQLException;
import org.apache.phoenix.compile.DeleteCompiler;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.execute.MutationState;
import org.apache.phoenix.index.IndexMaintainer;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.util.IndexUtil;

/**
 * Reads the keys of an inherited local index as its table or parent view has written them. For a
 * DELETE through a view, Phoenix's {@code DeleteCompiler} computes the keys of the data rows from
 * the index rows with an index maintainer of the view. This maintainer assumes that the index lacks
 * all key columns that the view fixes, but only an index of the view itself does (not reported).
 *
 * <p>Example: {@code DELETE FROM W WHERE V = 1} with {@code CREATE VIEW W AS SELECT * FROM T WHERE
 * K1 = 4} fails along a local index of T on V.
 */
public aspect ViewDeleteAspect {

  IndexMaintainer around(PTable data, PTable index, PhoenixConnection connection)
      throws SQLException :
      call(IndexMaintainer IndexMaintainer.create(PTable, PTable, PhoenixConnection))
      && withincode(MutationState DeleteCompiler.deleteRows(..))
      && args(data, index, connection) {
    PTable owner = InheritedIndexes.owner(data, index, connection);
    PTable own = owner == data ? index : InheritedIndexes.find(owner, index);
    return proceed(owner, own, connection);
  }

  byte[][] around(PTable data, QueryPlan plan) :
      call(byte[][] IndexUtil.getViewConstants(PTable))
      && withincode(MutationState DeleteCompiler.deleteRows(..))
      && args(data)
      && cflow(
          execution(MutationState DeleteCompiler.deleteRows(..)) && args(*, *, plan, *, *)) {
    return proceed(InheritedIndexes.owner(data, plan), plan);
  }
}
