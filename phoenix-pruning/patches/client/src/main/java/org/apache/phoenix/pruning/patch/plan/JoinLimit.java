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
import org.apache.phoenix.join.HashJoinInfo;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;

/** Decides whether the LIMIT of a hash join may end the scan of its first table. */
public final class JoinLimit {

  private JoinLimit() {}

  /** Returns whether a condition drops joined rows, so that only the join can count its rows. */
  public static boolean isAfterTheCondition(HashJoinPlan plan) {
    HashJoinInfo join = plan.getJoinInfo();
    return join != null
        && join.getPostJoinFilterExpression() != null
        && Patches.isOn(Patch.JOIN_LIMIT, plan.getContext().getConnection());
  }
}
