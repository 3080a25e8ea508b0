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
package org.apache.phoenix.pruning.patch.scan;

import java.util.List;
import org.apache.phoenix.coprocessor.GroupedAggregateRegionObserver;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.pruning.patch.RowState;

/**
 * Resets AND and OR in GROUP BY before the next row, for the patch {@code case-reset}. Phoenix's
 * {@code GroupedAggregateRegionObserver} does not reset the expressions of a group, so they keep
 * the nulls of the previous row (not reported).
 *
 * <p>Example: {@code SELECT COUNT(*) FROM T GROUP BY CASE WHEN K2 = 'a' AND K1 > 0 THEN 1 ELSE 0
 * END} returns one group after a row in which K2 is null.
 */
public aspect GroupResetAspect {

  after() returning(List expressions) :
      execution(List GroupedAggregateRegionObserver.deserializeGroupByExpressions(..)) {
    if (Patches.isOn(Patch.CASE_RESET)) {
      RowState.resetForEachRow(expressions);
    }
  }
}
