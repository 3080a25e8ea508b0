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
package io.phoenixpruning.it;

/**
 * Chooses some of the combinations of statements, types and tables that a test runs. Profile {@code
 * nightly} runs all of them.
 */
final class Combinations {

  private final int step;
  private int number;

  private Combinations(int step, int skipped) {
    this.step = step;
    this.number = step - skipped % step;
  }

  /**
   * Chooses the first one of each {@code step} combinations.
   *
   * @param step has no common divisor with the lengths of the inner lists that are combined, so
   *     that each element of each list is in a chosen combination
   */
  static Combinations oneOf(int step) {
    return oneOf(step, 0);
  }

  /**
   * Chooses one of each {@code step} combinations.
   *
   * @param skipped number of combinations before the first one that is chosen, modulo {@code step}.
   *     Tests of the same list with other tables have other numbers, so that each element is in one
   *     of them
   */
  static Combinations oneOf(int step, int skipped) {
    return new Combinations(step, skipped);
  }

  /** Returns true if the next combination is to be run. */
  boolean chooseNext() {
    return ClusterTest.ALL_COMBINATIONS || number++ % step == 0;
  }
}
