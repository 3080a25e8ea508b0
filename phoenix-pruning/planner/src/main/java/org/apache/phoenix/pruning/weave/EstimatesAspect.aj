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
package org.apache.phoenix.pruning.weave;

import java.sql.SQLException;
import java.util.Map;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.phoenix.execute.BaseQueryPlan;
import org.apache.phoenix.iterate.ParallelScanGrouper;
import org.apache.phoenix.iterate.ResultIterator;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.pruning.scan.PlanningMode;

/**
 * Marks the estimates of a plan as computed, because each iterator computes them. Otherwise
 * Phoenix's {@code BaseQueryPlan} would create another iterator, and plan the regions again, only
 * for estimates.
 */
public privileged aspect EstimatesAspect {

  after(BaseQueryPlan plan) returning throws SQLException :
      execution(ResultIterator BaseQueryPlan.iterator(Map, ParallelScanGrouper, Scan))
      && this(plan) {
    if (PlanningMode.of(plan) != PruningMode.STOCK) {
      plan.getEstimatesCalled = true;
    }
  }
}
