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
import java.util.List;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.compile.StatementContext;
import org.apache.phoenix.iterate.ParallelIteratorFactory;
import org.apache.phoenix.jdbc.PhoenixStatement;
import org.apache.phoenix.optimize.QueryOptimizer;
import org.apache.phoenix.pruning.optimize.PlanDecision;
import org.apache.phoenix.pruning.optimize.PlanDecisions;

/** Stores in a statement which plans were chosen for its tables, and why. */
public privileged aspect PlanDecisionsAspect {

  declare parents : StatementContext implements PlanDecision.Holder;
  declare parents : PhoenixStatement implements PlanDecisions.Holder;

  private PlanDecision StatementContext.planDecision;

  /** Decisions of the statement; null until a decision is recorded or requested. */
  private PlanDecisions PhoenixStatement.planDecisions;

  public PlanDecision StatementContext.getPlanDecision() {
    return planDecision;
  }

  public void StatementContext.setPlanDecision(PlanDecision decision) {
    this.planDecision = decision;
  }

  public PlanDecisions PhoenixStatement.getPlanDecisions() {
    if (planDecisions == null) {
      planDecisions = new PlanDecisions();
    }
    return planDecisions;
  }

  before(PhoenixStatement statement) :
      execution(* PhoenixStatement.parseStatement(String)) && this(statement) {
    if (statement.planDecisions != null) {
      statement.planDecisions.clear();
    }
  }

  after(QueryPlan dataPlan, PhoenixStatement statement) returning(List plans) throws SQLException :
      execution(private List QueryOptimizer.getApplicablePlansForSingleFlatQuery(
          QueryPlan, PhoenixStatement, List, ParallelIteratorFactory, boolean))
      && args(dataPlan, statement, *, *, *) {
    PlanDecisions.record(statement, dataPlan, (QueryPlan) plans.get(0));
  }
}
