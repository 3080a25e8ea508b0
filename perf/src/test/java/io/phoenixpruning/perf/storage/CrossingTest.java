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

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.NavigableMap;
import java.util.TreeMap;
import org.junit.Test;

public class CrossingTest {

  private final NavigableMap<Double, Double> growing = new TreeMap<>();

  @Test
  public void isBetweenPoints() {
    growing.put(0.01, 10.0);
    growing.put(0.1, 100.0);
    growing.put(1.0, 10_000.0);
    assertThat(Crossing.of(growing, 1_000).getAsDouble()).isCloseTo(0.3162, within(1e-4));
    assertThat(Crossing.of(growing, 100).getAsDouble()).isCloseTo(0.1, within(1e-9));
  }

  @Test
  public void isAbsentOutsideThePoints() {
    assertThat(Crossing.of(growing, 5)).isEmpty();
    growing.put(0.01, 10.0);
    growing.put(0.1, 100.0);
    assertThat(Crossing.of(growing, 5)).isEmpty();
    assertThat(Crossing.of(growing, 101)).isEmpty();
  }
}
