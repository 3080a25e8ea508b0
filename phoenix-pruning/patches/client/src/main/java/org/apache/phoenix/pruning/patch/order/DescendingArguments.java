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
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.expression.function.ConvertTimezoneFunction;
import org.apache.phoenix.expression.function.DecodeFunction;
import org.apache.phoenix.expression.function.FunctionExpression;
import org.apache.phoenix.expression.function.MD5Function;
import org.apache.phoenix.expression.function.TimezoneOffsetFunction;
import org.apache.phoenix.parse.FunctionParseNode;
import org.apache.phoenix.schema.SortOrder;

/** Arguments of functions that ignore the sort order of an argument. */
public final class DescendingArguments {

  private static final Set<Class<? extends FunctionExpression>> FUNCTIONS =
      Collections.unmodifiableSet(
          new HashSet<>(
              Arrays.asList(
                  ConvertTimezoneFunction.class,
                  DecodeFunction.class,
                  MD5Function.class,
                  TimezoneOffsetFunction.class)));

  private DescendingArguments() {}

  /** Returns whether a function would read the bytes of a descending argument as ascending. */
  public static boolean areMisread(FunctionParseNode node, List<Expression> arguments) {
    return node.getInfo() != null
        && FUNCTIONS.contains(node.getInfo().getFunc())
        && arguments.stream().anyMatch(argument -> argument.getSortOrder() == SortOrder.DESC);
  }

  /** Returns the arguments, all of which are ascending. */
  public static List<Expression> ascending(List<Expression> arguments) {
    List<Expression> ascending = new ArrayList<>();
    for (Expression argument : arguments) {
      ascending.add(Ascending.of(argument));
    }
    return ascending;
  }
}
