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
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.execute.HashJoinPlan.HashSubPlan;
import org.apache.phoenix.execute.HashJoinPlan;
import org.apache.phoenix.iterate.ResultIterator;
import org.apache.phoenix.pruning.scan.HashJoinColumns;
import org.apache.phoenix.pruning.scan.JoinKeyReader;
import org.apache.phoenix.pruning.where.JoinKeys;

/**
 * Collects the keys of a hash join's build sides, so that the scan of the probe side is pruned by
 * them.
 */
public privileged aspect JoinKeysAspect {

  // Each aspect adds conditions of its own kind.
  declare precedence : JoinKeysAspect, TransitiveEqualityAspect;

  declare parents : HashSubPlan implements HashJoinColumns.BuildSide;

  /** Keys of this execution, or null if the probe side cannot be pruned by them. */
  JoinKeys HashSubPlan.joinKeys;

  public HashJoinColumns HashSubPlan.joinColumns() {
    return new HashJoinColumns(
        index, hashExpressions, keyRangeLhsExpression, keyRangeRhsExpression);
  }

  after(HashJoinPlan plan) returning :
      execution(HashJoinPlan.new(..)) && this(plan) {
    HashJoinColumns.announce(plan);
  }

  before(HashSubPlan join, HashJoinPlan plan) :
      execution(* HashSubPlan.execute(HashJoinPlan)) && this(join) && args(plan) {
    join.joinKeys = join.joinColumns().expectKeys(plan);
  }

  ResultIterator around(HashSubPlan join) throws SQLException :
      call(ResultIterator QueryPlan.iterator())
      && withincode(* HashSubPlan.execute(HashJoinPlan))
      && this(join) {
    ResultIterator rows = proceed(join);
    return join.joinKeys == null ? rows : new JoinKeyReader(rows, join.joinKeys);
  }
}
