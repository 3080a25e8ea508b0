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
package io.phoenixpruning.perf.storage;

import java.util.Map;
import java.util.NavigableMap;
import java.util.OptionalDouble;

/** Computes the size at which a growing cost reaches a constant cost. */
final class Crossing {

  private Crossing() {}

  /**
   * Interpolates between the last point below {@code limit} and the next point, on logarithmic
   * scales of size and cost.
   *
   * @param growing costs by size; all are greater than 0
   * @param limit the constant cost
   * @return the size that costs {@code limit}; empty if all points are below it, or if none is
   */
  static OptionalDouble of(NavigableMap<Double, Double> growing, double limit) {
    Map.Entry<Double, Double> below = null;
    for (Map.Entry<Double, Double> point : growing.entrySet()) {
      if (point.getValue() >= limit) {
        return below == null ? OptionalDouble.empty() : between(below, point, limit);
      }
      below = point;
    }
    return OptionalDouble.empty();
  }

  private static OptionalDouble between(
      Map.Entry<Double, Double> below, Map.Entry<Double, Double> above, double limit) {
    double share =
        Math.log(limit / below.getValue()) / Math.log(above.getValue() / below.getValue());
    return OptionalDouble.of(below.getKey() * Math.pow(above.getKey() / below.getKey(), share));
  }
}
