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
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.phoenix.compile.ColumnResolver;
import org.apache.phoenix.compile.DeleteCompiler;
import org.apache.phoenix.compile.FromCompiler;
import org.apache.phoenix.compile.MutationPlan;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.parse.DMLStatement;
import org.apache.phoenix.parse.DeleteStatement;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.schema.PTable;

/**
 * Refuses a DELETE at an SCN of a table with an index, as Phoenix refuses an UPSERT. Phoenix's
 * {@code IndexRegionObserver}, which maintains the index, gives all cells of a batch the current
 * time. So the DELETE would also delete rows that were written after the SCN (not reported).
 *
 * <p>Example: {@code DELETE FROM T WHERE K = 1} at an SCN between two UPSERTs of the row loses the
 * later value.
 */
public aspect PastDeleteAspect {

  after(DMLStatement delete, PhoenixConnection connection) returning(ColumnResolver resolver)
      throws SQLException :
      call(static ColumnResolver FromCompiler.getResolverForMutation(
          DMLStatement, PhoenixConnection))
      && withincode(MutationPlan DeleteCompiler.compile(DeleteStatement))
      && args(delete, connection) {
    if (connection.getSCN() != null && Patches.isOn(Patch.PAST_DELETE, connection)) {
      PTable table = resolver.getTables().get(0).getTable();
      if (!table.isTransactional()
          && table.getIndexMaintainers(new ImmutableBytesWritable(), connection)) {
        PastWrites.refuse(table, connection);
      }
    }
  }
}
