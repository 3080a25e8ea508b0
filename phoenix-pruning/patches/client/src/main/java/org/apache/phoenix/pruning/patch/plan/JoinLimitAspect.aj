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

import org.apache.phoenix.execute.HashJoinPlan;
import org.apache.phoenix.execute.ScanPlan;

/**
 * Lets an outer join read more rows than its LIMIT if a condition drops joined rows. Phoenix's
 * {@code QueryCompiler} stops each scan at the LIMIT, before the join and the condition (not
 * reported). The join itself still stops at the LIMIT, after the condition.
 *
 * <p>Example: {@code SELECT T.K FROM T LEFT JOIN D ON T.V = D.ID WHERE D.ID IS NULL LIMIT 2} loses
 * rows.
 */
public privileged aspect JoinLimitAspect {

  after() returning(HashJoinPlan plan) :
      execution(static HashJoinPlan HashJoinPlan.create(..)) {
    if (plan.delegate instanceof ScanPlan && JoinLimit.isAfterTheCondition(plan)) {
      ScanPlan scanned = (ScanPlan) plan.delegate;
      scanned.allowPageFilter = false;
      // Phoenix has derived these from the LIMIT. Serial scans without a limit are refused.
      scanned.isSerial = false;
      scanned.isDataToScanWithinThreshold = false;
    }
  }
}
