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
package org.apache.phoenix.pruning.patch.order;

import java.sql.SQLException;
import java.util.List;
import org.apache.phoenix.compile.StatementContext;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.parse.FunctionParseNode;
import org.apache.phoenix.parse.PFunction;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;

/**
 * Makes the first operand of COALESCE ascending. Phoenix's {@code CoalesceFunction} returns the
 * bytes of its first operand, also if they are descending, and says that they are ascending (not
 * reported).
 *
 * <p>Example: {@code SELECT COALESCE(D, 0) FROM T}, with {@code PRIMARY KEY (D DESC)}, returns -6
 * for 5.
 */
public aspect DescendingCoalesceAspect {

  Expression around(FunctionParseNode node, List operands, StatementContext context)
      throws SQLException :
      execution(Expression FunctionParseNode.create(List, PFunction, StatementContext))
      && this(node)
      && args(operands, *, context) {
    return proceed(
        node,
        DescendingCoalesce.isDescending(node, operands)
                && Patches.isOn(Patch.DESCENDING_COALESCE, context.getConnection())
            ? DescendingCoalesce.ascending(operands)
            : operands,
        context);
  }
}
