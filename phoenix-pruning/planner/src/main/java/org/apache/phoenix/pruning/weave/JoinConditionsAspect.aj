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

import org.apache.hadoop.hbase.client.Scan;
import org.apache.phoenix.compile.QueryCompiler;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.compile.StatementContext;
import org.apache.phoenix.execute.TupleProjector;
import org.apache.phoenix.pruning.where.JoinConditions;

/** Stores the join conditions of a scan in the {@code StatementContext} of the scan. */
public privileged aspect JoinConditionsAspect {

  // Each aspect copies its own field.
  declare precedence : JoinConditionsAspect, BoundWhereAspect;

  declare parents : StatementContext implements JoinConditions.Holder;

  /** Join conditions of the scan; null until requested. Scans without a join never request them. */
  private JoinConditions StatementContext.joinConditions;

  public synchronized JoinConditions StatementContext.getJoinConditions() {
    if (joinConditions == null) {
      joinConditions = new JoinConditions();
    }
    return joinConditions;
  }

  after(StatementContext copy, StatementContext original) returning :
      execution(StatementContext.new(StatementContext)) && this(copy) && args(original) {
    copy.joinConditions = original.getJoinConditions();
  }

  pointcut compilesJoin(StatementContext context) :
      execution(QueryPlan QueryCompiler.compileJoinQuery(*, StatementContext, ..))
          && args(*, context, ..)
      || execution(QueryPlan QueryCompiler.compileJoinQuery(StatementContext, ..))
          && args(context, ..);

  before(StatementContext context, Scan scan, TupleProjector projector) :
      call(static void TupleProjector.serializeProjectorIntoScan(Scan, TupleProjector, boolean))
      && withincode(* QueryCompiler.compileJoinQuery(..))
      && args(scan, projector, *)
      && cflow(compilesJoin(context)) {
    if (context.getScan() == scan) {
      context.getJoinConditions().setProjector(projector);
    }
  }
}
