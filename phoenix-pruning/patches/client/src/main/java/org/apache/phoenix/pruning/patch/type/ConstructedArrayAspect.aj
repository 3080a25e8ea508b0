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
package org.apache.phoenix.pruning.patch.type;

import java.util.ArrayList;
import java.util.List;
import org.apache.phoenix.compile.ExpressionCompiler;
import org.apache.phoenix.expression.ArrayConstructorExpression;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.parse.ArrayConstructorNode;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.pruning.patch.order.Ascending;
import org.apache.phoenix.schema.types.PChar;
import org.apache.phoenix.schema.types.PDataType;
import org.apache.phoenix.schema.types.PVarchar;
import org.apache.phoenix.util.ExpressionUtil;

/**
 * Converts the elements of ARRAY to their common type. Phoenix's {@code ArrayConstructorExpression}
 * takes the bytes of each element as they are, also if they have another type or are descending
 * (not reported).
 *
 * <p>Example: {@code SELECT ARRAY[D, V] FROM T}, with {@code PRIMARY KEY (D DESC)}, returns {@code
 * [-6, 7]} for 5 and 7. {@code SELECT ARRAY[C] FROM T} of a CHAR column fails, because Phoenix does
 * not know the length of an element. Its elements therefore become VARCHAR.
 */
public privileged aspect ConstructedArrayAspect {

  ArrayConstructorExpression around(
      ExpressionCompiler compiler, List<Expression> elements, PDataType<?> type) :
      call(ArrayConstructorExpression.new(List, PDataType, boolean))
      && withincode(Expression ExpressionCompiler.visitLeave(ArrayConstructorNode, List))
      && this(compiler)
      && args(elements, type, *) {
    // Phoenix converts the elements of a constant array itself.
    if (elements.stream().allMatch(ExpressionUtil::isConstant)
        || !Patches.isOn(Patch.CONSTRUCTED_ARRAY, compiler.context.getConnection())) {
      return proceed(compiler, elements, type);
    }
    boolean isChar = type == PChar.INSTANCE;
    PDataType<?> ascendingType = isChar ? PVarchar.INSTANCE : type;
    List<Expression> converted = new ArrayList<>();
    for (Expression element : elements) {
      Expression ascending = Ascending.of(element, ascendingType);
      boolean isPadded = isChar && element.getDataType() != null;
      converted.add(isPadded ? Unpadded.of(ascending) : ascending);
    }
    return proceed(compiler, converted, ascendingType);
  }
}
