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
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.schema.PTableImpl;
import org.apache.phoenix.schema.PTableType;

/**
 * Lets a write through a view maintain all local indexes of its table and of the views between
 * them. Phoenix's {@code ViewUtil.addIndexesFromParent} keeps only the indexes that queries of the
 * view can use, and a write maintains no others (not reported).
 *
 * <p>Example: {@code UPSERT INTO W (K, A, V) VALUES (1, 2, 3)} with {@code CREATE VIEW W AS SELECT
 * * FROM T WHERE A = 2} writes no row into a local index of T on V, which lacks A.
 */
public privileged aspect ViewWritesAspect {

  /** Maintainers of the last write, or null. */
  private volatile AncestorIndexes PTableImpl.ancestorIndexes;

  boolean around(PTableImpl table, ImmutableBytesWritable target, PhoenixConnection connection)
      throws SQLException :
      execution(
          boolean PTableImpl.getIndexMaintainers(ImmutableBytesWritable, PhoenixConnection))
      && this(table)
      && args(target, connection) {
    if (table.getType() != PTableType.VIEW || !Patches.isOn(Patch.VIEW_WRITES, connection)) {
      return proceed(table, target, connection);
    }
    AncestorIndexes indexes = AncestorIndexes.of(table, connection, table.ancestorIndexes);
    table.ancestorIndexes = indexes;
    if (indexes.isEmpty()) {
      return proceed(table, target, connection);
    }
    PastWrites.refuse(table, connection);
    target.set(indexes.maintainers());
    return true;
  }
}
