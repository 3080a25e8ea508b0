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
import org.apache.phoenix.schema.types.PDataType;

/**
 * Compares the bytes of a descending and an ascending value as unsigned bytes, as for equal sort
 * orders. Phoenix's {@code PDataType.compareTo} compares them as signed bytes (not reported).
 *
 * <p>Example: {@code SELECT A, B FROM T WHERE A <= B} with the key {@code (A DESC, B)} loses the
 * row (1, 165), and finds (0, -1).
 */
public aspect MixedOrderAspect {

  int around(
      byte[] left,
      int leftOffset,
      int leftLength,
      SortOrder leftOrder,
      byte[] right,
      int rightOffset,
      int rightLength,
      SortOrder rightOrder) :
      execution(int PDataType.compareTo(
          byte[], int, int, SortOrder, byte[], int, int, SortOrder))
      && args(
          left, leftOffset, leftLength, leftOrder, right, rightOffset, rightLength, rightOrder) {
    if (leftOrder == rightOrder || !Patches.isOn(Patch.MIXED_ORDER)) {
      return proceed(
          left, leftOffset, leftLength, leftOrder, right, rightOffset, rightLength, rightOrder);
    }
    for (int i = 0; i < Math.min(leftLength, rightLength); i++) {
      int order =
          Integer.compare(
              leftOrder.normalize(left[leftOffset + i]) & 0xFF,
              rightOrder.normalize(right[rightOffset + i]) & 0xFF);
      if (order != 0) {
        return order;
      }
    }
    return leftLength - rightLength;
  }
}
