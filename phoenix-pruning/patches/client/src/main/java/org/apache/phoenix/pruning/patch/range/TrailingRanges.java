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

import java.util.List;
import org.apache.phoenix.query.KeyRange;

/** Ranges that conditions on earlier key columns imply for later columns, by position. */
public final class TrailingRanges {

  private TrailingRanges() {}

  /**
   * Returns whether Phoenix keeps none of the trailing ranges of two ranges that it unites. This is
   * so if each has one alternative, and the first one leaves all columns unbounded.
   */
  public static boolean areDroppedByPhoenix(List<KeyRange[]> one, List<KeyRange[]> other) {
    return one.size() == 1 && other.size() == 1 && isUnbounded(one.get(0));
  }

  /** Returns whether the ranges leave all columns unbounded. */
  public static boolean isUnbounded(KeyRange[] ranges) {
    for (KeyRange range : ranges) {
      if (range != KeyRange.EVERYTHING_RANGE) {
        return false;
      }
    }
    return true;
  }
}
