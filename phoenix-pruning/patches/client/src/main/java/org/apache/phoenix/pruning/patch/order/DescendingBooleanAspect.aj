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

import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.schema.SortOrder;
import org.apache.phoenix.schema.types.PBoolean;
import org.apache.phoenix.schema.types.PDataType;

/**
 * Reads a descending BOOLEAN. Phoenix's {@code PBoolean.toObject} expects the byte of TRUE to be 0
 * if it is descending, but a key has the inverted byte of the ascending value. {@code
 * AndOrExpression} and {@code NotExpression} even read the byte as ascending (not reported). No
 * ascending BOOLEAN has such a byte, so this aspect ignores the order.
 *
 * <p>Example: {@code SELECT K FROM T WHERE NOT B}, with {@code PRIMARY KEY (K, B DESC)}, finds no
 * rows.
 */
public aspect DescendingBooleanAspect {

  Boolean around(byte[] bytes, int offset, int length, PDataType type) :
      execution(Boolean PBoolean.toObject(
          byte[], int, int, PDataType, SortOrder, Integer, Integer))
      && args(bytes, offset, length, type, ..) {
    return length == 1
            && type == PBoolean.INSTANCE
            && DescendingBooleans.isInverted(bytes[offset])
            && Patches.isOn(Patch.DESCENDING_BOOLEAN)
        ? Boolean.valueOf(DescendingBooleans.isTrue(bytes[offset]))
        : proceed(bytes, offset, length, type);
  }
}
