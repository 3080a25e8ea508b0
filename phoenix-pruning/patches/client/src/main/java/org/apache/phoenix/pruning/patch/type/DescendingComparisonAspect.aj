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

import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.schema.SortOrder;
import org.apache.phoenix.schema.types.PDataType;

/**
 * Compares a number with a descending DECIMAL. Phoenix's {@code PDataType.compareTo} inverts the
 * bytes of the DECIMAL into a new array, and then reads them at their old offset (not reported).
 *
 * <p>Example: {@code SELECT K FROM T WHERE L = M} along an index on {@code (L, M DESC)} fails if L
 * is a BIGINT and M is a DECIMAL.
 */
public aspect DescendingComparisonAspect {

  byte[] around(PDataType left, byte[] source, int offset, byte[] target, int length) :
      call(byte[] SortOrder.invert(byte[], int, byte[], int, int))
      && withincode(int PDataType.compareTo(
          byte[], int, int, SortOrder, byte[], int, int, SortOrder, PDataType))
      && this(left)
      && args(source, offset, target, *, length) {
    // Without a codec, the left side is inverted. Phoenix then reads it at the offset 0.
    return left.getCodec() != null && offset > 0 && Patches.isOn(Patch.DESCENDING_COMPARISON)
        ? SortOrder.invert(source, offset, new byte[offset + length], offset, length)
        : proceed(left, source, offset, target, length);
  }
}
