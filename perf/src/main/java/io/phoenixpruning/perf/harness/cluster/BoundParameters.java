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
package io.phoenixpruning.perf.harness.cluster;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.SplittableRandom;

/** Binds the parameters for one execution after the other. */
final class BoundParameters {

  private final int[] bounds;
  private final SplittableRandom random;
  private int next;

  BoundParameters(int[] bounds, int first, SplittableRandom random) {
    this.bounds = bounds;
    this.random = random;
    this.next = first;
  }

  void bind(PreparedStatement statement) throws SQLException {
    for (int i = 0; i < bounds.length; i++) {
      statement.setInt(i + 1, bounds[i] == 0 ? next : random.nextInt(bounds[i]));
    }
    next++;
  }
}
