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
package io.phoenixpruning.perf.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.Test;

public class PairedRatioTest {

  private static PairedRatio of(int count) {
    double[] ours = IntStream.rangeClosed(1, count).mapToDouble(i -> 2.0 * i).toArray();
    double[] base = new double[count];
    Arrays.fill(base, 2);
    return PairedRatio.of(ours, base);
  }

  /**
   * Compares the interval's positions with the usual tables for the confidence interval of a
   * median.
   */
  @Test
  public void takesTheIntervalFromTheSortedRatios() {
    assertThat(of(5)).isEqualTo(new PairedRatio(3, 1, 5));
    assertThat(of(6)).isEqualTo(new PairedRatio(3.5, 1, 6));
    assertThat(of(9)).isEqualTo(new PairedRatio(5, 2, 8));
    assertThat(of(20)).isEqualTo(new PairedRatio(10.5, 6, 15));
    assertThat(of(40)).isEqualTo(new PairedRatio(20.5, 14, 27));
  }

  @Test
  public void dividesTheValuesOfARound() {
    assertThat(PairedRatio.of(new double[] {10, 2, 300}, new double[] {10, 1, 100}))
        .isEqualTo(new PairedRatio(2, 1, 3));
  }

  @Test
  public void needsPairs() {
    assertThatThrownBy(() -> PairedRatio.of(new double[1], new double[2]))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> PairedRatio.of(new double[0], new double[0]))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
