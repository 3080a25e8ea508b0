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
package org.apache.phoenix.pruning.patch.range;

import org.apache.phoenix.compile.KeyPart;
import org.apache.phoenix.compile.WhereOptimizer;
import org.apache.phoenix.expression.CoerceExpression;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.expression.function.ScalarFunction;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.schema.PColumn;
import org.apache.phoenix.schema.SortOrder;
import org.apache.phoenix.schema.types.PVarchar;

/**
 * Prevents key ranges of a function whose column is stored as another type than the function reads.
 * An index can store a nullable column as another type. A TIMESTAMP that is rounded as a DATE is
 * another case.
 *
 * <p>Phoenix's {@code WhereOptimizer} lets the function make the range in the bytes of its own
 * type, in ascending order (not reported).
 *
 * <p>Example: {@code SELECT K FROM T WHERE SUBSTR(C, 1, 1) = 'b'} along an index on {@code C DESC},
 * a nullable CHAR, finds no rows.
 */
public privileged aspect CoercedKeyPartAspect {

  KeyPart around(
      WhereOptimizer.KeyExpressionVisitor visitor, ScalarFunction function, KeyPart part) :
      call(KeyPart ScalarFunction.newKeyPart(KeyPart))
      && this(visitor)
      && target(function)
      && args(part) {
    if (changesBytes(function, part.getColumn())
        && Patches.isOn(Patch.COERCED_KEY_PART, visitor.context.getConnection())) {
      return null;
    }
    return proceed(visitor, function, part);
  }

  private static boolean changesBytes(ScalarFunction function, PColumn column) {
    Expression argument = function.getChildren().get(function.getKeyFormationTraversalIndex());
    return argument instanceof CoerceExpression
        && (column.getSortOrder() == SortOrder.DESC
            || !column.getDataType().isCoercibleTo(PVarchar.INSTANCE));
  }
}
