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
import java.util.Collections;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.phoenix.coprocessorclient.BaseScannerRegionObserverConstants;
import org.apache.phoenix.execute.BaseQueryPlan;
import org.apache.phoenix.index.IndexMaintainer;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.schema.PTable;

/**
 * Sends the server the index maintainer of a local index that a view inherits from its table. The
 * server needs the maintainer to look up data rows.
 *
 * <p>Phoenix's {@code BaseQueryPlan.serializeIndexMaintainerIntoScan} searches the indexes of the
 * table for the name that the index has in the view. It finds no index, and a query of the view
 * fails if the index lacks a column (not reported).
 *
 * <p>Example: {@code SELECT K3, U FROM A WHERE V = 1} along a local index of T on V, with {@code
 * CREATE VIEW A AS SELECT * FROM T WHERE K1 = 4}, fails.
 */
public privileged aspect InheritedIndexAspect {

  after(BaseQueryPlan plan, Scan scan, PTable dataTable) returning throws SQLException :
      execution(void BaseQueryPlan.serializeIndexMaintainerIntoScan(Scan, PTable))
      && this(plan)
      && args(scan, dataTable) {
    PTable inView = plan.context.getCurrentTable().getTable();
    if (inView.getIndexType() != PTable.IndexType.LOCAL
        || !Patches.isOn(Patch.INHERITED_INDEX, plan.context.getConnection())
        || dataTable.getIndexes().stream()
            .anyMatch(index -> index.getName().equals(inView.getName()))) {
      return;
    }
    for (PTable index : dataTable.getIndexes()) {
      if (index.getIndexType() == PTable.IndexType.LOCAL
          && index.getViewIndexId().equals(inView.getViewIndexId())) {
        ImmutableBytesWritable maintainer = new ImmutableBytesWritable();
        IndexMaintainer.serialize(
            dataTable, maintainer, Collections.singletonList(index), plan.context.getConnection());
        scan.setAttribute(
            BaseScannerRegionObserverConstants.LOCAL_INDEX_BUILD_PROTO, maintainer.copyBytes());
      }
    }
  }
}
