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
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Pair;
import org.apache.phoenix.compile.ColumnResolver;
import org.apache.phoenix.compile.JoinCompiler.JoinSpec;
import org.apache.phoenix.compile.JoinCompiler.JoinTable;
import org.apache.phoenix.compile.JoinCompiler.Strategy;
import org.apache.phoenix.compile.QueryCompiler;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.compile.SequenceManager;
import org.apache.phoenix.compile.StatementContext;
import org.apache.phoenix.execute.BaseQueryPlan;
import org.apache.phoenix.execute.HashJoinPlan;
import org.apache.phoenix.execute.HashJoinPlan.HashSubPlan;
import org.apache.phoenix.execute.ScanPlan;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.parse.JoinTableNode.JoinType;
import org.apache.phoenix.pruning.plan.LocalIndexPlanning;
import org.apache.phoenix.pruning.plan.ProbeSideKeys;
import org.apache.phoenix.pruning.plan.PruningMetrics;
import org.apache.phoenix.util.ScanUtil;

/**
 * Tells the planning of a hash join's build side which keys the probe side has, of a join of two
 * tables.
 */
public privileged aspect BuildSideKeysAspect {

  /** Null if the build side has to be read as a whole. */
  private ProbeSideKeys HashSubPlan.probeSideKeys;

  QueryPlan around(
      QueryCompiler compiler, Strategy strategy, StatementContext context, JoinTable joined)
      throws SQLException :
      execution(QueryPlan QueryCompiler.compileJoinQuery(
          Strategy, StatementContext, JoinTable, boolean, boolean, List))
      && this(compiler)
      && args(strategy, context, joined, ..) {
    ColumnResolver resolver = context.getResolver();
    QueryPlan plan = proceed(compiler, strategy, context, joined);
    if (strategy == Strategy.HASH_BUILD_RIGHT && plan instanceof HashJoinPlan) {
      try {
        expectKeys(compiler, resolver, joined, (HashJoinPlan) plan);
      } catch (SQLException | RuntimeException e) {
        failed(e);
      }
    }
    return plan;
  }

  private static void failed(Exception cause) {
    PruningMetrics.GLOBAL.failed("of a join by the keys of its probe side", cause);
  }

  private static void expectKeys(
      QueryCompiler compiler, ColumnResolver resolver, JoinTable joined, HashJoinPlan plan)
      throws SQLException {
    if (joined.getJoinSpecs().size() != 1 || plan.subPlans.length != 1) {
      return;
    }
    JoinSpec spec = joined.getJoinSpecs().get(0);
    HashSubPlan join = (HashSubPlan) plan.subPlans[0];
    if (!isSelective(spec, join) || !LocalIndexPlanning.isFor(join.plan)) {
      return;
    }
    StatementContext context =
        new StatementContext(
            compiler.statement,
            resolver,
            compiler.bindManager,
            ScanUtil.newScan(compiler.originalScan),
            new SequenceManager(compiler.statement));
    QueryPlan probe =
        compiler.compileJoinQuery(
            context, joined.createSubJoinTable(compiler.statement.getConnection()), true, true, null);
    if (probe instanceof ScanPlan) {
      Pair<List<Expression>, List<Expression>> columns =
          spec.compileJoinConditions(context, join.plan.getContext(), Strategy.HASH_BUILD_RIGHT);
      ProbeSideKeys keys =
          new ProbeSideKeys(probe, columns.getFirst(), join.plan, columns.getSecond());
      if (keys.areWorthReading()) {
        keys.announce();
        join.probeSideKeys = keys;
      }
    }
  }

  /** Whether rows of the build side that find no partner change nothing. */
  private static boolean isSelective(JoinSpec spec, HashSubPlan join) {
    return (spec.getType() == JoinType.Inner || spec.getType() == JoinType.Semi)
        && !spec.isSingleValueOnly()
        && !join.usePersistentCache
        && join.plan instanceof ScanPlan;
  }

  before(HashSubPlan join) :
      execution(* HashSubPlan.execute(HashJoinPlan)) && this(join) {
    if (join.probeSideKeys != null) {
      try {
        join.probeSideKeys.read();
      } catch (SQLException | RuntimeException e) {
        failed(e);
      }
    }
  }
}
