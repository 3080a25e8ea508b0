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
import org.apache.phoenix.compile.SubqueryRewriter;
import org.apache.phoenix.parse.ArrayAllComparisonNode;
import org.apache.phoenix.parse.ArrayAnyComparisonNode;
import org.apache.phoenix.parse.ComparisonParseNode;
import org.apache.phoenix.parse.ExistsParseNode;
import org.apache.phoenix.parse.InParseNode;
import org.apache.phoenix.parse.ParseNode;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;

/**
 * Keeps the LIMIT and the OFFSET of a subquery in a condition. Phoenix's {@code SubqueryRewriter}
 * replaces the LIMIT, or applies it to the rows for all outer rows together (not reported).
 *
 * <p>Example: {@code SELECT ID FROM T WHERE EXISTS (SELECT 1 FROM D WHERE D.ID = T.ID LIMIT 1)}
 * returns at most one row.
 */
public privileged aspect SubqueryLimitAspect {

  // The subquery is first moved to the right, and then gets its LIMIT.
  // ANY and ALL compare with the limited rows.
  declare precedence : EmptyScalarAspect, SubqueryLimitAspect, EmptyRangeAspect;

  ParseNode around(SubqueryRewriter rewriter, ParseNode node, List children)
      throws SQLException :
      (execution(ParseNode SubqueryRewriter.visitLeave(ExistsParseNode, List))
          || execution(ParseNode SubqueryRewriter.visitLeave(InParseNode, List))
          || execution(ParseNode SubqueryRewriter.visitLeave(ComparisonParseNode, List))
          || execution(ParseNode SubqueryRewriter.visitLeave(ArrayAnyComparisonNode, List))
          || execution(ParseNode SubqueryRewriter.visitLeave(ArrayAllComparisonNode, List)))
      && this(rewriter)
      && args(node, children) {
    return proceed(
        rewriter,
        node,
        SubqueryLimits.areIn(children) && Patches.isOn(Patch.SUBQUERY_LIMIT, rewriter.connection)
            ? SubqueryLimits.applied(
                node, children, rewriter.columnResolver, rewriter.connection)
            : children);
  }
}
