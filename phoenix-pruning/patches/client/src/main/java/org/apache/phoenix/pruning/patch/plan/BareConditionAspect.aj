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
package org.apache.phoenix.pruning.patch.plan;

import org.apache.phoenix.compile.ColumnResolver;
import org.apache.phoenix.compile.DeleteCompiler;
import org.apache.phoenix.compile.StatementNormalizer;
import org.apache.phoenix.compile.SubqueryRewriter;
import org.apache.phoenix.compile.UpsertCompiler;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.parse.SelectStatement;
import org.apache.phoenix.parse.SubqueryParseNode;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.util.ParseNodeUtil;

/**
 * Keeps conditions that are only a BOOLEAN column or another value, for the patch {@code
 * boolean-condition}. Phoenix's {@code JoinCompiler} assigns the conditions of a join to its
 * tables, and {@code SubqueryRewriter} extracts those of a subquery. Both skip columns, functions,
 * casts and constants (not reported).
 *
 * <p>Example: {@code SELECT K FROM T WHERE P AND K IN (SELECT K FROM U)} returns rows in which P is
 * false.
 */
public privileged aspect BareConditionAspect {

  /**
   * Compares bare conditions with TRUE. If the statement changes, its compiler resolves the columns
   * again.
   */
  SelectStatement around(SelectStatement select, PhoenixConnection connection) :
      call(SelectStatement SubqueryRewriter.transform(
          SelectStatement, ColumnResolver, PhoenixConnection))
      && (within(ParseNodeUtil) || within(UpsertCompiler))
      && args(select, *, connection) {
    return proceed(
        Patches.isOn(Patch.BOOLEAN_CONDITION, connection)
            ? BareConditions.compared(select)
            : select,
        connection);
  }

  /**
   * Changes a DELETE before {@code SubqueryRewriter} does, because a DELETE that this class changes
   * does not run on the servers.
   */
  SelectStatement around(DeleteCompiler compiler) :
      call(SelectStatement StatementNormalizer.normalize(SelectStatement, ColumnResolver))
      && within(DeleteCompiler)
      && this(compiler) {
    SelectStatement select = proceed(compiler);
    return Patches.isOn(Patch.BOOLEAN_CONDITION, compiler.statement.getConnection())
        ? BareConditions.compared(select)
        : select;
  }

  /** Changes a subquery before its conditions are extracted. */
  SelectStatement around(SubqueryRewriter rewriter) :
      call(SelectStatement SubqueryParseNode.getSelectNode())
      && within(SubqueryRewriter)
      && this(rewriter) {
    SelectStatement select = proceed(rewriter);
    return Patches.isOn(Patch.BOOLEAN_CONDITION, rewriter.connection)
        ? BareConditions.compared(select)
        : select;
  }
}
