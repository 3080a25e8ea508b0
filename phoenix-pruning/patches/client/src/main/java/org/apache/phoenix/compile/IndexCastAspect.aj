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
package org.apache.phoenix.compile;

import java.sql.SQLException;
import java.util.Collections;
import java.util.List;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.optimize.QueryOptimizer;
import org.apache.phoenix.parse.CastParseNode;
import org.apache.phoenix.parse.ColumnParseNode;
import org.apache.phoenix.parse.IndexExpressionParseNodeRewriter;
import org.apache.phoenix.parse.ParseNode;
import org.apache.phoenix.parse.ParseNodeFactory;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.pruning.patch.type.CastRounding;
import org.apache.phoenix.schema.PTableType;
import org.apache.phoenix.schema.types.PDataType;

/**
 * Rounds the values of a CAST along an index. Phoenix puts its own CAST around index columns. This
 * CAST must not round, and therefore {@code ExpressionCompiler} rounds in no CAST along an index
 * (not reported).
 *
 * <p>Example: {@code SELECT CAST(V AS BIGINT) FROM T WHERE V > 2} along an index on {@code V}, a
 * DECIMAL, fails if a value has a fraction.
 */
public privileged aspect IndexCastAspect {

  /**
   * True if Phoenix put this CAST around an index column, to give it the type of the data column.
   */
  private boolean CastParseNode.isOfIndexColumn;

  after() returning(CastParseNode cast) :
      call(CastParseNode ParseNodeFactory.cast(ParseNode, PDataType, Integer, Integer))
      && (withincode(* IndexStatementRewriter.visit(ColumnParseNode))
          || within(IndexExpressionParseNodeRewriter)
          || within(QueryOptimizer)) {
    cast.isOfIndexColumn = true;
  }

  Expression around(ExpressionCompiler compiler, CastParseNode node, List<Expression> children)
      throws SQLException :
      execution(Expression ExpressionCompiler.visitLeave(CastParseNode, List))
      && this(compiler)
      && args(node, children) {
    Expression child = children.get(0);
    if (node.isOfIndexColumn
        || child.getDataType() == null
        || compiler.context.getCurrentTable().getTable().getType() != PTableType.INDEX
        || !Patches.isOn(Patch.INDEX_CAST, compiler.context.getConnection())) {
      return proceed(compiler, node, children);
    }
    Expression rounded = CastRounding.round(child, node.getDataType());
    return proceed(compiler, node, Collections.singletonList(rounded));
  }
}
