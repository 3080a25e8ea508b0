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
import java.util.ArrayList;
import java.util.List;
import org.apache.phoenix.compile.ExpressionCompiler;
import org.apache.phoenix.expression.CaseExpression;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.parse.CaseParseNode;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;

/**
 * Makes the results of CASE ascending. Phoenix's {@code CaseExpression} returns the bytes of a
 * result, also if they are descending, and says that they are ascending (not reported).
 *
 * <p>Example: {@code SELECT CASE WHEN V > 0 THEN D ELSE 0 END FROM T}, with {@code PRIMARY KEY (D
 * DESC)}, returns -6 for 5.
 */
public privileged aspect DescendingCaseAspect {

  Expression around(ExpressionCompiler compiler, List<Expression> parts) throws SQLException :
      call(Expression CaseExpression.create(List))
      && withincode(Expression ExpressionCompiler.visitLeave(CaseParseNode, List))
      && this(compiler)
      && args(parts) {
    if (!Patches.isOn(Patch.DESCENDING_CASE, compiler.context.getConnection())) {
      return proceed(compiler, parts);
    }
    // The results are the first, third, ... part. A condition follows each of them but ELSE.
    List<Expression> ascending = new ArrayList<>(parts);
    for (int i = 0; i < parts.size(); i += 2) {
      ascending.set(i, Ascending.of(parts.get(i)));
    }
    return proceed(compiler, ascending);
  }
}
