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
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.compile.StatementContext;
import org.apache.phoenix.iterate.ParallelIteratorFactory;
import org.apache.phoenix.jdbc.PhoenixStatement;
import org.apache.phoenix.optimize.GenSubqueryParamValuesRewriter;
import org.apache.phoenix.optimize.QueryOptimizer;
import org.apache.phoenix.parse.ParseNode;
import org.apache.phoenix.parse.SelectStatement;
import org.apache.phoenix.pruning.optimize.PlanChoice;
import org.apache.phoenix.pruning.optimize.PlanChoices;
import org.apache.phoenix.pruning.optimize.PlanPinning;
import org.apache.phoenix.pruning.optimize.PlanWeighing;
import org.apache.phoenix.pruning.plan.PruningMode;
import org.apache.phoenix.pruning.plan.PruningOptions;
import org.apache.phoenix.schema.types.PDataType;

/** Chooses between plans by what they cost where a local index is one of them. */
public privileged aspect OptimizerAspect {

  declare parents : StatementContext implements PlanChoice.Holder;
  declare parents : PhoenixStatement implements PlanChoices.Holder;

  private PlanChoice StatementContext.planChoice;

  /** Null until one is noted or asked for. */
  private PlanChoices PhoenixStatement.planChoices;

  public PlanChoice StatementContext.getPlanChoice() {
    return planChoice;
  }

  public void StatementContext.setPlanChoice(PlanChoice choice) {
    this.planChoice = choice;
  }

  public PlanChoices PhoenixStatement.getPlanChoices() {
    if (planChoices == null) {
      planChoices = new PlanChoices();
    }
    return planChoices;
  }

  before(PhoenixStatement statement) :
      execution(* PhoenixStatement.parseStatement(String)) && this(statement) {
    if (statement.planChoices != null) {
      statement.planChoices.clear();
    }
  }

  List around(QueryOptimizer optimizer, SelectStatement select, List plans, boolean stopAtBest) :
      execution(private List QueryOptimizer.orderPlansBestToWorst(SelectStatement, List, boolean))
      && this(optimizer) && args(select, plans, stopAtBest) {
    if (plans.size() < 2) {
      return proceed(optimizer, select, plans, stopAtBest);
    }
    List<QueryPlan> candidates = new ArrayList<>(plans);
    List<QueryPlan> pinned = PlanPinning.pinned(candidates);
    if (pinned != null) {
      return proceed(optimizer, select, new ArrayList<>(pinned), stopAtBest);
    }
    // All plans are for a DELETE that changes indexes itself: it reads the first one as stock does.
    if (!stopAtBest || optimizer.costBased || !PlanWeighing.isFor(select, candidates)) {
      List<QueryPlan> byRules = proceed(optimizer, select, plans, stopAtBest);
      PlanWeighing.note(byRules.get(0), "PHOENIX'S RULES");
      return byRules;
    }
    QueryPlan dataPlan = candidates.get(0);
    // Phoenix takes the first of equal ones, in whatever order the client has read the indexes.
    candidates.subList(1, candidates.size()).sort(Comparator.comparing(PlanWeighing::scanned));
    Set<QueryPlan> all =
        new LinkedHashSet<>(proceed(optimizer, select, new ArrayList<>(candidates), true));
    all.addAll(proceed(optimizer, select, new ArrayList<>(candidates), false));
    all.addAll(candidates);
    return PlanWeighing.weigh(dataPlan, new ArrayList<>(all)).subList(0, 1);
  }

  after(QueryPlan dataPlan, PhoenixStatement statement) returning(List plans) throws SQLException :
      execution(private List QueryOptimizer.getApplicablePlansForSingleFlatQuery(
          QueryPlan, PhoenixStatement, List, ParallelIteratorFactory, boolean))
      && args(dataPlan, statement, *, *, *) {
    PlanChoices.note(statement, dataPlan, (QueryPlan) plans.get(0));
  }

  /** The same values stand for those of a subquery each time, so that the same plan is chosen. */
  before(StatementContext context) throws SQLException :
      execution(ParseNode GenSubqueryParamValuesRewriter.replaceWithDummyValues(
          ParseNode, StatementContext))
      && args(*, context) {
    if (PruningOptions.modeOf(context.getConnection()) != PruningMode.STOCK) {
      PDataType.RANDOM.get().setSeed(0);
    }
  }
}
