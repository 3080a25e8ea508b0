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
package org.apache.phoenix.pruning.explain;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.apache.phoenix.compile.ListJarsQueryPlan;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.compile.TraceQueryPlan;
import org.apache.phoenix.execute.AggregatePlan;
import org.apache.phoenix.execute.BaseQueryPlan;
import org.apache.phoenix.execute.ClientAggregatePlan;
import org.apache.phoenix.execute.ClientScanPlan;
import org.apache.phoenix.execute.CursorFetchPlan;
import org.apache.phoenix.execute.DelegateQueryPlan;
import org.apache.phoenix.execute.HashJoinPlan;
import org.apache.phoenix.execute.LiteralResultIterationPlan;
import org.apache.phoenix.execute.ScanPlan;
import org.apache.phoenix.execute.SortMergeJoinPlan;
import org.apache.phoenix.execute.TupleProjectionPlan;
import org.apache.phoenix.execute.UnionPlan;
import org.apache.phoenix.execute.UnnestArrayPlan;
import org.apache.phoenix.execute.visitor.QueryPlanVisitor;

/** Collects the scans of a plan, in the order of EXPLAIN. */
final class ScanCollector implements QueryPlanVisitor<Void> {

  private final List<BaseQueryPlan> scans = new ArrayList<>();

  /**
   * Scans whose WHERE has a scalar subquery. Compared by identity, because plans have no equality.
   */
  private final Set<BaseQueryPlan> scansWithScalarSubquery =
      Collections.newSetFromMap(new IdentityHashMap<>());

  private int unionDepth;
  private boolean hasJoinInUnion;

  /** Returns the scans, each of one table or index. */
  List<BaseQueryPlan> scans() {
    return scans;
  }

  /**
   * Returns whether the WHERE of a scan has a scalar subquery. Phoenix compiles such a WHERE only
   * at execution.
   */
  boolean hasScalarSubquery(BaseQueryPlan scan) {
    return scansWithScalarSubquery.contains(scan);
  }

  /**
   * Returns whether a UNION contains a hash join. For such a plan, Phoenix's EXPLAIN runs a part of
   * the join.
   */
  boolean hasJoinInUnion() {
    return hasJoinInUnion;
  }

  @Override
  public Void defaultReturn(QueryPlan plan) {
    return null;
  }

  @Override
  public Void visit(ScanPlan plan) {
    scans.add(plan);
    return null;
  }

  @Override
  public Void visit(AggregatePlan plan) {
    scans.add(plan);
    return null;
  }

  @Override
  public Void visit(LiteralResultIterationPlan plan) {
    return null;
  }

  @Override
  public Void visit(ClientScanPlan plan) {
    return visitDelegate(plan);
  }

  @Override
  public Void visit(ClientAggregatePlan plan) {
    return visitDelegate(plan);
  }

  @Override
  public Void visit(TupleProjectionPlan plan) {
    return visitDelegate(plan);
  }

  @Override
  public Void visit(UnnestArrayPlan plan) {
    return visitDelegate(plan);
  }

  @Override
  public Void visit(CursorFetchPlan plan) {
    return visitDelegate(plan);
  }

  @Override
  public Void visit(HashJoinPlan plan) {
    hasJoinInUnion |= unionDepth > 0;
    int first = scans.size();
    visitDelegate(plan);
    if (Arrays.stream(plan.getSubPlans())
        .anyMatch(HashJoinPlan.WhereClauseSubPlan.class::isInstance)) {
      scansWithScalarSubquery.addAll(scans.subList(first, scans.size()));
    }
    for (HashJoinPlan.SubPlan subPlan : plan.getSubPlans()) {
      subPlan.getInnerPlan().accept(this);
    }
    return null;
  }

  @Override
  public Void visit(SortMergeJoinPlan plan) {
    plan.getLhsPlan().accept(this);
    return plan.getRhsPlan().accept(this);
  }

  @Override
  public Void visit(UnionPlan plan) {
    unionDepth++;
    plan.getPlans().forEach(branch -> branch.accept(this));
    unionDepth--;
    return null;
  }

  @Override
  public Void visit(ListJarsQueryPlan plan) {
    return null;
  }

  @Override
  public Void visit(TraceQueryPlan plan) {
    return null;
  }

  private Void visitDelegate(DelegateQueryPlan plan) {
    return plan.getDelegate().accept(this);
  }
}
