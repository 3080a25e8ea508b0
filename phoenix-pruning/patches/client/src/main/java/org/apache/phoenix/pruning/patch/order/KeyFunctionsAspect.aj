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

import java.util.Iterator;
import java.util.List;
import org.apache.phoenix.compile.OrderPreservingTracker.Info;
import org.apache.phoenix.compile.OrderPreservingTracker;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.expression.function.FunctionExpression.OrderPreserving;
import org.apache.phoenix.expression.function.ScalarFunction;
import org.apache.phoenix.schema.SortOrder;

/**
 * Gives functions of key columns their order for the patch {@code key-order}, while {@link
 * KeyOrderAspect} lets Phoenix's {@code OrderPreservingTracker} track them. The result of TRUNC is
 * always ascending. If its column descends, Phoenix's tracker assumes that TRUNC ascends along the
 * scan, because the two sort orders differ (not reported).
 *
 * <p>Example: {@code SELECT * FROM T ORDER BY TRUNC(D, 'HOUR')} with a key column {@code D DESC}
 * returns the latest hour first.
 */
public privileged aspect KeyFunctionsAspect {

  /**
   * Answers for a function without an argument, such as {@code ROWKEY_BYTES_STRING()}. Phoenix
   * looks for the argument whose order the function keeps, and fails.
   */
  OrderPreserving around(ScalarFunction function) :
      call(OrderPreserving ScalarFunction.preservesOrder())
      && withincode(Iterator OrderPreservingTracker.*.visitEnter(ScalarFunction))
      && target(function) {
    return FunctionTracking.isOn() && function.getChildren().isEmpty()
        ? OrderPreserving.NO
        : proceed(function);
  }

  SortOrder around(Expression expression) :
      call(SortOrder Expression.getSortOrder())
      && withincode(Info OrderPreservingTracker.*.visitLeave(ScalarFunction, List))
      && target(expression) {
    return FunctionTracking.isOn() ? KeyOrder.sortOrder(expression) : proceed(expression);
  }
}
