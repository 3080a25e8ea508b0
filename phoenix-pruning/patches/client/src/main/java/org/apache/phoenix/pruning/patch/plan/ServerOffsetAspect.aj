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

import java.util.List;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.phoenix.compile.OrderByCompiler.OrderBy;
import org.apache.phoenix.compile.StatementContext;
import org.apache.phoenix.execute.ScanPlan;
import org.apache.phoenix.iterate.SerialIterators;
import org.apache.phoenix.schema.PTable.IndexType;

/**
 * Skips the rows of an OFFSET if Phoenix's server does not. The server compares the start of a scan
 * with the scan attribute {@code _ScanActualStartRow}. If they differ, {@code
 * NonAggregateRegionScannerFactory} assumes that the scan continues in another region, and skips no
 * rows (not reported).
 *
 * <ul>
 *   <li>They differ in most reverse scans, so the client skips the rows. Example: {@code SELECT K
 *       FROM T ORDER BY K DESC LIMIT 3 OFFSET 2} of a table with several regions.
 *   <li>They also differ in a scan of a local index, because the server puts the start of its
 *       region before the start row. The client also skips these rows.
 *   <li>Some scans that start inside a region have no such attribute. Then the server fails with a
 *       {@code NullPointerException}, and holds a lock of the region for good.
 * </ul>
 */
public privileged aspect ServerOffsetAspect {

  boolean around(StatementContext context, OrderBy order, IndexType indexType) :
      execution(private static boolean ScanPlan.isOffsetPossibleOnServer(..))
      && args(context, order, *, *, indexType) {
    return !ServerOffset.skipsNoRows(order, indexType, context.getConnection())
        && proceed(context, order, indexType);
  }

  before(SerialIterators iterators, List<List<Scan>> scans) :
      execution(void SerialIterators.submitWork(..))
      && this(iterators)
      && args(scans, ..) {
    if (iterators.offset != null) {
      ServerOffset.addStarts(scans, iterators.context.getConnection());
    }
  }
}
