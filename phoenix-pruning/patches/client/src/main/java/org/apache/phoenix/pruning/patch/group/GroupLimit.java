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
package org.apache.phoenix.pruning.patch.group;

import org.apache.hadoop.hbase.client.Scan;
import org.apache.phoenix.compile.OrderByCompiler.OrderBy;
import org.apache.phoenix.coprocessorclient.BaseScannerRegionObserverConstants;
import org.apache.phoenix.execute.AggregatePlan;
import org.apache.phoenix.expression.RowKeyColumnExpression;

/** Decides what servers may limit before the client merges the groups of several scans. */
public final class GroupLimit {

  private GroupLimit() {}

  /**
   * Returns whether each server may stop after as many groups as the statement needs. If the
   * statement has an ORDER BY that Phoenix has removed, this is right only if the servers find the
   * groups in this order.
   */
  public static boolean isForServers(AggregatePlan plan) {
    return plan.getGroupBy().isOrderPreserving() || plan.getOrderBy() == OrderBy.EMPTY_ORDER_BY;
  }

  /**
   * Returns whether each server may stop after as many rows as the statement's LIMIT, if it skips
   * all rows of a group but the first. Each such row must be a group, and the client must not drop
   * groups.
   */
  public static boolean isLimitOfRows(AggregatePlan plan, Scan scan) {
    return scan.getAttribute(BaseScannerRegionObserverConstants.GROUP_BY_LIMIT) != null
        && plan.getOffset() == null
        && plan.getGroupBy().getExpressions().stream()
            .allMatch(expression -> expression instanceof RowKeyColumnExpression);
  }
}
