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

import org.apache.hadoop.hbase.client.Consistency;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.phoenix.execute.BaseQueryPlan;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.schema.PTable;

/**
 * Reads local indexes from primary regions only. With the consistency TIMELINE, Phoenix's {@code
 * BaseQueryPlan} lets HBase read from a replica of the region. The replica reads the files of a
 * flush family by family, so it can have index rows without their data rows (not reported).
 *
 * <p>Example: {@code ALTER SESSION SET CONSISTENCY = 'TIMELINE'}, and then {@code SELECT K, W FROM
 * T WHERE V = 1} along an index on {@code V}, can return null for W.
 */
public privileged aspect TimelineReadAspect {

  Scan around(BaseQueryPlan plan, Consistency consistency) :
      call(Scan Scan.setConsistency(Consistency))
      && withincode(* BaseQueryPlan.iterator(..))
      && this(plan)
      && args(consistency) {
    return consistency == Consistency.TIMELINE
            && plan.context.getCurrentTable().getTable().getIndexType() == PTable.IndexType.LOCAL
            && Patches.isOn(Patch.TIMELINE_READ, plan.context.getConnection())
        ? proceed(plan, Consistency.STRONG)
        : proceed(plan, consistency);
  }
}
