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
import org.apache.phoenix.expression.function.ScalarFunction;
import org.apache.phoenix.expression.function.SubstrFunction;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.schema.types.PVarchar;

/**
 * Corrects the key ranges of {@code SUBSTR(K, 1, n)} of a VARCHAR if it is compared with a text of
 * another length. Phoenix's {@code SubstrFunction} makes its ranges without the length n (not
 * reported).
 *
 * <p>Example: {@code SELECT K FROM T WHERE SUBSTR(K, 1, 3) > 'ab'} loses the key {@code 'abb'}.
 */
public privileged aspect SubstringRangeAspect {

  KeyPart around(
      WhereOptimizer.KeyExpressionVisitor visitor, SubstrFunction function, KeyPart argument) :
      call(KeyPart ScalarFunction.newKeyPart(KeyPart))
      && this(visitor)
      && target(function)
      && args(argument) {
    KeyPart part = proceed(visitor, function, argument);
    return part != null
            && argument instanceof WhereOptimizer.KeyExpressionVisitor.BaseKeyPart
            && argument.getColumn().getDataType() == PVarchar.INSTANCE
            && Patches.isOn(Patch.SUBSTRING_RANGE, visitor.context.getConnection())
        ? new SubstringKeyPart(function, argument, part)
        : part;
  }
}
