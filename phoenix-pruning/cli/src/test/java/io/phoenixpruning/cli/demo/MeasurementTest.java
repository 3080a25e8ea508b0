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
package io.phoenixpruning.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Optional;
import org.junit.Test;

public class MeasurementTest {

  private static Run run(int rows, boolean right, long rpcs, long millis) {
    return new Run(rows, right, 1, rpcs, millis * 1_000_000, Optional.empty());
  }

  @Test
  public void figuresAreMedians() {
    Measurement measured =
        new Measurement(List.of(run(1, true, 9, 1), run(1, true, 2, 100), run(1, true, 3, 7)));

    assertThat(measured.rpcs()).isEqualTo(3);
    assertThat(measured.millis()).isEqualTo(7);
    assertThat(measured.isCorrect()).isTrue();
    assertThat(measured.rows()).isEqualTo(1);
  }

  @Test
  public void oneWrongRunIsEnough() {
    Measurement measured =
        new Measurement(List.of(run(5, true, 1, 1), run(0, false, 1, 1), run(5, true, 1, 1)));

    assertThat(measured.isCorrect()).isFalse();
    assertThat(measured.rows()).isZero();
  }

  @Test
  public void theFirstFailureIsReported() {
    Run failed = new Run(0, false, 0, 0, 1, Optional.of("Task rejected"));

    assertThat(new Measurement(List.of(run(1, true, 1, 1), failed)).failure())
        .contains("Task rejected");
    assertThat(new Measurement(List.of(run(1, true, 1, 1))).failure()).isEmpty();
  }

  @Test
  public void noRunsAreNoMeasurement() {
    assertThatThrownBy(() -> new Measurement(List.of()))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
