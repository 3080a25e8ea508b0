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
package org.apache.phoenix.pruning.patch.subquery;

import java.sql.SQLException;
import java.util.List;
import org.apache.hadoop.hbase.util.Pair;
import org.apache.phoenix.compile.JoinCompiler.JoinSpec;
import org.apache.phoenix.compile.JoinCompiler.Strategy;
import org.apache.phoenix.compile.QueryCompiler;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.compile.StatementContext;
import org.apache.phoenix.compile.SubqueryRewriter;
import org.apache.phoenix.execute.HashJoinPlan;
import org.apache.phoenix.execute.HashJoinPlan.HashSubPlan;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.iterate.ResultIterator;
import org.apache.phoenix.parse.InParseNode;
import org.apache.phoenix.parse.ParseNode;
import org.apache.phoenix.parse.ParseNodeFactory;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;

/**
 * Lets no row with a null in a join key match. Phoenix's joins compare the bytes of keys, and nulls
 * have the same bytes (not reported).
 *
 * <p>Example: {@code SELECT T.K, D.K FROM T JOIN D ON T.V = D.V} pairs all rows whose V is null.
 */
public privileged aspect NullJoinKeyAspect {

  declare precedence : NullJoinKeyAspect, SubqueryLimitAspect;

  /** True if the patch is on, and nulls of the subquery that is being rewritten must match. */
  private boolean SubqueryRewriter.matchesNulls;

  /** Keys of the join that was compiled last, or null if its nulls match. */
  private NullJoinKeys QueryCompiler.nullJoinKeys;

  /** Keys of the hash table, or null if their nulls match. */
  private NullJoinKeys HashSubPlan.nullJoinKeys;

  before(SubqueryRewriter rewriter, InParseNode in) :
      execution(ParseNode SubqueryRewriter.visitLeave(InParseNode, List))
      && this(rewriter)
      && args(in, *) {
    // Without the patch, the alias stays as it is, because EXPLAIN shows it.
    rewriter.matchesNulls =
        Patches.isOn(Patch.NULL_JOIN_KEY, rewriter.connection) && NullJoinKeys.matchesNulls(in);
  }

  String around(SubqueryRewriter rewriter) :
      call(String ParseNodeFactory.createTempAlias())
      && withincode(ParseNode SubqueryRewriter.visitLeave(InParseNode, List))
      && this(rewriter) {
    String alias = proceed(rewriter);
    return rewriter.matchesNulls ? NullJoinKeys.matchingNulls(alias) : alias;
  }

  Pair around(QueryCompiler compiler, JoinSpec join, StatementContext left, Strategy strategy)
      throws SQLException :
      call(Pair JoinSpec.compileJoinConditions(StatementContext, StatementContext, Strategy))
      && withincode(QueryPlan QueryCompiler.compileJoinQuery(..))
      && this(compiler)
      && target(join)
      && args(left, *, strategy) {
    Pair<List<Expression>, List<Expression>> keys = proceed(compiler, join, left, strategy);
    compiler.nullJoinKeys =
        Patches.isOn(Patch.NULL_JOIN_KEY, left.getConnection())
            ? NullJoinKeys.of(join, strategy, keys)
            : null;
    return compiler.nullJoinKeys == null ? keys : compiler.nullJoinKeys.compared();
  }

  after(QueryCompiler compiler) returning(HashSubPlan plan) :
      call(HashSubPlan.new(..))
      && withincode(QueryPlan QueryCompiler.compileJoinQuery(..))
      && this(compiler) {
    plan.nullJoinKeys = compiler.nullJoinKeys;
  }

  ResultIterator around(HashSubPlan plan) throws SQLException :
      call(ResultIterator QueryPlan.iterator())
      && withincode(* HashSubPlan.execute(HashJoinPlan))
      && this(plan) {
    ResultIterator rows = proceed(plan);
    return plan.nullJoinKeys == null ? rows : plan.nullJoinKeys.withoutNulls(rows);
  }
}
