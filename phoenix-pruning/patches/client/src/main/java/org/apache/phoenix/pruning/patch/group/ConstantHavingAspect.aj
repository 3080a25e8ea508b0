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

import java.sql.SQLException;
import org.apache.phoenix.compile.GroupByCompiler.GroupBy;
import org.apache.phoenix.compile.HavingCompiler;
import org.apache.phoenix.compile.ScanRanges;
import org.apache.phoenix.compile.StatementContext;
import org.apache.phoenix.expression.Determinism;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.expression.LiteralExpression;
import org.apache.phoenix.parse.SelectStatement;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.pruning.patch.subquery.HavingSubqueryAspect;
import org.apache.phoenix.schema.types.PBoolean;

/**
 * Drops all groups if HAVING is never true. Phoenix's {@code HavingCompiler} then makes the scan
 * read nothing, and drops the condition. The ranges of WHERE, which is compiled later, replace
 * those of HAVING. It moves a HAVING of constants to WHERE, also without GROUP BY (not reported).
 *
 * <p>Example: {@code SELECT SIGN(K) FROM T GROUP BY SIGN(K) HAVING SIGN(K) IS NULL} returns all
 * groups, because K is never null.
 */
public privileged aspect ConstantHavingAspect {

  // A subquery in HAVING is refused first.
  declare precedence : HavingSubqueryAspect, ConstantHavingAspect;

  /** True if HAVING is false or null, and its compilation has not ended. */
  private boolean StatementContext.isHavingNeverTrue;

  before(StatementContext context) :
      call(void StatementContext.setScanRanges(ScanRanges))
      && withincode(static Expression HavingCompiler.compile(
          StatementContext, SelectStatement, GroupBy))
      && target(context) {
    context.isHavingNeverTrue = true;
  }

  /** A HAVING with a subquery only seems to be never true: Phoenix does not run the subquery. */
  Expression around(StatementContext context, SelectStatement select) throws SQLException :
      execution(static Expression HavingCompiler.compile(
          StatementContext, SelectStatement, GroupBy))
      && args(context, select, *) {
    context.isHavingNeverTrue = false;
    Expression having = proceed(context, select);
    return context.isHavingNeverTrue
            && !select.getHaving().hasSubquery()
            && Patches.isOn(Patch.CONSTANT_HAVING, context.getConnection())
        ? LiteralExpression.newConstant(false, PBoolean.INSTANCE, Determinism.ALWAYS)
        : having;
  }

  /** Keeps a HAVING without GROUP BY. As a WHERE, it would leave the group of no rows. */
  SelectStatement around(StatementContext context, SelectStatement select) throws SQLException :
      execution(static SelectStatement HavingCompiler.rewrite(
          StatementContext, SelectStatement, GroupBy))
      && args(context, select, *) {
    return select.getHaving() != null
            && select.getGroupBy().isEmpty()
            && Patches.isOn(Patch.CONSTANT_HAVING, context.getConnection())
        ? select
        : proceed(context, select);
  }
}
