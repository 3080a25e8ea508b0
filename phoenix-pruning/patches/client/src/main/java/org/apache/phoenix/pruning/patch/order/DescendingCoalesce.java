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

import java.util.ArrayList;
import java.util.List;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.expression.function.CoalesceFunction;
import org.apache.phoenix.parse.FunctionParseNode;
import org.apache.phoenix.schema.SortOrder;

/** Operands of COALESCE. */
public final class DescendingCoalesce {

  private DescendingCoalesce() {}

  /** Returns whether a function is COALESCE of a descending first operand. */
  public static boolean isDescending(FunctionParseNode node, List<Expression> operands) {
    return !operands.isEmpty()
        && operands.get(0).getSortOrder() == SortOrder.DESC
        && node.getInfo() != null
        && node.getInfo().getFunc() == CoalesceFunction.class;
  }

  /** Returns the operands, the first of which is ascending. */
  public static List<Expression> ascending(List<Expression> operands) {
    List<Expression> ascending = new ArrayList<>(operands);
    ascending.set(0, Ascending.of(operands.get(0)));
    return ascending;
  }
}
