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
   * Chooses the first of every {@code step} combinations.
   *
   * @param step a number without a common divisor with the lengths of the combined inner lists.
   *     Each element of each list is then in a chosen combination
   */
  static Combinations oneOf(int step) {
    return oneOf(step, 0);
  }

  /**
   * Chooses one of every {@code step} combinations.
   *
   * @param skipped number of combinations before the first chosen one, modulo {@code step}. Tests
   *     that run the same list on other tables use other numbers. So each element is in one of
   *     these tests
   */
  static Combinations oneOf(int step, int skipped) {
    return new Combinations(step, skipped);
  }

  /** Returns true if the next combination is to be run. */
  boolean chooseNext() {
    return ClusterTest.ALL_COMBINATIONS || number++ % step == 0;
  }
}
