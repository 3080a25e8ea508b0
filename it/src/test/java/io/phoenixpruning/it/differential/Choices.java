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
package io.phoenixpruning.it.differential;

import java.util.List;
import java.util.Random;

/** Chooses at random. */
final class Choices {

  private Choices() {}

  static <T> T pick(Random random, List<T> choices) {
    return choices.get(random.nextInt(choices.size()));
  }

  /** Selects each element with probability 1/2. If none is selected, returns all elements. */
  static <T> List<T> some(Random random, List<T> choices) {
    List<T> some = choices.stream().filter(choice -> random.nextInt(2) == 0).toList();
    return some.isEmpty() ? choices : some;
  }
}
