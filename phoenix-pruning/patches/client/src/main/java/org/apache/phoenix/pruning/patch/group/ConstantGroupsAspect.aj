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
import java.util.Collections;
import java.util.List;
import org.apache.phoenix.compile.ExpressionCompiler;
import org.apache.phoenix.compile.GroupByCompiler;
import org.apache.phoenix.compile.GroupByCompiler.GroupBy;
import org.apache.phoenix.compile.ProjectionCompiler;
import org.apache.phoenix.compile.RowProjector;
import org.apache.phoenix.compile.StatementContext;
import org.apache.phoenix.expression.Determinism;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.expression.LiteralExpression;
import org.apache.phoenix.parse.ParseNode;
import org.apache.phoenix.parse.SelectStatement;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.schema.types.PInteger;

/**
 * Groups by a constant if a DISTINCT or a GROUP BY has constants only. Phoenix's {@code
 * GroupByCompiler} removes them all, and treats the statement as one without groups (not reported).
 *
 * <p>{@code SELECT DISTINCT 1 FROM T} fails with a {@code NullPointerException}. So does {@code
 * SELECT DISTINCT K1 FROM W} along an index, if the view {@code W} has the condition {@code K1 =
 * 3}. {@code SELECT COUNT(*) FROM W WHERE V > 100 GROUP BY K1} returns a row if no row matches.
 */
public privileged aspect ConstantGroupsAspect {

  GroupBy around(StatementContext context, SelectStatement select) throws SQLException :
      execution(static GroupBy GroupByCompiler.compile(StatementContext, SelectStatement))
      && args(context, select) {
    GroupBy groupBy = proceed(context, select);
    boolean hasGroups =
        !select.getGroupBy().isEmpty() || (select.isDistinct() && !select.isAggregate());
    if (groupBy != GroupBy.EMPTY_GROUP_BY
        || !hasGroups
        || select.getFrom() == null
        || !Patches.isOn(Patch.CONSTANT_GROUPS, context.getConnection())) {
      return groupBy;
    }
    List<Expression> constants =
        Collections.singletonList(
            LiteralExpression.newConstant(1, PInteger.INSTANCE, Determinism.ALWAYS));
    return new GroupBy.GroupByBuilder()
        .setExpressions(constants)
        .setKeyExpressions(constants)
        .build();
  }

  /**
   * Allows a column that a view fixes in the SELECT of groups. Phoenix's {@code ProjectionCompiler}
   * sees a constant that is not a literal, and refuses {@code SELECT K1, COUNT(*) FROM W GROUP BY
   * K1}.
   */
  after(Object visitor) returning(Object expression) :
      call(* ParseNode.accept(..))
      && withincode(static RowProjector ProjectionCompiler.compile(
          StatementContext, SelectStatement, GroupBy, List, Expression, boolean))
      && args(visitor) {
    if (expression instanceof LiteralExpression) {
      ExpressionCompiler compiler = (ExpressionCompiler) visitor;
      if (!compiler.groupBy.isEmpty()
          && Patches.isOn(Patch.CONSTANT_GROUPS, compiler.context.getConnection())) {
        compiler.isAggregate = true;
      }
    }
  }
}
