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
import org.apache.phoenix.compile.StatementContext;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.optimize.GenSubqueryParamValuesRewriter;
import org.apache.phoenix.parse.AndParseNode;
import org.apache.phoenix.parse.ComparisonParseNode;
import org.apache.phoenix.parse.CompoundParseNode;
import org.apache.phoenix.parse.ExistsParseNode;
import org.apache.phoenix.parse.NotParseNode;
import org.apache.phoenix.parse.OrParseNode;
import org.apache.phoenix.parse.ParseNode;
import org.apache.phoenix.parse.ParseNodeRewriter;
import org.apache.phoenix.parse.RowValueConstructorParseNode;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;

/**
 * Replaces only subqueries with sample values before an index is chosen, and a subquery of several
 * columns with a row value. Phoenix's {@code GenSubqueryParamValuesRewriter} also replaces the
 * right side of any other comparison, and a row value with a VARBINARY. It drops EXISTS, even from
 * a NOT or a CASE (not reported).
 *
 * <p>Example: {@code SELECT K FROM T WHERE (K, A) > (1, 2) AND A = (SELECT MAX(A) FROM D)} fails.
 */
public privileged aspect SubquerySamplesAspect {

  ParseNode around(
      GenSubqueryParamValuesRewriter rewriter, ComparisonParseNode node, List children)
      throws SQLException :
      execution(ParseNode GenSubqueryParamValuesRewriter.visitLeave(ComparisonParseNode, List))
      && this(rewriter)
      && args(node, children) {
    if (SubquerySamples.haveSubquery(children) || !isOn(rewriter)) {
      return proceed(rewriter, node, children);
    }
    return SubquerySamples.comparison(node, children);
  }

  /** Keeps an EXISTS as an operand, which Phoenix drops. NOT and CASE then lack an operand. */
  ParseNode around(GenSubqueryParamValuesRewriter rewriter) throws SQLException :
      execution(ParseNode GenSubqueryParamValuesRewriter.visitLeave(ExistsParseNode, List))
      && this(rewriter) {
    return isOn(rewriter) ? SubquerySamples.exists() : proceed(rewriter);
  }

  ParseNode around(GenSubqueryParamValuesRewriter rewriter, CompoundParseNode node, List terms)
      throws SQLException :
      (execution(ParseNode GenSubqueryParamValuesRewriter.visitLeave(AndParseNode, List))
          || execution(ParseNode GenSubqueryParamValuesRewriter.visitLeave(OrParseNode, List)))
      && this(rewriter)
      && args(node, terms) {
    return proceed(rewriter, node, isOn(rewriter) ? SubquerySamples.neutral(node, terms) : terms);
  }

  /** Leaves out NOT around a sample, so that it does not contradict the other conditions. */
  ParseNode around(List operands) throws SQLException :
      execution(ParseNode ParseNodeRewriter.visitLeave(NotParseNode, List))
      && this(GenSubqueryParamValuesRewriter)
      && args(*, operands) {
    return !operands.isEmpty() && SubquerySamples.isSample((ParseNode) operands.get(0))
        ? (ParseNode) operands.get(0)
        : proceed(operands);
  }

  /** Drops a condition that is only a sample, as Phoenix does. */
  ParseNode around() throws SQLException :
      execution(static ParseNode GenSubqueryParamValuesRewriter.replaceWithDummyValues(
          ParseNode, StatementContext)) {
    ParseNode where = proceed();
    return where != null && SubquerySamples.isSample(where) ? null : where;
  }

  List around(GenSubqueryParamValuesRewriter rewriter, ParseNode node, boolean isMultiple)
      throws SQLException :
      execution(List GenSubqueryParamValuesRewriter.generateDummyValues(ParseNode, boolean))
      && this(rewriter)
      && args(node, isMultiple) {
    if (!isOn(rewriter)) {
      return proceed(rewriter, node, isMultiple);
    }
    if (node instanceof RowValueConstructorParseNode) {
      Expression row = (Expression) node.accept(rewriter.expressionCompiler);
      return SubquerySamples.rows(row, isMultiple);
    }
    return SubquerySamples.samples(proceed(rewriter, node, isMultiple));
  }

  private static boolean isOn(GenSubqueryParamValuesRewriter rewriter) {
    return Patches.isOn(
        Patch.SAMPLE_VALUES, rewriter.expressionCompiler.context.getConnection());
  }
}
