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
package org.apache.phoenix.pruning.patch.aggregate;

import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.util.ByteUtil;
import org.jspecify.annotations.Nullable;

/** Evaluates STDDEV_POP and STDDEV_SAMP of too few values. */
public final class StandardDeviations {

  private StandardDeviations() {}

  /**
   * Sets {@code result} to null if there are not enough values. Returns whether it is set.
   *
   * @param cachedResult standard deviation that is already computed, or null
   * @param divisor number by which Phoenix divides
   */
  public static boolean setNull(
      @Nullable Object cachedResult, long divisor, ImmutableBytesWritable result) {
    if (cachedResult != null || divisor >= 1 || !Patches.isOn(Patch.STANDARD_DEVIATION)) {
      return false;
    }
    result.set(ByteUtil.EMPTY_BYTE_ARRAY);
    return true;
  }
}
