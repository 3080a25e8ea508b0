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
package io.phoenixpruning.it.fuzz;

import org.apache.phoenix.schema.types.PDataType;

/**
 * Gives access to the random values with which Phoenix's optimizer replaces subqueries when it
 * compares plans. Because the values are random, the chosen plan is random, too.
 */
abstract class SampleValues extends PDataType<Object> {

  private SampleValues() {
    super(null, 0, null, null, 0);
  }

  /** Sets the seed of this thread, so that it chooses the same plan for a statement each time. */
  static void seed(long seed) {
    RANDOM.get().setSeed(seed);
  }
}
