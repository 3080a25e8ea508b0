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

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.optimize.QueryOptimizer;
import org.apache.phoenix.parse.SelectStatement;
import org.apache.phoenix.pruning.optimize.CostBasedPlanChooser;
import org.apache.phoenix.pruning.optimize.PinnedCompilation;
import org.apache.phoenix.pruning.optimize.SnapshotCompilation;

/**
 * Chooses the plan with the lowest estimated cost if one of the plans uses a local index. Phoenix's
 * {@code QueryOptimizer} compares the numbers of bound key columns instead.
 */
public privileged aspect OptimizerAspect {

  List around(QueryOptimizer optimizer, SelectStatement select, List plans, boolean stopAtBest) :
      execution(private List QueryOptimizer.orderPlansBestToWorst(SelectStatement, List, boolean))
      && this(optimizer) && args(select, plans, stopAtBest) {
    if (plans.size() < 2) {
      return proceed(optimizer, select, plans, stopAtBest);
    }
    List<QueryPlan> candidates = SnapshotCompilation.restrict(new ArrayList<>(plans));
    if (candidates.size() < 2) {
      return candidates;
    }
    List<QueryPlan> pinned = PinnedCompilation.restrict(candidates);
    if (pinned != null) {
      return proceed(optimizer, select, new ArrayList<>(pinned), stopAtBest);
    }
    // A DELETE that changes indexes on the client requests all plans, and reads along the first
    // plan. This is unchanged from stock.
    if (!stopAtBest || optimizer.costBased || !CostBasedPlanChooser.isFor(select, candidates)) {
      List<QueryPlan> byRules = proceed(optimizer, select, candidates, stopAtBest);
      CostBasedPlanChooser.recordReason(byRules.get(0), "PHOENIX'S RULES");
      return byRules;
    }
    QueryPlan dataPlan = candidates.get(0);
    // Phoenix takes the first of equal plans, but their order depends on how the client read the
    // indexes. Sorting makes the choice repeatable.
    candidates
        .subList(1, candidates.size())
        .sort(Comparator.comparing(CostBasedPlanChooser::scannedName));
    Set<QueryPlan> all =
        new LinkedHashSet<>(proceed(optimizer, select, new ArrayList<>(candidates), true));
    all.addAll(proceed(optimizer, select, new ArrayList<>(candidates), false));
    all.addAll(candidates);
    return CostBasedPlanChooser.cheapestFirst(dataPlan, new ArrayList<>(all)).subList(0, 1);
  }
}
