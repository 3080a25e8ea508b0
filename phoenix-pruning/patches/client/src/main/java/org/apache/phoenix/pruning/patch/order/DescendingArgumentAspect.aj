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
 * Makes the arguments of MD5, DECODE, CONVERT_TZ and TIMEZONE_OFFSET ascending. These functions of
 * Phoenix read the bytes of a descending argument as if it were ascending (not reported).
 *
 * <p>Example: {@code SELECT MD5(D) FROM T}, with {@code PRIMARY KEY (D DESC)}, returns another hash
 * than with {@code PRIMARY KEY (D)}.
 */
public aspect DescendingArgumentAspect {

  declare precedence : DescendingArgumentAspect, DescendingCoalesceAspect;

  Expression around(FunctionParseNode node, List<Expression> arguments, StatementContext context)
      throws SQLException :
      execution(Expression FunctionParseNode.create(List, PFunction, StatementContext))
      && this(node)
      && args(arguments, *, context) {
    return proceed(
        node,
        DescendingArguments.areMisread(node, arguments)
                && Patches.isOn(Patch.DESCENDING_ARGUMENT, context.getConnection())
            ? DescendingArguments.ascending(arguments)
            : arguments,
        context);
  }
}
